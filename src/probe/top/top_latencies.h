/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long the reads of each process took lately: one interval has too few samples for a 99th
 * percentile, so that those of the last intervals are kept.
 */
#ifndef CXLMON_PROBE_TOP_TOP_LATENCIES_H
#define CXLMON_PROBE_TOP_TOP_LATENCIES_H

#include <stdint.h>

#include "base/number.h"
#include "process/report.h"

#define TOP_LATENCIES_NS   (10 * NS_PER_S)
#define TOP_LATENCIES_MOST 64 /* intervals, however short they are */

/*
 * The last intervals: as few as cover TOP_LATENCIES_NS, or all so far, or TOP_LATENCIES_MOST of
 * them. Initially {0}; freed by top_latencies_free().
 */
struct top_latencies {
	struct latency_interval {
		uint64_t ns;		  /* that it covers */
		struct latency_sum *sums; /* by pid, ascending */
		size_t sum_count;
		struct latency_count *counts; /* of all sums */
	} intervals[TOP_LATENCIES_MOST];      /* the oldest first */
	size_t count;
};

/* Adds the interval that a report by process covers. 0, or -ENOMEM: it is left out. */
int top_latencies_add(struct top_latencies *latencies, const struct process_report *report);
void top_latencies_free(struct top_latencies *latencies);

/* That all kept intervals cover. */
uint64_t top_latencies_ns(const struct top_latencies *latencies);

/*
 * Adds those of a process to out, which is of MEMORY_CXL or MEMORY_DRAM. Of a pid that was used
 * again, those of the last process.
 */
void top_latencies_sum(const struct top_latencies *latencies, unsigned pid, enum read_memory memory,
		       struct latencies *out);

#endif
