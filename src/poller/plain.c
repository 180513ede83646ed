/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a reading is plain: all was read, nothing went backwards, and each unit has moved or has
 * rested for a while. It is asked in every sample, and costs three instructions a counter.
 * Whatever else a reading may be is found out by collecting.c.
 */
#include "poller/poller_parts.h"

typedef uint64_t pair __attribute__((vector_size(2 * sizeof(uint64_t)), may_alias));

/*
 * A counter that was set back, has wrapped or read as all ones has bits in its delta that no
 * counter's delta has. Places are looked at four at a time; those after the last are 0 both times.
 */
static bool any_is_odd(const struct poller *poller)
{
	const pair *raw = (const pair *)poller->raw;
	const pair *last = (const pair *)poller->last;
	const size_t pairs = poller->plan->place_count / 2 + 1;
	pair some = {0, 0}, others = {0, 0};

	for (size_t i = 0; i < pairs; i += 2) {
		some |= raw[i] - last[i];
		others |= raw[i + 1] - last[i + 1];
	}
	some |= others;
	return (some[0] | some[1]) & poller->odd;
}

/* Looks for a counter of the unit that moves, from now on. */
static bool moves(struct poller *poller, size_t u)
{
	const struct span span = poller->spans[u];

	for (size_t s = span.first; s < span.end; s++) {
		if (!((poller->raw[s] - poller->last[s]) & poller->tallies[s].moves))
			continue;
		poller->movers[u] = s;
		poller->idle[u] = false;
		return true;
	}
	return false;
}

bool poller_is_plain(struct poller *poller)
{
	const size_t units = poller->plan->unit_count;
	const uint64_t *raw = poller->raw, *last = poller->last;
	const size_t *movers = poller->movers;

	if (any_is_odd(poller))
		return false;
	for (size_t u = 0; u < units; u++)
		if (raw[movers[u]] == last[movers[u]] && !moves(poller, u) && !poller->idle[u])
			return false;
	return true;
}
