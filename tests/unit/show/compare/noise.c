/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise.h"

#include <math.h>
#include <string.h>

#define OCTAVES 18

/* Returns the next number of a xorshift generator, between 0 and 1. */
static double uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(*state >> 11) / (double)(UINT64_C(1) << 53);
}

/* Returns a normal random number, by the polar method of G. Marsaglia. */
static double normal(uint64_t *state)
{
	double x, y, square;

	do {
		x = 2 * uniform(state) - 1;
		y = 2 * uniform(state) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	return x * sqrt(-2 * log(square) / square);
}

static void add_autoregressive(uint64_t *state, double carried, double *out, size_t count)
{
	const double fresh = sqrt(1 - carried * carried);
	double value = normal(state);

	for (size_t i = 0; i < count; i++) {
		out[i] += value;
		value = carried * value + fresh * normal(state);
	}
}

static void fill_states(const struct noise *noise, uint64_t *state, double *out, size_t count)
{
	const double mean = noise->on / (noise->on + noise->off);
	bool on = uniform(state) < mean;

	for (size_t i = 0; i < count; i++) {
		out[i] = on - mean;
		if (uniform(state) * (on ? noise->on : noise->off) < 1)
			on = !on;
	}
}

/* Fills in a wave from a random phase on, with a tenth of noise. */
static void fill_periods(const struct noise *noise, uint64_t *state, double *out, size_t count)
{
	const double phase = uniform(state);

	for (size_t i = 0; i < count; i++) {
		const double at = fmod((double)i / noise->period + phase, 1);

		out[i] = noise->square ? (at < 0.5) - 0.5 : sin(2 * M_PI * at);
		out[i] += 0.1 * normal(state);
	}
}

void noise_fill(const struct noise *noise, uint64_t *state, double *out, size_t count)
{
	memset(out, 0, count * sizeof(*out));
	if (noise->constant)
		return;
	if (noise->period > 0)
		fill_periods(noise, state, out, count);
	else if (noise->on > 0)
		fill_states(noise, state, out, count);
	else if (noise->carried >= 0)
		add_autoregressive(state, noise->carried, out, count);
	for (unsigned octave = 0; noise->carried < 0 && octave < OCTAVES; octave++)
		add_autoregressive(state, exp(-2 / (double)(1 << octave)), out, count);
}
