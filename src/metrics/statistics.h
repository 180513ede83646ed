/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of the values of a metric over time. Unknown values are NAN. */
#ifndef CXLMON_STATISTICS_H
#define CXLMON_STATISTICS_H

#include <stddef.h>

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

#endif
