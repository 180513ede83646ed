/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds values that stand out among a few that should be alike, such as one per host. Median and
 * median absolute deviation are used, because a value that stands out hardly moves them, as it
 * would move a mean and a standard deviation.
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

#define SPREAD_FEWEST 3 /* known values that the rule needs */
/*
 * Distance from the median that is still usual, in median absolute deviations: about 3.4 standard
 * deviations of a normal distribution. Iglewicz and Hoaglin, "How to Detect and Handle Outliers"
 * (1993), use 3.5.
 */
#define SPREAD_DEVIATIONS 5
#define SPREAD_PERCENT	  10 /* percent of the median that a difference must exceed to matter */

struct spread {
	size_t known;	  /* number of known values; if 0, the members below are NAN */
	double median;	  /* mean of the two middle values, if .known is even */
	double deviation; /* median absolute deviation from .median */
};

/* Computes the spread of count values; NAN: unknown. 0 or -ENOMEM. */
int spread_make(const double *values, size_t count, struct spread *out);

/*
 * Tells if a value stands out among SPREAD_FEWEST known values or more: its distance from the
 * median is above SPREAD_DEVIATIONS deviations, above SPREAD_PERCENT of the median, and above
 * least. Always false for NAN.
 */
bool spread_stands_out(const struct spread *spread, double value, double least);

#endif
