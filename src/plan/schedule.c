/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/schedule.h"

#include <errno.h>
#include <stdbool.h>

#define FREE SIZE_MAX

/*
 * Bipartite matching by augmenting paths: an event takes a free counter, or one whose event can
 * move to another. tried: the counters that this path has visited.
 */
static bool assign(const uint32_t *allowed, size_t event, size_t owner[SCHEDULE_MAX_COUNTERS],
		   uint32_t *tried)
{
	for (unsigned c = 0; c < SCHEDULE_MAX_COUNTERS; c++) {
		const uint32_t bit = UINT32_C(1) << c;

		if (!(allowed[event] & bit) || *tried & bit)
			continue;
		*tried |= bit;
		if (owner[c] == FREE || assign(allowed, owner[c], owner, tried)) {
			owner[c] = event;
			return true;
		}
	}
	return false;
}

int schedule_events(const uint32_t *allowed, size_t count, unsigned *counter, size_t *unassigned)
{
	size_t owner[SCHEDULE_MAX_COUNTERS];

	for (unsigned c = 0; c < SCHEDULE_MAX_COUNTERS; c++)
		owner[c] = FREE;
	for (size_t event = 0; event < count; event++) {
		uint32_t tried = 0;

		if (!assign(allowed, event, owner, &tried)) {
			*unassigned = event;
			return -ENOSPC;
		}
	}
	for (unsigned c = 0; c < SCHEDULE_MAX_COUNTERS; c++)
		if (owner[c] != FREE)
			counter[owner[c]] = c;
	return 0;
}
