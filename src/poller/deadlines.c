/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/deadlines.h"

void deadlines_start(struct deadlines *d, uint64_t now, uint64_t interval)
{
	*d = (struct deadlines){.start = now, .interval = interval, .next = now + interval};
}

uint64_t deadlines_advance(struct deadlines *d, uint64_t now)
{
	uint64_t missed = 0;

	d->next += d->interval;
	if (now >= d->next) {
		missed = (now - d->next) / d->interval + 1;
		d->next += missed * d->interval;
	}
	return missed;
}

void deadlines_change(struct deadlines *d, uint64_t now, uint64_t interval)
{
	const uint64_t last = d->next - d->interval;

	deadlines_start(d, last + interval > now ? last : now - interval, interval);
}
