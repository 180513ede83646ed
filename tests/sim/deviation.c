/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deviations from the model of waits, to which real programs only come near. With deviation=, all
 * waits of a program grow by the model's growth times a random number of the program, which is the
 * same for the same seed=. It has a normal distribution with mean 1 and this standard deviation,
 * in percent, and is 0 instead of negative.
 */
#include "tests/sim/deviation.h"

#include <math.h>
#include <string.h>

#include "sim/sim_private.h"
#include "tests/sim/keys.h"

/*
 * Returns a number of a normal distribution of mean 0 and standard deviation 1: Box and Muller,
 * 1958.
 */
static double normal_number(uint64_t h)
{
	const double radius = sqrt(-2 * log(1 - sim_uniform(h)));

	return radius * cos(2 * M_PI * sim_uniform(~h));
}

double deviation(const struct sim_spec *s)
{
	const double program[] = {s->demand_stall, s->cache_stall, s->store_stall, s->parallelism,
				  s->prefetched};
	const struct test_values values = test_values_of(s);
	uint64_t hash = values.seed;

	for (size_t i = 0; i < sizeof(program) / sizeof(program[0]); i++) {
		uint64_t bits;

		memcpy(&bits, &program[i], sizeof(bits));
		hash = sim_mix(hash + i + 1) ^ bits;
	}
	return fmax(1 + values.deviation / 100 * normal_number(hash), 0);
}
