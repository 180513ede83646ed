/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests whether the means of two series of correlated samples differ. The variance of a mean is the
 * spectrum at frequency 0, divided by the number of samples. It is estimated from the 40 lowest
 * cosine transforms of the series (equally weighted cosines), each an independent estimate, after
 * they are flattened by a first-order autoregression (prewhitening). Student's t, with the degrees
 * of freedom of Welch and Satterthwaite, does the rest.
 *
 * Sources: P. Heidelberger and P. D. Welch, Comm. ACM 24 (1981); U. K. Müller, J. Econometrics 141
 * (2007); E. Lazarus, D. J. Lewis, J. H. Stock, M. W. Watson, J. Bus. Econ. Stat. 36 (2018); for
 * prewhitening D. W. K. Andrews and J. C. Monahan, Econometrica 60 (1992); B. L. Welch, Biometrika
 * 34 (1947); S. Holm, Scand. J. Statist. 6 (1979).
 */
#ifndef CXLMON_MEAN_TEST_H
#define CXLMON_MEAN_TEST_H

#include <stddef.h>

#define MEAN_LEAST_SAMPLES    40  /* known ones */
#define MEAN_LEAST_CONSTANT   100 /* of a series that never changes, to differ from another */
#define MEAN_LEAST_CORRELATED 300 /* enough if it remembers few of them */

/* Probability of a difference where there is none, of all that is compared together. */
#define TEST_LEVEL 0.05

struct mean_estimate {
	double mean;	 /* weighted by time */
	double variance; /* of the mean */
	double low;	 /* the part of the variance from the lowest quarter of the transforms */
	double freedom;	 /* degrees of freedom of the variance; 0: not known */
	double memory;	 /* in samples: so many say as much as one independent one; 1 or more */
	double spacing;	 /* seconds a known sample */
	size_t samples;	 /* known ones */
};

/*
 * values: count numbers, or NAN where unknown; times: the ends of their intervals, ascending, the
 * first of which begins at 0. Allocates nothing.
 */
struct mean_estimate mean_estimate_make(const double *values, const double *times, size_t count);

/*
 * The probability of such a difference, or a larger one, if both recorded the same load. NAN: too
 * short to tell, and both series must be *needed_s seconds long at least; 0: not known how long. It
 * is too short where a series is not 12 times as long as the memory of either, or where its slowest
 * changes are larger than faster ones.
 */
double mean_test(const struct mean_estimate *a, const struct mean_estimate *b, double *needed_s);

/*
 * Holm's correction for so many tests at once: afterwards, what is below a level differs, and the
 * probability of one or more that do not is at most that level. Those that are NAN are no tests. 0
 * or -ENOMEM.
 */
int holm_adjust(double *p, size_t count);

#endif
