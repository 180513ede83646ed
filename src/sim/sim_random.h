/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that look like chance, and are the same for the same arguments. */
#ifndef CXLMON_SIM_RANDOM_H
#define CXLMON_SIM_RANDOM_H

#include <math.h>
#include <stdint.h>

/* The finalizer of MurmurHash3. */
static inline uint64_t sim_mix(uint64_t h)
{
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

/* From 0 to below 1. */
static inline double sim_uniform(uint64_t h)
{
	return (double)(sim_mix(h) >> 11) / 0x1p53;
}

/* Of a normal distribution of mean 0 and standard deviation 1: Box and Muller, 1958. */
static inline double sim_normal(uint64_t h)
{
	const double radius = sqrt(-2 * log(1 - sim_uniform(h)));

	return radius * cos(2 * M_PI * sim_uniform(~h));
}

#endif
