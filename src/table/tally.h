/* SPDX-License-Identifier: BSD-3-Clause */
/* Tallies: counters by device and kind that have no column, such as errors of a link. */
#ifndef CXLMON_TABLE_TALLY_H
#define CXLMON_TABLE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "platform/kernel_stats.h"

#define TALLY_NAME_SIZE 40

/* One counter: errors of one severity and kind, or events of one kind. */
struct tally {
	const char *device; /* "mem0". Not owned */
	/* AER_CORRECTABLE or worse; KERNEL_STAT_NONE: events, not errors */
	enum kernel_stat severity;
	char kind[TALLY_NAME_SIZE]; /* "BadTLP", "cxl_dram"; "": sum over the severity's kinds */
	/* errors since boot, events since the start; NAN: unknown */
	double count;
	uint64_t at_ns; /* time at which .count was read, in ns by clock_ops.now; events: 0 */
};

/*
 * Tallies of all devices. Errors of a device are consecutive: the sums of its three severities,
 * then the kinds that have happened.
 */
struct tallies {
	struct tally *items;
	size_t count, room;
	/*
	 * events lost since the start: they came too fast to be read, or there was no room for
	 * another device and kind
	 */
	uint64_t lost_events;
};

#endif
