/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is needed of mathematics, which is little: the C library's for it would be half a megabyte
 * in the memory of every run.
 */
#ifndef CXLMON_NUMBER_H
#define CXLMON_NUMBER_H

/* The lesser and the greater of two; where one is not a number, the other. */
static inline double min_double(double a, double b)
{
	return b < a || a != a ? b : a;
}

static inline double max_double(double a, double b)
{
	return b > a || a != a ? b : a;
}

/*
 * The whole number next to one whose amount is below 2^52, so that a half can be added to it;
 * halves go away from 0. Greater ones, and what is no number, are returned as they are.
 */
static inline double round_double(double number)
{
	const double most = 4503599627370496.0;
	const double half = number < 0 ? -0.5 : 0.5;
	double whole;

	if (!(number > -most && number < most))
		return number;
	whole = (double)(long long)number;
	/* not number + half: that of the double below a half is 1 */
	return number - whole >= 0.5 || whole - number >= 0.5 ? whole + 2 * half : whole;
}

#endif
