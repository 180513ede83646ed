/* SPDX-License-Identifier: BSD-3-Clause */
/* Tallies: counts by device and kind that have no column, such as errors of a link. */
#ifndef CXLMON_TABLE_TALLY_H
#define CXLMON_TABLE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "platform/kernel_stats.h"

#define TALLY_NAME_SIZE 40

/* One count: errors of one severity and kind, or events of one kind. */
struct tally {
	const char *device; /* "mem0". Not owned */
	/* AER_CORRECTABLE, AER_NONFATAL or AER_FATAL; KERNEL_STAT_NONE: events, not errors */
	enum kernel_stat severity;
	char kind[TALLY_NAME_SIZE]; /* "BadTLP", "cxl_dram"; "": all errors of the severity */
	/* number of errors since boot, or of events since the start of the run; NAN: unknown */
	double count;
	uint64_t at_ns; /* errors: time at which .count was read, in ns of clock_ops.now; else 0 */
};

/*
 * Tallies of all devices. Errors of a device are consecutive: first the sums of the three
 * severities, then each kind with an error.
 */
struct tallies {
	struct tally *items;
	size_t count, room;
	/* events not counted since the start of the run: too fast to be read, or no room */
	uint64_t lost_events;
};

#endif
