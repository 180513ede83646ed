/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sampling thread looks at besides counters: whether controls are still ours. */
#include "poller/poller_private.h"

bool poller_unit_answers(const struct poller *poller, size_t u)
{
	const struct unit *unit = poller->plan->units[u].unit;
	const struct read_range range = poller->units[u].range;

	if (poller->frame.units[u].error)
		return false;
	for (size_t r = range.first; r < range.end; r++)
		if (unit_unread(unit, poller->frame.raw[r]))
			return false;
	return true;
}

static bool controls_are_ours(const struct poller *poller, size_t u)
{
	return unit_holds(poller->platform, poller->plan->units[u].unit,
			  poller_group(poller, u)->controls);
}

void poller_check_controls(struct poller *poller, size_t u)
{
	if (!poller->units[u].rotate_err)
		poller->frame.units[u].clobbered = !controls_are_ours(poller, u);
}

/* Whether some counter that programming set to 0 has moved; looks first where one did before. */
static bool moves(struct poller *poller, size_t u)
{
	const uint64_t *raw = poller->frame.raw, *previous = poller->previous;
	const struct slot *slots = &poller->plan->slots[poller_group(poller, u)->first_slot];
	struct unit_reads *unit = &poller->units[u];
	const struct read_range range = unit->range;

	if (raw[unit->activity] != previous[unit->activity])
		return true;
	for (size_t r = range.first; r < range.end; r++) {
		if (raw[r] == previous[r] || slots[r - range.first].free_running)
			continue;
		unit->activity = r;
		return true;
	}
	return false;
}

void poller_check_unit(struct poller *poller, size_t u, bool due)
{
	bool *idle = &poller->idle[poller_group(poller, u) - poller->plan->groups];
	const bool rests = !moves(poller, u);

	if ((due || (rests && !*idle && !poller->frame.units[u].clobbered)) &&
	    poller_unit_answers(poller, u))
		poller_check_controls(poller, u);
	*idle = rests && !poller->frame.units[u].clobbered;
}

/* One wrap between two readings is in the delta already; its mark must not be taken for another. */
static void clear_overflow(const struct poller *poller, size_t u)
{
	const struct unit *unit = poller->plan->units[u].unit;
	const struct read_range range = poller->units[u].range;

	if (!unit->core)
		return;
	for (size_t r = range.first; r < range.end; r++) {
		if (poller->frame.raw[r] < poller->previous[r]) {
			unit_wrapped(poller->platform, unit);
			return;
		}
	}
}

void poller_check_domain(struct poller *poller, size_t d)
{
	const struct domain *domain = &poller->plan->domains[d];

	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct frame_unit *unit = &poller->frame.units[u];

		/* a unit that has rotated was checked before */
		if (unit->error || unit->rotated)
			continue;
		poller_check_unit(poller, u, poller->times.check_due);
		clear_overflow(poller, u);
	}
}
