/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts of one interval. */
#ifndef CXLMON_SAMPLE_H
#define CXLMON_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct port;
struct unit;

/* The count of one counter of the plan; times as in perf. */
struct count {
	uint64_t events;
	uint64_t time_running; /* ns in which the event was counted, without frozen time */
	/*
	 * ns in which its unit counted: more than time_running if multiplexed, less after a failed
	 * read.
	 */
	uint64_t time_enabled;
	/*
	 * ns by which time_running may be wrong, because the sampling thread was delayed at its
	 * beginning or end; above a twentieth of time_running the count is unknown.
	 */
	uint64_t uncertain_ns;
	/*
	 * The count is valid. False: not counted in this interval (time_running is 0), or invalid.
	 * After a failed read, the next good one has its counts.
	 */
	bool known;
	bool estimate;	    /* uncertain_ns is more than a hundredth of time_running */
	bool clock_stopped; /* unknown, because the unit counts nothing */
};

/* Readings without values, of all units of a port, or of a type of unit of a socket. */
struct loss {
	const struct unit *unit; /* first unit of the group */
	const struct port *port; /* NULL: units without a port */
	uint64_t readings;	 /* number since the start */
};

struct sample {
	struct count *counts; /* by counter of the plan; owned by the decoder */
	size_t count;
	uint64_t wall_ns; /* end of the interval, since 1970 in UTC */
	uint64_t at_ns;	  /* end of the interval by clock_ops.now; unknown in a recording */
	/* ns in which counters were frozen: for each reading, the longest time of any domain. */
	uint64_t frozen_ns;
	uint64_t missed; /* deadlines since the previous sample: "missed" in CSV and JSON */
	/*
	 * Samples so far that were merged into the next one, because the output was too slow:
	 * cxlmon_postponed_samples of OpenMetrics.
	 */
	uint64_t skipped;
	size_t failed_reads;	   /* failed reads of units since the previous sample */
	const struct loss *losses; /* failed reads since the start; owned by the decoder */
	size_t loss_count;
	/* The first of these failures; NULL: none. */
	const struct error *warning;
	/*
	 * Message that units, which another program had reset or frozen, count again; NULL: none.
	 */
	const char *note;
	/*
	 * Time since 1970 in UTC after which values of earlier samples may be wrong, because
	 * another program has changed or frozen units since; 0: none are wrong.
	 */
	uint64_t doubtful_since_ns;
};

#endif
