/* SPDX-License-Identifier: BSD-3-Clause */
/* Units of time and of memory, and sums of numbers that may be unknown. */
#ifndef CXLMON_BASE_NUMBER_H
#define CXLMON_BASE_NUMBER_H

#include <math.h>
#include <stdint.h>

#define NS_PER_S UINT64_C(1000000000)

static inline double to_MiB(double bytes)
{
	return bytes / (1 << 20);
}

/* Returns a + b without a term that is NAN (unknown). Returns NAN if both are NAN. */
static inline double known_sum(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a + b;
}

#endif
