/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_told.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 64

int sim_told_add(struct sim_told *told, const struct sim_segment *segment)
{
	if (told->count == told->room) {
		const size_t room = told->room ? 2 * told->room : FIRST_ROOM;
		struct sim_segment *grown = reallocarray(told->segments, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		told->segments = grown;
		told->room = room;
	}
	told->segments[told->count++] = *segment;
	return 0;
}

void sim_told_free(struct sim_told *told)
{
	free(told->segments);
	*told = (struct sim_told){.segments = NULL};
}

const struct sim_segment *sim_told_at(const struct sim_told *told, uint64_t t)
{
	size_t low = 0, high = told->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (told->segments[middle].from <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &told->segments[low - 1] : NULL;
}

long double sim_told_moved(const struct sim_told *told, enum sim_told_kind kind, uint64_t t)
{
	const struct sim_segment *s = sim_told_at(told, t);

	return s ? s->moved[kind] + (long double)s->rates[kind] * (t - s->from) : 0;
}
