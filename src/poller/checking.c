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
		if (unit_no_response(unit, poller->frame.raw[r]))
			return false;
	return true;
}

bool poller_can_reclaim(const struct poller *poller, size_t u)
{
	return unit_controls_free(poller->platform, poller->plan->units[u].unit,
				  poller_round(poller, u)->controls);
}

void poller_check_controls(struct poller *poller, size_t u)
{
	struct unit_state *unit = &poller->units[u];
	bool *clobbered = &poller->frame.units[u].clobbered;

	if (unit->rotate_err)
		return;
	*clobbered = !unit_controls_intact(poller->platform, poller->plan->units[u].unit,
					   poller_round(poller, u)->controls);
	unit->reclaim = *clobbered && poller_can_reclaim(poller, u);
	if (unit->reclaim)
		poller->domains[poller->plan->units[u].domain].rotation |= ROTATES_RECLAIM;
}

/* Whether some counter that programming set to 0 has moved; looks first where one did before. */
static bool moves(struct poller *poller, size_t u)
{
	const uint64_t *raw = poller->frame.raw, *previous = poller->previous;
	const struct counter *counters =
		&poller->plan->counters[poller_round(poller, u)->first_counter];
	struct unit_state *unit = &poller->units[u];
	const struct read_range range = unit->range;

	if (raw[unit->activity] != previous[unit->activity])
		return true;
	for (size_t r = range.first; r < range.end; r++) {
		if (raw[r] == previous[r] || counters[r - range.first].free_running)
			continue;
		unit->activity = r;
		return true;
	}
	return false;
}

void poller_check_unit(struct poller *poller, size_t u, bool due)
{
	bool *idle = poller->units[u].idle;
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

	for (size_t r = range.first; r < range.end; r++) {
		if (poller->frame.raw[r] < poller->previous[r]) {
			unit_clear_overflow(poller->platform, unit);
			return;
		}
	}
}

/* A counter that must not wrap is set to 0 in the second half of its range, as the kernel does. */
static void check_range(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct read_range range = poller->units[u].range;
	const struct counter *counters =
		&poller->plan->counters[poller_round(poller, u)->first_counter];

	if (!pu->unit->pmu_type || !pu->unit->pmu_type->no_wrap)
		return;
	for (size_t r = range.first; r < range.end; r++)
		poller->units[u].restart |= !counters[r - range.first].free_running &&
					    poller->frame.raw[r] >> (pu->unit->width - 1);
	if (poller->units[u].restart)
		poller->domains[pu->domain].rotation |= ROTATES_RECLAIM;
}

static void check_read_unit(struct poller *poller, size_t u)
{
	const struct frame_unit *unit = &poller->frame.units[u];
	const size_t r = poller->units[u].activity;

	/* a unit that has rotated was checked before */
	if (unit->error || unit->rotated)
		return;
	/* a counter that went back was set back, has wrapped, or did not respond before */
	poller_check_unit(poller, u,
			  poller->times.check_due || poller->frame.raw[r] < poller->previous[r]);
	if (poller->times.check_due) {
		poller_look_at_unit(poller, u);
		check_range(poller, u);
	}
	if (poller->units[u].core)
		clear_overflow(poller, u);
}

void poller_check_domains(struct poller *poller, size_t first, size_t end)
{
	const uint64_t *raw = poller->frame.raw, *previous = poller->previous;
	const struct freeze_domain *domains = poller->plan->domains;
	const size_t units_end = domains[end - 1].first_unit + domains[end - 1].unit_count;

	for (size_t u = domains[first].first_unit; u < units_end; u++) {
		const struct unit_state *unit = &poller->units[u];

		/* most units count on, and there is nothing to be checked */
		if (raw[unit->activity] <= previous[unit->activity] || *unit->idle || unit->core ||
		    poller->times.check_due)
			check_read_unit(poller, u);
	}
}
