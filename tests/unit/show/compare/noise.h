/* SPDX-License-Identifier: BSD-3-Clause */
/* Random series around a mean of 0, the same on every machine. */
#ifndef CXLMON_TEST_NOISE_H
#define CXLMON_TEST_NOISE_H

#include <stddef.h>
#include <stdint.h>

struct noise {
	const char *name;
	/*
	 * How much of itself a sample carries over to the next (autoregressive, of variance 1).
	 * Negative: 1/f noise of 18 octaves, down to far below the longest series.
	 */
	double carried;
	double on, off; /* two states, 1 apart: how many samples each lasts on average; 0: not so */
};

/* *state: not 0. */
void noise_fill(const struct noise *noise, uint64_t *state, double *out, size_t count);

#endif
