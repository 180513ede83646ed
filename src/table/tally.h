/* SPDX-License-Identifier: BSD-3-Clause */
/* Tallies: counters by device and kind that have no column, such as errors of a link. */
#ifndef CXLMON_TABLE_TALLY_H
#define CXLMON_TABLE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "platform/kernel_stats.h"

#define TALLY_NAME_SIZE 40

struct tally {
	const char *device; /* "mem0". Not owned */
	/* severity of errors: AER_CORRECTABLE or worse; KERNEL_STAT_NONE: events */
	enum kernel_stat severity;
	char kind[TALLY_NAME_SIZE]; /* "BadTLP", "cxl_dram"; "": all kinds of a severity */
	double count;		    /* errors since boot, events since the start; NAN: unknown */
	uint64_t at_ns;		    /* time of reading errors, by clock_ops.now */
};

/*
 * Tallies of all devices. Errors of a device are consecutive: the three sums, then kinds that have
 * happened.
 */
struct tallies {
	struct tally *items;
	size_t count, room;
	uint64_t lost_events; /* events that came too fast to be read */
};

#endif
