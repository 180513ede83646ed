/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The distribution of a series of any length in bounded memory. The mean and the maximum are exact.
 * Percentiles of up to DISTRIBUTION_EXACT values are exact. Percentiles of more values come from a
 * histogram with 64 buckets for each power of two. Percentiles that are finite are wrong by less
 * than 0.8 % (half a bucket). The histogram counts numbers between -2^-1022 and 2^-1022 as 0.
 * Infinite values are values like others.
 */
#ifndef CXLMON_BASE_DISTRIBUTION_H
#define CXLMON_BASE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Statistics of the values of a metric over time. Unknown values are NAN. */

struct statistics {
	size_t known; /* number of known values; if 0, the other members are NAN */
	double mean;  /* weighted by time; NAN if the time is 0, or the weighted sum is infinite */
	double p50, p95, p99, max; /* not weighted */
};

/* Members of struct statistics, except .known. */
enum statistic {
	STATISTIC_MEAN,
	STATISTIC_P50,
	STATISTIC_P95,
	STATISTIC_P99,
	STATISTIC_MAX,
	STATISTICS
};

extern const char *const statistic_names[STATISTICS]; /* "mean", "p50", ... */

/* Returns a member. */
double statistics_get(const struct statistics *statistics, enum statistic which);

/*
 * Returns a percentile, from 1 to 100, of ascending values by nearest rank: the smallest value with
 * at least percent % of all values at or below it. If count is 0, returns NAN.
 */
double percentile(const double *sorted, size_t count, unsigned percent);

/*
 * Computes statistics of count values in any order; NAN is an unknown value. Each known value holds
 * for a time: seconds is the sum of these times, weighted is the sum of value x time. Returns 0. If
 * memory runs out, returns -ENOMEM and leaves *out unchanged.
 */
int statistics_make(const double *values, size_t count, double weighted, double seconds,
		    struct statistics *out);

#define DISTRIBUTION_EXACT 1024 /* limit of stored values; above it, values are only counted */
#define DISTRIBUTION_PAGES 512	/* pages of buckets, each with eight powers of two of one sign */

/*
 * A distribution, initially all zero. The struct takes 4 KiB. Stored values take at most 8 KiB.
 * Each page with a value takes 4 KiB, all together at most 2 MiB.
 */
struct distribution {
	uint64_t known;	 /* number of values, without NAN */
	double min, max; /* smallest and largest value; if .known is 0, they mean nothing */
	double *values;	 /* stored values; NULL: none, or more than DISTRIBUTION_EXACT were added */
	/* number of values in each bucket, ascending by bucket; NULL: no value in the page */
	uint64_t *pages[DISTRIBUTION_PAGES];
	bool failed; /* out of memory: a value is missing */
};

/*
 * Adds a value, unless it is NAN. If memory runs out, sets .failed: the distribution then ignores
 * all further values.
 */
void distribution_add(struct distribution *d, double value);

/*
 * Computes statistics; weighted and seconds are those for statistics_make(). Returns 0. If memory
 * runs out or .failed is set, returns -ENOMEM and leaves *out unchanged.
 */
int distribution_statistics(const struct distribution *d, double weighted, double seconds,
			    struct statistics *out);

/* Frees the values, and leaves an empty distribution. */
void distribution_free(struct distribution *d);

#endif
