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
	 * Part of a sample that carries over to the next: autoregressive noise of variance 1.
	 * Negative: 1/f noise of 18 octaves, down to far below the longest series.
	 */
	double carried;
	/* mean number of samples in each of two states, which are 1 apart; 0: no states */
	double on, off;
	double period; /* samples per wave of random phase, with a tenth of noise; 0: none */
	bool square;   /* the wave has two levels, 1 apart; false: a sine */
	bool constant; /* always 0 */
};

/* Fills out with count samples of noise. *state is the generator's state, not 0, and advances. */
void noise_fill(const struct noise *noise, uint64_t *state, double *out, size_t count);

#endif
