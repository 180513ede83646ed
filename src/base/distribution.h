/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The distribution of a series of any length in bounded memory: mean and maximum are exact, and so
 * are percentiles of up to DISTRIBUTION_EXACT values. Of more values they are read from a histogram
 * whose buckets are a 64th of a power of two wide: off by less than 0.8 % (half a bucket) for every
 * finite number, of either sign. Numbers below the smallest normal one (2^-1022) count as 0.
 */
#ifndef CXLMON_BASE_DISTRIBUTION_H
#define CXLMON_BASE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Statistics of the values of a metric over time. Unknown values are NAN. */

struct statistics {
	size_t known;		   /* number of known values; if 0, the others are NAN */
	double mean;		   /* weighted by time */
	double p50, p95, p99, max; /* of the values, not weighted */
};

/*
 * Percentile by nearest rank: the smallest value that at least percent (1 to 100) of the values do
 * not exceed. NAN if there are none.
 */
double percentile(const double *sorted, size_t count, unsigned percent);

/*
 * values: count numbers, or NAN; weighted: the sum of value x seconds; seconds: the sum of seconds
 * of known values. 0 or -ENOMEM.
 */
int statistics_make(const double *values, size_t count, double weighted, double seconds,
		    struct statistics *out);

#define DISTRIBUTION_EXACT 1024
#define DISTRIBUTION_PAGES 512 /* of both signs; each has eight powers of two */

/*
 * Initially all zero: 4 KiB. The first numbers take 8 KiB, and less if they are fewer; then a page
 * is allocated for the first number in it: 4 KiB for each 2^8 that they range over, 2 MiB at most.
 */
struct distribution {
	uint64_t known;	 /* number of values */
	double min, max; /* smallest and largest value; undefined without any */
	double *values;	 /* DISTRIBUTION_EXACT at most; NULL: there are more */
	/* once there are more: how many are in each bucket, in the order of numbers */
	uint64_t *pages[DISTRIBUTION_PAGES];
	bool failed; /* out of memory: some value is missing */
};

/* NAN is ignored. */
void distribution_add(struct distribution *d, double value);

/* weighted, seconds: see statistics_make(). 0 or -ENOMEM. */
int distribution_statistics(const struct distribution *d, double weighted, double seconds,
			    struct statistics *out);

void distribution_free(struct distribution *d);

#endif
