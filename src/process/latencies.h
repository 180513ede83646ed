/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A histogram of read latencies, which takes 2 KiB. Below 32 ns, each ns has a bucket; above, each
 * power of two has 16 buckets. A latency is shown as the middle of its bucket, with an error of at
 * most 3 %.
 */
#ifndef CXLMON_PROCESS_LATENCIES_H
#define CXLMON_PROCESS_LATENCIES_H

#include <stddef.h>
#include <stdint.h>

struct coder;

#define LATENCY_STEPS 16 /* buckets per power of two */
#define LATENCY_BUCKETS                                                                            \
	(2 * LATENCY_STEPS + 15 * LATENCY_STEPS) /* up to 2^20 ns, and above in the last one */

/* A histogram, initially all zero. */
struct latencies {
	uint64_t count;			   /* samples */
	double max;			   /* highest latency, exact, in ns */
	uint64_t buckets[LATENCY_BUCKETS]; /* sum of weights by bucket */
};

/* Adds the latency of a sample; ignores NAN. weight: the reads that the sample stands for. */
void latencies_add(struct latencies *latencies, double ns, uint64_t weight);

/* Adds all samples of others to latencies. */
void latencies_merge(struct latencies *latencies, const struct latencies *others);

/* Returns the index of a latency's bucket. ns must not be NAN. */
size_t latencies_bucket(double ns);
/* Returns the latency shown for a bucket, in ns. */
double latencies_middle(size_t bucket);

/* Returns the sum of all weights. */
uint64_t latencies_weight(const struct latencies *latencies);

/*
 * Returns a percentile in ns, by nearest rank of the weights. percent: 0 to 99. NAN: too few
 * samples; the 99th percentile needs 100, the 50th needs 2.
 */
double latencies_percentile(const struct latencies *latencies, unsigned percent);

/* Encodes or decodes a histogram, see base/coder.h. Decoding adds to *latencies. */
void latencies_code(struct coder *c, struct latencies *latencies);

#endif
