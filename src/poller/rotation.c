/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts rounds of events one after the other. */
#include "poller/poller_private.h"

#include "platform/clock.h"

void poller_use_round(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct round *round = poller_round(poller, u);
	const struct counter *counters = &poller->plan->counters[round->first_counter];
	struct unit_state *unit = &poller->units[u];

	unit->range = (struct read_range){pu->first_read, pu->first_read + round->counter_count};
	unit->activity = pu->first_read;
	unit->idle = &poller->idle[round - poller->plan->rounds];
	unit->core = unit_is_cpu(pu->unit);
	unit->no_wrap = pu->unit->pmu_type && pu->unit->pmu_type->no_wrap;
	for (size_t i = 0; i < round->counter_count; i++) {
		poller->reads[pu->first_read + i] =
			poller->counters[round->first_counter + i].handle;
		if (counters[unit->activity - pu->first_read].free_running)
			unit->activity = pu->first_read + i;
	}
	poller->frame.units[u].round = (uint16_t)poller->units[u].round;
}

void poller_find_ranges(struct poller *poller, size_t d)
{
	const struct freeze_domain *domain = &poller->plan->domains[d];
	struct domain_state *reads = &poller->domains[d];
	struct read_range *ranges = reads->ranges;

	reads->range_count = 0;
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct read_range range = poller->units[u].range;

		if (reads->range_count && ranges[reads->range_count - 1].end == range.first)
			ranges[reads->range_count - 1].end = range.end;
		else
			ranges[reads->range_count++] = range;
	}
}

unsigned poller_rotation_due(const struct poller *poller, enum read_reason reason)
{
	if (reason == READ_START || reason == READ_BETWEEN)
		return 0;
	return ROTATES_WITHIN | ROTATES_RECLAIM | (reason == READ_SAMPLE ? ROTATES_SAMPLE : 0) |
	       (poller->times.stagger_due ? ROTATES_STAGGERED : 0);
}

/* Returns true if a unit with several rounds rotates now. */
static bool is_due(const struct poller *poller, size_t u, unsigned rotation)
{
	const struct plan_unit *pu = &poller->plan->units[u];

	return pu->round_count > 1 &&
	       rotation & (pu->staggered ? ROTATES_STAGGERED : ROTATES_WITHIN);
}

void poller_check_before_rotation(struct poller *poller, size_t d, unsigned rotation)
{
	const struct freeze_domain *domain = &poller->plan->domains[d];

	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++)
		if (poller->times.check_due && is_due(poller, u, rotation))
			poller_check_controls(poller, u);
}

/*
 * Returns false for a unit that does not respond, which would not see the rotation, and for one
 * that another program has frozen or programmed.
 */
static bool can_rotate(struct poller *poller, size_t u)
{
	if (poller_unit_found_frozen(poller, u))
		return false;
	if (poller->units[u].rotate_err)
		return true;
	if (!poller_unit_answers(poller, u))
		return false;
	poller_check_unit(poller, u, false);
	return !poller->frame.units[u].clobbered;
}

/*
 * Keeps the values of a round's counters when it stops counting, for the round that uses them
 * next.
 */
static void keep_values(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	struct counter_state *counters = poller->counters;
	const struct round *round = poller_round(poller, u);

	for (size_t i = 0; i < round->counter_count; i++)
		for (size_t s = pu->first_counter; s < pu->first_counter + pu->counter_count; s++)
			if (counters[s].reg.address ==
			    counters[round->first_counter + i].reg.address)
				counters[s].kept = poller->frame.raw[pu->first_read + i];
}

/* Sets the kept values to 0, after programming has set all counters to 0. */
static void forget_values(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];

	for (size_t s = pu->first_counter; s < pu->first_counter + pu->counter_count; s++)
		poller->counters[s].kept = 0;
}

/* Returns by how much longer the time of some counter was uncertain than it usually is. */
static uint64_t read_start_once(struct poller *poller, size_t u, bool runs)
{
	struct domain_state *reads = &poller->domains[poller->plan->units[u].domain];
	struct platform *p = poller->platform;
	const size_t first_read = poller->plan->units[u].first_read;
	const struct unit *unit = poller->plan->units[u].unit;
	const struct round *round = poller_round(poller, u);
	uint64_t before = runs ? p->ops->clock->now(p) : 0, longest = 0;

	for (size_t i = 0; i < round->counter_count; i++) {
		const size_t s = round->first_counter + i;
		const struct counter_state *counter = &poller->counters[s];
		uint64_t *start = &poller->frame.start[first_read + i], value;

		*start = counter->kept;
		if ((runs || poller->plan->counters[s].free_running) &&
		    !reg_read(p, &counter->reg, &value, NULL) && !unit_no_response(unit, value))
			*start = value;
		if (!runs)
			continue;
		const uint64_t now = p->ops->clock->now(p);

		poller->frame.start_skew[first_read + i] = now - reads->frozen_at;
		longest = now - before > longest ? now - before : longest;
		before = now;
	}
	return runs ? poller_excess(&reads->usual_end_ns, longest) : 0;
}

/*
 * Reads the values with which the counters of a unit's new round begin. Running counters have
 * their own times.
 */
static void read_start(struct poller *poller, size_t u)
{
	struct domain_state *reads = &poller->domains[poller->plan->units[u].domain];
	uint64_t uncertain_ns = read_start_once(poller, u, !reads->freezes);

	for (unsigned i = 0; i < MOST_AGAIN && poller_held_up(poller, uncertain_ns); i++)
		uncertain_ns = read_start_once(poller, u, !reads->freezes);
	if (uncertain_ns > reads->begin_uncertain_ns)
		reads->begin_uncertain_ns = uncertain_ns;
}

/* Does the rotations that are pending. Returns 0 or a negative errno. */
static int catch_up(struct poller *poller, size_t u, struct error *err)
{
	struct unit_state *unit = &poller->units[u];

	if (!unit->pending)
		return 0;
	const size_t next = round_order_next(&poller->orders[u], poller->units[u].round,
					     poller->plan->units[u].round_count, unit->pending);
	const int rc = pmu_state_rotate(poller->pmu, u, next, err);
	unit->rotate_err = rc < 0 ? rc : 0;
	if (rc < 0)
		return rc;
	if (!rc)
		forget_values(poller, u);
	unit->pending = 0;
	return 0;
}

/* Programs the current round again, from 0. */
static int reprogram_unit(struct poller *poller, size_t u, struct error *err)
{
	const int rc = pmu_state_reclaim(poller->pmu, u, err);

	if (!rc)
		forget_values(poller, u);
	return rc;
}

/*
 * Takes back a unit that another program has reset. A unit that was also frozen by its own control
 * runs again.
 */
static int reclaim_unit(struct poller *poller, size_t u, struct error *err)
{
	const size_t domain = poller->plan->units[u].domain;

	poller->units[u].found_frozen = false;
	if (poller_is_frozen_alone(poller, domain))
		poller->domains[domain].found_frozen = false;
	const int rc = reprogram_unit(poller, u, err);
	return rc ? rc : catch_up(poller, u, err);
}

bool poller_rotates(struct poller *poller, size_t u, unsigned rotation)
{
	const struct plan_unit *pu = &poller->plan->units[u];

	if (!is_due(poller, u, rotation))
		return false;
	if (pu->staggered)
		return true;
	if (rotation & ROTATES_SAMPLE)
		return !round_order_end_sample(&poller->orders[u], pu->round_count);
	poller->orders[u].rotations++;
	return true;
}

/*
 * Programs a unit again that was reset, the next round of one that rotates, or the same round of
 * one whose counters must not wrap. A missed rotation is pending: staggered units must not end up
 * on the same round.
 */
static int change_unit(struct poller *poller, size_t u, unsigned rotation, struct error *err)
{
	struct unit_state *unit = &poller->units[u];
	const bool due = poller_rotates(poller, u, rotation), reclaims = unit->reclaim;
	int rc;

	if (due)
		unit->pending = unit->pending % poller->plan->units[u].round_count + 1;
	if (reclaims) {
		unit->reclaim = false;
		if (!poller_can_reclaim(poller, u))
			return 0; /* a program that has come since the check keeps the unit */
		rc = reclaim_unit(poller, u, err);
	} else if (due) {
		if (!can_rotate(poller, u))
			return 0;
		keep_values(poller, u);
		rc = catch_up(poller, u, err);
	} else if (unit->restart) {
		unit->restart = false;
		if (!can_rotate(poller, u))
			return 0;
		rc = reprogram_unit(poller, u, err);
	} else {
		return 0;
	}
	if (rc)
		return rc;
	read_start(poller, u);
	poller->frame.units[u].rotated = true;
	poller->frame.units[u].reclaimed |= reclaims;
	return 0;
}

int poller_rotate(struct poller *poller, size_t d, unsigned rotation, struct error *err)
{
	const struct freeze_domain *domain = &poller->plan->domains[d];
	struct domain_state *reads = &poller->domains[d];

	reads->rotation &= ~ROTATES_RECLAIM;
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const int rc = change_unit(poller, u, rotation, err);

		if (rc < 0) {
			reads->failed = true;
			return rc;
		}
	}
	return 0;
}
