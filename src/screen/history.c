/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/history.h"

#include <math.h>

/* Samples end microseconds before or after their deadline: half a sample is tolerated. */
#define TOLERANCE 0.5

static void push(struct history *h, double value)
{
	h->steps[h->next] = (float)value;
	h->next = (h->next + 1) % HISTORY_SIZE;
	h->count += h->count < HISTORY_SIZE;
	h->total++;
}

void history_add(struct history *h, double value, double seconds, double step_s)
{
	h->passed_s += seconds;
	if (!isnan(value)) {
		h->sum += value * seconds;
		h->known_s += seconds;
	}
	if (h->passed_s + seconds * TOLERANCE < step_s)
		return;
	push(h, h->known_s > 0 ? h->sum / h->known_s : NAN);
	h->sum = h->known_s = h->passed_s = 0;
}

double history_at(const struct history *h, size_t age)
{
	if (age >= h->count)
		return NAN;
	return h->steps[(h->next + HISTORY_SIZE - 1 - age) % HISTORY_SIZE];
}

double history_mean(const struct history *h, size_t steps)
{
	double sum = 0;
	size_t known = 0;

	for (size_t age = 0; age < steps; age++) {
		const double value = history_at(h, age);

		if (!isnan(value)) {
			sum += value;
			known++;
		}
	}
	return known ? sum / (double)known : NAN;
}
