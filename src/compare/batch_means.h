/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the means of two series differ by more than chance would have it. Neighbouring samples
 * resemble each other, so that a t-test of samples would find differences everywhere. Batch means:
 * a series is cut into so many batches of consecutive samples, whose means hardly depend on each
 * other any more, and Welch's t-test compares those.
 *
 * Source: the method of batch means of simulation output analysis (Law, "Simulation Modeling and
 * Analysis", chapter 9); B. L. Welch, Biometrika 34 (1947); S. Holm, Scand. J. Statist. 6 (1979).
 */
#ifndef CXLMON_BATCH_MEANS_H
#define CXLMON_BATCH_MEANS_H

#include <stddef.h>

#define BATCH_MIN_SAMPLES 40 /* known ones: two a batch */
#define BATCH_MOST	  20 /* batches */
#define BATCH_LEAST	  10

/* Probability of a difference where there is none, of all that is compared together. */
#define TEST_LEVEL 0.05

struct batch_means {
	double mean;	 /* of the means of batches */
	double variance; /* of that mean */
	double freedom;	 /* degrees of freedom of the variance; 0: not judged */
};

/*
 * values: count numbers, or NAN where unknown; times: the ends of their intervals, ascending, the
 * first of which begins at 0. Means are weighted by time. If the means of neighbouring batches are
 * correlated, batches are made longer, down to BATCH_LEAST of them; what is left of it makes the
 * variance larger, and its degrees of freedom fewer. Not judged are too few samples, and values
 * that change so slowly that the longest batches are correlated. Allocates nothing.
 */
struct batch_means batch_means_make(const double *values, const double *times, size_t count);

/* Of Welch's t-test, two-sided; never too small. NAN if one of the two is not judged. */
double welch_p(const struct batch_means *a, const struct batch_means *b);

/*
 * Holm's correction for so many tests at once: afterwards, what is below a level differs, and the
 * probability of one or more that do not is at most that level. Those that are NAN are no tests. 0
 * or -ENOMEM.
 */
int holm_adjust(double *p, size_t count);

#endif
