/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_injected.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 64

int sim_injected_add(struct sim_injected *injected, const struct sim_segment *segment)
{
	if (injected->count == injected->room) {
		const size_t room = injected->room ? 2 * injected->room : FIRST_ROOM;
		struct sim_segment *grown = reallocarray(injected->segments, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		injected->segments = grown;
		injected->room = room;
	}
	injected->segments[injected->count++] = *segment;
	return 0;
}

void sim_injected_free(struct sim_injected *injected)
{
	free(injected->segments);
	*injected = (struct sim_injected){.segments = NULL};
}

const struct sim_segment *sim_injected_at(const struct sim_injected *injected, uint64_t t)
{
	size_t low = 0, high = injected->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (injected->segments[middle].from <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &injected->segments[low - 1] : NULL;
}

long double sim_injected_moved(const struct sim_injected *injected, enum sim_injected_kind kind,
			       uint64_t t)
{
	const struct sim_segment *s = sim_injected_at(injected, t);

	return s ? s->moved[kind] + (long double)s->rates[kind] * (t - s->from) : 0;
}
