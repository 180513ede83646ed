/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic on numbers, and units of time. The C library's fmin(), fmax() and round() are not used
 * because libm would add half a megabyte to the memory of every run.
 */
#ifndef CXLMON_NUMBER_H
#define CXLMON_NUMBER_H

#include <stdint.h>

#define NS_PER_S UINT64_C(1000000000)

/* As fmin() and fmax(): where one of the two is NAN, the other. */
static inline double min_double(double a, double b)
{
	return b < a || a != a ? b : a;
}

static inline double max_double(double a, double b)
{
	return b > a || a != a ? b : a;
}

/*
 * As round(): the nearest integer, halves away from 0. NAN, infinities, and numbers of 2^52 and
 * more (which are integers) are returned as they are.
 */
static inline double round_double(double number)
{
	const double limit = 4503599627370496.0; /* 2^52 */
	const double half = number < 0 ? -0.5 : 0.5;
	double whole;

	if (!(number > -limit && number < limit))
		return number;
	whole = (double)(long long)number;
	/* not number + half: for the largest double below 0.5 that sum is 1 */
	return number - whole >= 0.5 || whole - number >= 0.5 ? whole + 2 * half : whole;
}

#endif
