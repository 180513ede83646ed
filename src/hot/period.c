/* SPDX-License-Identifier: BSD-3-Clause */
#include "hot/period.h"

#include <stdbool.h>

#define PERIOD_MOST (UINT64_C(1) << 31)

static bool is_prime(uint64_t number)
{
	if (number % 2 == 0)
		return number == 2;
	for (uint64_t divisor = 3; divisor * divisor <= number; divisor += 2)
		if (number % divisor == 0)
			return false;
	return number > 1;
}

/* A period that has divisors with the length of a loop in common would see the same loads again. */
uint64_t hot_round_period(const struct load_event *event, uint64_t period)
{
	if (event->multiple)
		return (period + event->multiple - 1) / event->multiple * event->multiple;
	while (period > 1 && !is_prime(period))
		period++;
	return period;
}

uint64_t hot_next_period(const struct load_event *event, uint64_t period, uint64_t samples,
			 double seconds, size_t cpus, double cost)
{
	const double rate = seconds > 0 ? (double)samples / seconds / (double)cpus : 0;
	const uint64_t least = event->multiple ? UINT64_C(0x1000) : 1;

	if ((rate > HOT_RATE_MOST || cost > HOT_COST_MOST) && period < PERIOD_MOST) {
		const double over = rate / HOT_RATE_MOST > cost / HOT_COST_MOST
					    ? rate / HOT_RATE_MOST
					    : cost / HOT_COST_MOST;

		return hot_round_period(event, (uint64_t)((double)period * (over > 2 ? over : 2)));
	}
	if (rate < HOT_RATE_MOST / 8.0 && cost < HOT_COST_MOST / 8 && period / 2 >= least &&
	    samples)
		return hot_round_period(event, period / 2);
	return period;
}
