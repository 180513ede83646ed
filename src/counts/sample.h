/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample: the counts of all counters of a plan in one interval, from the previous sample to this
 * one. A unit is a block of counters.
 */
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
	uint64_t events;       /* number of events */
	uint64_t time_running; /* ns for which the event was counted, without frozen time */
	/*
	 * ns for which the counter's unit was enabled in this interval. If the unit or
	 * the kernel multiplexes events, .time_running is less. If a read failed at the end of the
	 * previous interval, .time_running may be more, because it includes that interval.
	 */
	uint64_t time_enabled;
	/* ns by which .time_running may be wrong, because the sampling thread was delayed */
	uint64_t uncertain_ns;
	/*
	 * The count is valid. If false, all members above except .time_enabled are 0. Causes:
	 * - counting began anew in this interval; .time_enabled is then 0 too
	 * - the event was not counted in this interval
	 * - a read failed; the next good read includes the events
	 * - the unit has no values (sample.warning)
	 * - .uncertain_ns was more than a twentieth of .time_running
	 */
	bool known;
	bool estimate;	    /* .known, and .uncertain_ns is over a hundredth of .time_running */
	bool clock_stopped; /* the count is unknown because the unit's clock does not run */
};

/*
 * Losses of a group of units. The group is all units of a port or, for units without a port, all
 * units of a type in a socket.
 */
struct loss {
	const struct unit *unit; /* first unit of the group; not owned */
	const struct port *port; /* not owned; NULL: units without a port */
	uint64_t readings; /* units without values, summed over all readings since the start */
};

struct sample {
	struct count *counts; /* by counter of the plan; owned by the decoder */
	size_t count;	      /* number of .counts */
	uint64_t wall_ns;     /* end of the interval: ns since 1970 in UTC */
	uint64_t at_ns;	      /* end of the interval by clock_ops.now; 0: from a recording */
	/* ns for which counters were frozen: the longest freeze of each reading, summed */
	uint64_t frozen_ns;
	uint64_t missed; /* missed deadlines since the previous sample: "missed" in CSV and JSON */
	/*
	 * Samples since the start that were merged into the next one, because the output was too
	 * slow: cxlmon_postponed_samples of OpenMetrics.
	 */
	uint64_t skipped;
	size_t lost_readings;	   /* units without values, summed over this interval's readings */
	const struct loss *losses; /* losses since the start, by group; owned by the decoder */
	size_t loss_count;
	/*
	 * Message about units without values, owned by the decoder; NULL: none. If there are
	 * several causes, the message is about the first of these: changed controls, a stop, a
	 * written counter, saturation, a failed read.
	 */
	const struct error *warning;
	/* message that units count again, or can be read again; owned by the decoder; NULL: none */
	const char *note;
	/*
	 * Time from which values in the samples before this one may be wrong, because another
	 * program had changed or frozen units: ns since 1970 in UTC. 0: no values are in doubt.
	 */
	uint64_t doubtful_since_ns;
};

#endif
