/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies of each process's reads in the last 10 s. One interval would have too few samples for a
 * 99th percentile: so several intervals are kept.
 */
#ifndef CXLMON_PROBE_TOP_TOP_LATENCIES_H
#define CXLMON_PROBE_TOP_TOP_LATENCIES_H

#include <stdint.h>

#include "base/coder.h"
#include "base/number.h"
#include "process/report.h"

#define TOP_LATENCIES_NS   (10 * NS_PER_S) /* time that the kept intervals cover */
#define TOP_LATENCIES_MOST 64		   /* most intervals, even if they cover less time */

/*
 * The latest intervals: as few as cover TOP_LATENCIES_NS. Initially {0}; freed, and made empty, by
 * top_latencies_free().
 */
struct top_latencies {
	struct latency_interval {
		uint64_t ns;		  /* duration */
		struct latency_sum *sums; /* ascending by pid */
		size_t sum_count;
		struct bytes coded;	 /* histograms of the sums, by latencies_code() */
	} intervals[TOP_LATENCIES_MOST]; /* oldest first */
	size_t count;
};

/*
 * Adds a copy of an interval, and drops old ones. report: a report of the interval, by process.
 * Returns 0. -ENOMEM: the interval is left out.
 */
int top_latencies_add(struct top_latencies *latencies, const struct process_report *report);
void top_latencies_free(struct top_latencies *latencies);

/* Returns the time that the kept intervals cover, in ns. */
uint64_t top_latencies_ns(const struct top_latencies *latencies);

/*
 * Adds the latencies of a process in all kept intervals to *out. memory: MEMORY_CXL or MEMORY_DRAM.
 * If several processes have had this pid, only the latest one counts.
 */
void top_latencies_sum(const struct top_latencies *latencies, unsigned pid, enum read_memory memory,
		       struct latencies *out);

#endif
