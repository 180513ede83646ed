/* SPDX-License-Identifier: BSD-3-Clause */
/* Random series around a mean of 0, the same on every machine. */
#ifndef CXLMON_TEST_NOISE_H
#define CXLMON_TEST_NOISE_H

#include <stdbool.h>
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
	double period;	/* samples of a wave with a tenth of noise, from a random phase on; 0: none
			 */
	bool square;	/* the wave is at one of two levels, 1 apart; else a sine */
	bool constant;	/* always 0 */
};

/* *state: not 0. */
void noise_fill(const struct noise *noise, uint64_t *state, double *out, size_t count);

#endif
