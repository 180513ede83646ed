/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The distribution of a series of any length in bounded memory. Mean and maximum are exact, and so
 * are percentiles of up to DISTRIBUTION_EXACT values. Percentiles of more values come from a
 * histogram whose buckets are a 64th of a power of two wide: off by less than 0.8 % (half a bucket)
 * for every finite number, of either sign. Numbers below the smallest normal one (2^-1022) count as
 * 0.
 */
#ifndef CXLMON_BASE_DISTRIBUTION_H
#define CXLMON_BASE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Statistics of the values of a metric over time. Unknown values are NAN. */

struct statistics {
	size_t known; /* number of known values; if 0, the other members are NAN */
	double mean;  /* weighted by time; also NAN if the time is 0, or the sum overflows */
	double p50, p95, p99, max; /* not weighted */
};

/*
 * Returns a percentile of ascending values by nearest rank: the smallest value that at least
 * percent (1 to 100) of the values do not exceed. NAN: count is 0.
 */
double percentile(const double *sorted, size_t count, unsigned percent);

/*
 * Computes statistics of count values in any order; NAN is an unknown value. weighted: the sum of
 * each known value times its seconds. seconds: the sum of these seconds. Returns 0, or -ENOMEM and
 * leaves *out unchanged.
 */
int statistics_make(const double *values, size_t count, double weighted, double seconds,
		    struct statistics *out);

#define DISTRIBUTION_EXACT 1024
#define DISTRIBUTION_PAGES 512 /* pages for both signs; each has eight powers of two */

/*
 * A distribution, initially all zero. The struct takes 4 KiB, and the first DISTRIBUTION_EXACT
 * values take at most 8 KiB more. After them, each page that has a value takes 4 KiB, at most 2 MiB
 * in all; a page holds the values of one sign within a factor of 2^8.
 */
struct distribution {
	uint64_t known;	 /* number of values */
	double min, max; /* smallest and largest value; undefined if there are none */
	double *values;	 /* up to DISTRIBUTION_EXACT values; NULL: none, or there were more */
	/* if there were more: number of values in each bucket, in ascending order of buckets */
	uint64_t *pages[DISTRIBUTION_PAGES];
	bool failed; /* out of memory: a value is missing */
};

/* Adds a value. NAN is ignored. If memory runs out, sets .failed for good. */
void distribution_add(struct distribution *d, double value);

/* Computes statistics. weighted, seconds: see statistics_make(). -ENOMEM: also if .failed is set */
int distribution_statistics(const struct distribution *d, double weighted, double seconds,
			    struct statistics *out);

/* Frees the values; the distribution is empty again. */
void distribution_free(struct distribution *d);

#endif
