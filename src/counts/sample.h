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

/* What one counter of the plan has counted; times as perf has them. */
struct count {
	uint64_t events;
	uint64_t time_running; /* ns that the event was counted, without frozen time */
	/* ns that its unit counted: more than that if multiplexed, less after a failed read */
	uint64_t time_enabled;
	/*
	 * ns that time_running may be too long or too short, as the sampling thread was held up
	 * where it begins or ends; above a twentieth of it the count is not known
	 */
	uint64_t uncertain_ns;
	/*
	 * false: not counted in this interval (time_running is 0), or not valid. After a failed
	 * read, the next good one has its counts.
	 */
	bool known;
	bool estimate;	    /* uncertain_ns is more than a hundredth of time_running */
	bool clock_stopped; /* not known, as its unit counts nothing */
};

/* Readings that gave no values, of all units of a port, or of a type of unit of a socket. */
struct loss {
	const struct unit *unit; /* the first of them */
	const struct port *port; /* NULL: they belong to none */
	uint64_t readings;	 /* since the start */
};

struct sample {
	struct count *counts; /* by counter of the plan; owned by the decoder */
	size_t count;
	uint64_t wall_ns; /* end of the interval, since 1970 in UTC */
	uint64_t at_ns;	  /* the same time, by clock_ops.now; unknown in a recording */
	/* ns that the counters were frozen: the longest time of any domain, of each reading */
	uint64_t frozen_ns;
	uint64_t missed; /* deadlines since the sample before: "missed" in CSV and JSON */
	/* samples so far that were merged into the next one, as the output was too slow:
	 * cxlmon_postponed_samples of OpenMetrics */
	uint64_t skipped;
	size_t failed_reads;	   /* failed reads of units since the sample before */
	const struct loss *losses; /* the same since the start; owned by the decoder */
	size_t loss_count;
	/* the first of these failures; NULL: none */
	const struct error *warning;
	/* units that another program has reset or frozen count again; NULL: none */
	const char *note;
	/*
	 * Since 1970 in UTC: values of earlier samples, after this time, may be wrong, as another
	 * program has changed or frozen units since; 0: none are
	 */
	uint64_t doubtful_since_ns;
};

#endif
