/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/load_sample.h"

#include <errno.h>
#include <math.h>

double event_times_scale(const struct event_times *from, const struct event_times *to)
{
	if (to->running_ns <= from->running_ns || to->enabled_ns <= from->enabled_ns)
		return 1;
	return fmax(1, (double)(to->enabled_ns - from->enabled_ns) /
			       (double)(to->running_ns - from->running_ns));
}

int load_event_check_kernel(const struct load_event *event, unsigned kernel, struct error *err)
{
	if (!kernel || kernel >= event->kernel)
		return 0;
	return error_set(err, ERROR_NO_UNIT, -ENODEV,
			 "%s cannot be sampled with addresses: Linux has them from %u.%u on, and "
			 "this is %u.%u",
			 event->name, event->kernel >> 16, event->kernel & 0xFFFF, kernel >> 16,
			 kernel & 0xFFFF);
}

bool load_sample_reads_memory(const struct load_event *event, const struct load_sample *sample)
{
	if (!sample->load || sample->level == LOAD_CACHE || sample->level == LOAD_IO)
		return false;
	return sample->level != LOAD_UNKNOWN || !event->of_caches;
}

#define PERIOD_MOST	   (UINT64_C(1) << 31)
#define LEAST_OF_MULTIPLES UINT64_C(0x1000) /* for IBS, which counts all ops */

static bool is_prime(uint64_t number)
{
	if (number % 2 == 0)
		return number == 2;
	for (uint64_t divisor = 3; divisor * divisor <= number; divisor += 2)
		if (number % divisor == 0)
			return false;
	return number > 1;
}

/*
 * Returns a prime: a period with a divisor in common with a loop's length would see the same loads
 * again and again.
 */
uint64_t load_round_period(const struct load_event *event, uint64_t period)
{
	if (event->multiple)
		return (period + event->multiple - 1) / event->multiple * event->multiple;
	while (period > 1 && !is_prime(period))
		period++;
	return period;
}

static uint64_t longer_period(const struct load_event *event, uint64_t period, double over)
{
	const double wanted = (double)period * (over > 2 ? over : 2);

	return wanted < PERIOD_MOST ? load_round_period(event, (uint64_t)wanted) : PERIOD_MOST;
}

/*
 * Lengthens the period for cost only if samples are a notable part of it: the rest does not depend
 * on the period.
 */
uint64_t load_next_period(const struct load_event *event, uint64_t period, uint64_t samples,
			  double seconds, size_t cpus, double cost)
{
	const double per_s = seconds > 0 ? (double)samples / seconds : 0;
	const double rate = per_s / (double)cpus, of_samples = per_s * LOAD_SAMPLE_NS / 1e9;
	const uint64_t least = event->multiple ? LEAST_OF_MULTIPLES : 1;

	if (rate > LOAD_RATE_MOST && period < PERIOD_MOST)
		return longer_period(event, period, rate / LOAD_RATE_MOST);
	if (cost > LOAD_COST_MOST && of_samples > LOAD_COST_MOST / 4 && period < PERIOD_MOST)
		return longer_period(event, period, cost / LOAD_COST_MOST);
	if (samples && rate < LOAD_RATE_MOST / 8.0 && of_samples < LOAD_COST_MOST / 16 &&
	    period / 2 >= least)
		return load_round_period(event, period / 2);
	return period;
}
