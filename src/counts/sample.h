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
	 * ns in which its unit counted in this interval. It exceeds time_running if the event is
	 * multiplexed. It is less after a failed read, because time_running then includes an
	 * earlier interval.
	 */
	uint64_t time_enabled;
	/*
	 * ns by which time_running may be wrong, because the sampling thread was delayed when the
	 * time began or ended. The count is unknown if this exceeds a twentieth of time_running.
	 */
	uint64_t uncertain_ns;
	/*
	 * The count is valid. False: not counted in this interval (time_running is 0), or invalid.
	 * If a read failed, the next good read includes its events.
	 */
	bool known;
	bool estimate;	    /* uncertain_ns is more than a hundredth of time_running */
	bool clock_stopped; /* the count is unknown, because the clock of its unit stands still */
};

/*
 * Number of readings without values in a group of units: all units of a port or, without a port,
 * all of one type in a socket.
 */
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
	/* ns for which counters were frozen: the longest freeze of each reading, added up. */
	uint64_t frozen_ns;
	uint64_t missed; /* missed deadlines since the previous sample: "missed" in CSV and JSON */
	/*
	 * Samples since the start that were merged into the next one, because the output was too
	 * slow: cxlmon_postponed_samples of OpenMetrics.
	 */
	uint64_t skipped;
	size_t failed_reads;	   /* readings of units without values since the previous sample */
	const struct loss *losses; /* losses since the start, by group; owned by the decoder */
	size_t loss_count;
	/*
	 * Message about units without values; NULL: none. Units that are taken, stopped, written to
	 * or saturated come before failed reads.
	 */
	const struct error *warning;
	/* Message that units count again, or can be read again; NULL: none. */
	const char *note;
	/*
	 * Time since 1970 in UTC after which values of earlier samples may be wrong, because
	 * another program has changed or frozen units since; 0: none are wrong.
	 */
	uint64_t doubtful_since_ns;
};

#endif
