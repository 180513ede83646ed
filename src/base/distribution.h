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
	size_t known;		   /* number of known values; if 0, the other members are NAN */
	double mean;		   /* weighted by time */
	double p50, p95, p99, max; /* not weighted */
};

/*
 * Returns a percentile by nearest rank: the smallest value that at least percent (1 to 100) of the
 * values do not exceed. NAN if there are none.
 */
double percentile(const double *sorted, size_t count, unsigned percent);

/*
 * Computes statistics of values, count numbers or NAN. weighted: the sum of value times seconds;
 * seconds: the sum of seconds of known values. 0 or -ENOMEM.
 */
int statistics_make(const double *values, size_t count, double weighted, double seconds,
		    struct statistics *out);

#define DISTRIBUTION_EXACT 1024
#define DISTRIBUTION_PAGES 512 /* pages for both signs; each has eight powers of two */

/*
 * A distribution, initially all zero, which takes 4 KiB. The first numbers take 8 KiB, or less if
 * they are few. After that, pages are allocated for the first number in each: 4 KiB for each factor
 * of 2^8 in their range, at most 2 MiB.
 */
struct distribution {
	uint64_t known;	 /* number of values */
	double min, max; /* smallest and largest value; undefined if there are none */
	double *values;	 /* at most DISTRIBUTION_EXACT; NULL: there were more */
	/* numbers of values by bucket, in the order of values, if there were more */
	uint64_t *pages[DISTRIBUTION_PAGES];
	bool failed; /* out of memory: a value is missing */
};

/* Adds a value. NAN is ignored. */
void distribution_add(struct distribution *d, double value);

/* Computes statistics. weighted, seconds: see statistics_make(). 0 or -ENOMEM. */
int distribution_statistics(const struct distribution *d, double weighted, double seconds,
			    struct statistics *out);

void distribution_free(struct distribution *d);

#endif
