/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Read latencies, in a histogram of 2 KiB: exact below 32 ns, then 16 buckets per power of two. A
 * bucket is shown as its middle, which is off by at most 3 %.
 */
#ifndef CXLMON_PROCESS_LATENCIES_H
#define CXLMON_PROCESS_LATENCIES_H

#include <stddef.h>
#include <stdint.h>

#define LATENCY_STEPS 16 /* buckets per power of two */
#define LATENCY_BUCKETS                                                                            \
	(2 * LATENCY_STEPS + 15 * LATENCY_STEPS) /* up to 2^20 ns, with all above in the last */

/* Initially all zero. */
struct latencies {
	uint64_t count;			   /* samples */
	double max;			   /* ns, exact */
	uint64_t buckets[LATENCY_BUCKETS]; /* sum of weights by bucket */
};

/* Adds a latency. weight: the reads that the sample stands for. NAN is ignored. */
void latencies_add(struct latencies *latencies, double ns, uint64_t weight);

/* Adds another histogram. */
void latencies_merge(struct latencies *latencies, const struct latencies *others);

/* Returns the bucket of a latency in ns. */
size_t latencies_bucket(double ns);
double latencies_middle(size_t bucket); /* latency shown for a bucket, in ns */

/* Returns the sum of all weights. */
uint64_t latencies_weight(const struct latencies *latencies);

/*
 * Returns a percentile by nearest rank of the weights. NAN: too few samples to expect one above
 * it; the 99th percentile needs 100 samples.
 */
double latencies_percentile(const struct latencies *latencies, unsigned percent);

#endif
