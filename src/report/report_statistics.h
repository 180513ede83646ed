/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report says of the values of one row and metric. What is not known is NAN. */
#ifndef CXLMON_REPORT_STATISTICS_H
#define CXLMON_REPORT_STATISTICS_H

#include <stddef.h>

struct statistics {
	size_t known;		   /* values; where there are none, the others are NAN */
	double mean;		   /* of the time: each value counts for as long as it stands for */
	double p50, p95, p99, max; /* of the values, each of which counts the same */
};

/*
 * The nearest rank: the smallest of the values that at least percent (1 to 100) of them don't
 * exceed. It is one of the values; none is made up between two. NAN where there are none.
 */
double percentile(const double *sorted, size_t count, unsigned percent);

/*
 * values has count numbers, NAN among them; weighted is the sum of value x seconds, seconds that of
 * the known values' seconds. 0 or -ENOMEM.
 */
int statistics_make(const double *values, size_t count, double weighted, double seconds,
		    struct statistics *out);

#endif
