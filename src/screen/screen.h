/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A screen that is drawn anew with each sample: a format, for a terminal, that listens to keys and
 * to the terminal's signals. It belongs to the writer's thread. What ncurses makes goes to the
 * sink's text as any other output, so that a terminal that doesn't read delays nothing but itself.
 */
#ifndef CXLMON_SCREEN_H
#define CXLMON_SCREEN_H

#include "output/sink.h"
#include "screen/deferred_log.h"
#include "screen/screen_requests.h"

/* The groups that it asks for where nobody chose any: those it has a place for. */
#define SCREEN_GROUPS "cxl,latency,dram,queue,link"

/* The target of a sink whose format is format_screen. Nothing of it is owned. */
struct screen_setup {
	const char *processor;
	uint64_t interval_ns;
	double link_MBps;		   /* of a port, in one direction; 0: not known */
	struct screen_requests *requests;  /* for quitting, and other intervals */
	struct deferred_log *deferred_log; /* messages */
};

/*
 * Whether there can be one: standard input and output are a terminal that we are in the foreground
 * of, and TERM is one whose cursor can be moved.
 */
bool screen_possible(void);

extern const struct format format_screen;

#endif
