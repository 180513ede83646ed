/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The distribution of a series of any length in bounded memory: mean and maximum are exact, and so
 * are percentiles of up to DISTRIBUTION_EXACT values. Of more values they are read from a histogram
 * whose buckets are a 64th of a power of two wide: off by less than 0.8 % (half a bucket), or by
 * 0.001 for values below that.
 */
#ifndef CXLMON_DISTRIBUTION_H
#define CXLMON_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

#include "metrics/statistics.h"

#define DISTRIBUTION_EXACT   1024
#define DISTRIBUTION_BUCKETS 4096 /* from 2^-10 to 2^54, and all that is below */

/* Initially all zero. */
struct distribution {
	uint64_t known;		  /* number of values */
	double max;		  /* of these */
	double weighted, seconds; /* see statistics_make() */
	double values[DISTRIBUTION_EXACT];
	uint64_t buckets[DISTRIBUTION_BUCKETS]; /* used once there are more values */
};

/* A value (NAN is ignored) and the seconds that it covers. Allocates nothing. */
void distribution_add(struct distribution *d, double value, double seconds);

/* 0 or -ENOMEM. */
int distribution_statistics(const struct distribution *d, struct statistics *out);

#endif
