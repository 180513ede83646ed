/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies of each process's reads in the last 10 s. So many intervals are kept, because one has
 * too few samples for a 99th percentile.
 */
#ifndef CXLMON_PROBE_TOP_TOP_LATENCIES_H
#define CXLMON_PROBE_TOP_TOP_LATENCIES_H

#include <stdint.h>

#include "base/coder.h"
#include "base/number.h"
#include "process/report.h"

#define TOP_LATENCIES_NS   (10 * NS_PER_S) /* time to keep */
#define TOP_LATENCIES_MOST 64		   /* most intervals, even if they cover less time */

/*
 * The latest intervals: as few as cover TOP_LATENCIES_NS, and at most TOP_LATENCIES_MOST.
 * Initially {0}; freed by top_latencies_free(), after which it is empty.
 */
struct top_latencies {
	struct latency_interval {
		uint64_t ns;		  /* duration */
		struct latency_sum *sums; /* ascending by pid */
		size_t sum_count;
		struct bytes coded;	 /* latencies_code() of each sum */
	} intervals[TOP_LATENCIES_MOST]; /* oldest first */
	size_t count;
};

/*
 * Adds a copy of a report's interval, and drops old ones. The report's rows are processes. 0, or
 * -ENOMEM: the interval is left out.
 */
int top_latencies_add(struct top_latencies *latencies, const struct process_report *report);
void top_latencies_free(struct top_latencies *latencies);

/* Returns the time that the kept intervals cover, in ns. */
uint64_t top_latencies_ns(const struct top_latencies *latencies);

/*
 * Adds a process's latencies of the kept intervals to *out; memory: MEMORY_CXL or MEMORY_DRAM. If
 * the pid was reused, only the latest process with it counts.
 */
void top_latencies_sum(const struct top_latencies *latencies, unsigned pid, enum read_memory memory,
		       struct latencies *out);

#endif
