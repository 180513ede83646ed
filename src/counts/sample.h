/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample: the counts of all counters of a plan in one interval. */
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
	uint64_t time_running; /* ns for which the event was counted, without frozen time */
	/*
	 * ns for which its unit counted in this interval. This is more than .time_running if the
	 * event is multiplexed. It is less after a failed read, because .time_running then includes
	 * an earlier interval.
	 */
	uint64_t time_enabled;
	/*
	 * ns by which .time_running may be wrong, because the sampling thread was delayed when the
	 * time began or ended. If it is more than a twentieth of .time_running, the count is
	 * unknown.
	 */
	uint64_t uncertain_ns;
	/*
	 * The count is valid. False: the event was not counted in this interval, or the count is
	 * invalid. If a read failed, the next good read includes its events.
	 */
	bool known;
	bool estimate;	    /* .uncertain_ns is more than a hundredth of .time_running */
	bool clock_stopped; /* the count is unknown because the unit's clock does not run */
};

/*
 * The losses of a group of units: all units of a port or, for units without a port, all units of
 * one type in a socket.
 */
struct loss {
	const struct unit *unit; /* first unit of the group */
	const struct port *port; /* NULL: units without a port */
	uint64_t readings;	 /* readings of these units without values, since the start */
};

struct sample {
	struct count *counts; /* by counter of the plan; owned by the decoder */
	size_t count;	      /* number of counts */
	uint64_t wall_ns;     /* end of the interval: ns since 1970 in UTC */
	uint64_t at_ns;	      /* end of the interval by clock_ops.now; unknown in a recording */
	/* ns for which counters were frozen: the sum of the longest freeze of each reading */
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
	 * Message about units without values, owned by the decoder; NULL: none. If there are
	 * several causes, it is about a unit that was changed, stopped, written to or saturated,
	 * rather than a failed read.
	 */
	const struct error *warning;
	/*
	 * Message that units count again, or can be read again, owned by the decoder; NULL: none.
	 */
	const char *note;
	/*
	 * ns since 1970 in UTC: values of earlier samples after that time may be wrong, because
	 * another program had changed or frozen units. 0: none are wrong.
	 */
	uint64_t doubtful_since_ns;
};

#endif
