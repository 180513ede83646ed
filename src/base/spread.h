/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds values that stand out among a few similar ones, such as one per host. Uses the median and
 * the median absolute deviation, because a value that stands out hardly moves them.
 *
 *	latency on four hosts    401, 402, 405, 812 ns
 *	median                   403.5 ns
 *	distances from it        2.5, 1.5, 1.5, 408.5 ns
 *	their median             2 ns: .deviation
 *	812 ns stands out        408.5 > 5 x 2, and 408.5 > 10 % of 403.5
 */
#ifndef CXLMON_BASE_SPREAD_H
#define CXLMON_BASE_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#define SPREAD_FEWEST 3 /* with fewer known values, no value stands out */
/*
 * Largest usual distance from the median, in median absolute deviations. In a normal distribution,
 * it is about 3.4 standard deviations. Iglewicz and Hoaglin, "How to Detect and Handle Outliers"
 * (1993), use 3.5.
 */
#define SPREAD_DEVIATIONS 5
#define SPREAD_PERCENT	  10 /* largest distance that does not matter, in percent of the median */

struct spread {
	size_t known;	  /* number of known values; if 0, the other members are NAN */
	double median;	  /* if .known is even, the mean of the two middle values */
	double deviation; /* median absolute deviation from .median */
};

/* Computes the spread of count values; NAN is an unknown value. Returns 0 or -ENOMEM. */
int spread_make(const double *values, size_t count, struct spread *out);

/*
 * Returns true if at least SPREAD_FEWEST values are known, and the value's distance from the median
 * is above all of these:
 * - SPREAD_DEVIATIONS x .deviation
 * - SPREAD_PERCENT of the median
 * - least, in the unit of the values
 *
 * Returns false if value is NAN.
 */
bool spread_stands_out(const struct spread *spread, double value, double least);

#endif
