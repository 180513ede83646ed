/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long reads took, in a histogram of 2 KiB: exact below 32 ns, then buckets that are a
 * sixteenth of a power of two wide, of which the middle is shown: off by at most 3 %.
 */
#ifndef CXLMON_PROCESS_LATENCIES_H
#define CXLMON_PROCESS_LATENCIES_H

#include <stddef.h>
#include <stdint.h>

#define LATENCY_STEPS 16 /* buckets of a power of two */
#define LATENCY_BUCKETS                                                                            \
	(2 * LATENCY_STEPS + 15 * LATENCY_STEPS) /* to 2^20 ns; what is above is in                \
						    the last one */

/* Initially all zero. */
struct latencies {
	uint64_t count;			   /* samples */
	double max;			   /* ns */
	uint64_t buckets[LATENCY_BUCKETS]; /* the sum of their weights */
};

/* weight: the reads that it stands for. NAN is ignored. */
void latencies_add(struct latencies *latencies, double ns, uint64_t weight);

/* Adds all of others. */
void latencies_merge(struct latencies *latencies, const struct latencies *others);

/* The bucket of a latency, and the latency that is shown for a bucket, in ns. */
size_t latencies_bucket(double ns);
double latencies_middle(size_t bucket);

/* The sum of all weights. */
uint64_t latencies_weight(const struct latencies *latencies);

/*
 * By nearest rank of the weights; the greatest one is exact. NAN: of the samples not one is above
 * it: the 99th needs 100 of them.
 */
double latencies_percentile(const struct latencies *latencies, unsigned percent);

#endif
