/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Read latencies, in a histogram of 2 KiB: each ns below 32 has a bucket, then each power of two
 * has 16. A latency is shown as the middle of its bucket, which is off by at most 3 %.
 */
#ifndef CXLMON_PROCESS_LATENCIES_H
#define CXLMON_PROCESS_LATENCIES_H

#include <stddef.h>
#include <stdint.h>

struct coder;

#define LATENCY_STEPS 16 /* buckets per power of two */
#define LATENCY_BUCKETS                                                                            \
	(2 * LATENCY_STEPS + 15 * LATENCY_STEPS) /* up to 2^20 ns, with all above in the last */

/* Initially all zero. */
struct latencies {
	uint64_t count;			   /* samples */
	double max;			   /* highest latency, exact, in ns */
	uint64_t buckets[LATENCY_BUCKETS]; /* sum of weights by bucket */
};

/* Adds the latency of a sample; NAN is ignored. weight: the reads that the sample stands for. */
void latencies_add(struct latencies *latencies, double ns, uint64_t weight);

/* Adds all samples of others to latencies. */
void latencies_merge(struct latencies *latencies, const struct latencies *others);

/* Returns the bucket of a latency in ns, which is not NAN. */
size_t latencies_bucket(double ns);
/* Returns the latency shown for a bucket, in ns. */
double latencies_middle(size_t bucket);

/* Returns the sum of all weights. */
uint64_t latencies_weight(const struct latencies *latencies);

/*
 * Returns a percentile (percent: below 100) by nearest rank of the weights, in ns. NAN: too few
 * samples to expect one above it; the 99th percentile needs 100 samples, the 50th 2.
 */
double latencies_percentile(const struct latencies *latencies, unsigned percent);

/*
 * Codes the buckets in use: the number of empty ones before each, and its weight. Decoding adds to
 * the histogram.
 */
void latencies_code(struct coder *c, struct latencies *latencies);

#endif
