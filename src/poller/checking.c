/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that the sampling thread makes besides reading counters: controls still hold our values,
 * and no other program has frozen a counted unit. Frozen counters look like those of units without
 * traffic. A domain's control is read before each freeze, because the end of that freeze would
 * hide it; the others are read whenever controls are compared.
 */
#include "poller/poller_private.h"

#include "platform/clock.h"
#include "poller/pmu_state_private.h"

/*
 * A clock that was not seen to tick is awaited for longer each time: CLOCK_STOPPED_NS in
 * decoder.c.
 */
#define FIRST_WAIT_NS	 1000
#define CLOCK_STOPPED_NS UINT64_C(50000000)

/* The units of a socket, as a range. */
static size_t first_of(const struct poller *poller, const struct socket_job *job)
{
	return poller->plan->domains[job->first].first_unit;
}

static size_t end_of(const struct poller *poller, const struct socket_job *job)
{
	const struct freeze_domain *last = &poller->plan->domains[job->end - 1];

	return last->first_unit + last->unit_count;
}

static const struct unit *first_unit(const struct poller *poller, size_t d)
{
	return poller->plan->units[poller->plan->domains[d].first_unit].unit;
}

__attribute__((noinline)) static bool stays_frozen(const struct poller *poller, size_t d,
						   uint64_t value)
{
	const struct domain_state *domain = &poller->domains[d];

	return freeze_control_stops(&domain->control, value) &&
	       (domain->found_frozen ||
		foreign_freeze_stays(poller->platform, &domain->control, &value));
}

bool poller_found_frozen(struct poller *poller, size_t d)
{
	const struct domain_state *domain = &poller->domains[d];
	const struct freeze_control *control = &domain->control;
	uint64_t value = control->start;
	int failure = 0;

	if (!domain->freezes || domain->holds)
		return false;
	reg_read_all(poller->platform, &domain->handle, 1, &value, &failure);
	return !failure && (value ^ control->start) & (control->stop ^ control->start) &&
	       stays_frozen(poller, d, value);
}

bool poller_unit_found_frozen(const struct poller *poller, size_t u)
{
	return poller->units[u].found_frozen ||
	       poller->domains[poller->plan->units[u].domain].found_frozen;
}

/* Returns true if a register shows when units of the uncore of this socket are frozen together. */
static bool is_watched(const struct poller *poller, const struct unit *unit)
{
	const struct pmu_state *pmu = poller->pmu;

	for (size_t i = 0; i < pmu->freeze_count; i++)
		if (pmu->freezes[i].readable && shared_freeze_covers(&pmu->freezes[i], unit))
			return true;
	return pmu->global_freeze;
}

void poller_find_clocks(struct poller *poller)
{
	for (size_t i = 0; i < poller->socket_count; i++) {
		struct socket_job *job = &poller->sockets[i];

		job->shows_freeze = true;
		for (size_t u = first_of(poller, job); u < end_of(poller, job); u++) {
			const struct unit *unit = poller->plan->units[u].unit;

			job->shows_freeze &= !unit_is_uncore(unit) || !unit_can_freeze(unit) ||
					     is_watched(poller, unit);
		}
	}
}

/*
 * Returns the read of a unit's clock; SIZE_MAX: it has none, or its clock says nothing about its
 * socket.
 */
static size_t clock_read(const struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct round *round = poller_round(poller, u);

	if (!unit_is_uncore(pu->unit) || !unit_can_freeze(pu->unit) ||
	    round->clock_counter == PLAN_NO_CLOCK || is_watched(poller, pu->unit) ||
	    poller->frame.units[u].rotated || poller->frame.units[u].clobbered ||
	    poller_unit_found_frozen(poller, u) || poller->frame.units[u].error)
		return SIZE_MAX;
	const size_t r = pu->first_read + round->clock_counter - round->first_counter;
	return unit_no_response(pu->unit, poller->frame.raw[r]) ? SIZE_MAX : r;
}

/* Returns true if a clock of the socket has ticked since it was read, or in the interval before. */
static bool fixed_counter_ticks(const struct poller *poller, const struct socket_job *job,
				bool before, bool *any)
{
	*any = false;
	for (size_t u = first_of(poller, job); u < end_of(poller, job); u++) {
		const size_t r = clock_read(poller, u);
		uint64_t value = before && r < SIZE_MAX ? poller->previous[r] : 0;
		int failure = 0;

		if (r == SIZE_MAX)
			continue;
		if (!before)
			reg_read_all(poller->platform, &poller->reads[r], 1, &value, &failure);
		*any = true;
		if (!failure && value != poller->frame.raw[r])
			return true;
	}
	return false;
}

/* Waits for a clock to tick, except if all clocks already stood still in the interval before. */
static bool clock_stopped(const struct poller *poller, const struct socket_job *job)
{
	struct platform *p = poller->platform;
	const uint64_t end = p->ops->clock->now(p) + CLOCK_STOPPED_NS;
	uint64_t wait = FIRST_WAIT_NS;
	int signal_number;
	sigset_t none;
	bool any;

	sigemptyset(&none);
	if (job->clock_stopped && !fixed_counter_ticks(poller, job, true, &any) && any)
		return true;
	while (!fixed_counter_ticks(poller, job, false, &any) && any) {
		const uint64_t now = p->ops->clock->now(p);

		if (now >= end)
			return true;
		p->ops->clock->sleep_until(p, now + wait < end ? now + wait : end, &none,
					   &signal_number);
		wait *= 10;
	}
	return false;
}

bool poller_check_clocks(struct poller *poller)
{
	bool any = false;

	for (size_t i = 0; i < poller->socket_count; i++) {
		struct socket_job *job = &poller->sockets[i];

		if (job->shows_freeze)
			continue;
		job->clock_stopped = clock_stopped(poller, job);
		any |= job->clock_stopped;
	}
	return any;
}

/* Finds out if a unit is frozen together with others of its socket or die. */
static enum frame_freeze find_shared_freeze(const struct poller *poller, size_t u)
{
	const struct pmu_state *pmu = poller->pmu;
	const struct unit *unit = poller->plan->units[u].unit;

	for (size_t i = 0; i < pmu->freeze_count; i++)
		if (pmu->freezes[i].frozen && shared_freeze_covers(&pmu->freezes[i], unit))
			return FRAME_FROZEN;
	for (size_t i = 0; i < poller->socket_count; i++)
		if (poller->sockets[i].clock_stopped && unit_is_uncore(unit) &&
		    unit_can_freeze(unit) &&
		    first_unit(poller, poller->sockets[i].first)->socket == unit->socket)
			return FRAME_CLOCK_STOPPED;
	return FRAME_RUNS;
}

void poller_mark_frozen(struct poller *poller)
{
	poller->any_frozen = false;
	for (size_t u = 0; u < poller->plan->unit_count; u++) {
		struct frame_unit *unit = &poller->frame.units[u];

		unit->freeze = poller_unit_found_frozen(poller, u) ? FRAME_FROZEN
								   : find_shared_freeze(poller, u);
		poller->any_frozen |= unit->freeze != FRAME_RUNS;
	}
}

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

static void note_changes(struct poller *poller, size_t u)
{
	struct unit_state *unit = &poller->units[u];
	const bool changed = poller_controls_changed(poller, u);

	poller->frame.units[u].clobbered = changed;
	unit->reclaim = changed && poller_can_reclaim(poller, u);
	if (unit->reclaim)
		poller->domains[poller->plan->units[u].domain].rotation |= ROTATES_RECLAIM;
}

void poller_check_controls(struct poller *poller, size_t u)
{
	poller_read_controls(poller, u, u + 1);
	poller->units[u].found_frozen = poller_control_freezes(poller, u);
	if (!poller->units[u].rotate_err)
		note_changes(poller, u);
}

/*
 * Returns true if a counter that programming set to 0 has moved; checks the last one that did
 * first.
 */
static bool counter_moves(struct poller *poller, size_t u)
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

void poller_check_unit(struct poller *poller, size_t u, bool suspicious)
{
	const bool clobbered = poller->frame.units[u].clobbered;
	bool *idle = poller->units[u].idle;
	const bool rests = !counter_moves(poller, u);

	if ((suspicious || (rests && !*idle && !clobbered)) && !poller->units[u].rotate_err &&
	    poller_unit_answers(poller, u)) {
		poller_read_unit_controls(poller, u);
		note_changes(poller, u);
	}
	*idle = rests && !poller->frame.units[u].clobbered;
}

/*
 * Clears the overflow bits of a unit of which a counter has wrapped: one wrap is in the delta
 * already.
 */
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

/*
 * Marks a unit for a restart if a counter is in the second half of its range, as the kernel
 * does.
 */
static void check_range(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct read_range range = poller->units[u].range;
	const struct counter *counters =
		&poller->plan->counters[poller_round(poller, u)->first_counter];

	for (size_t r = range.first; r < range.end; r++)
		poller->units[u].restart |= !counters[r - range.first].free_running &&
					    poller->frame.raw[r] >> (pu->unit->width - 1);
	if (poller->units[u].restart)
		poller->domains[pu->domain].rotation |= ROTATES_RECLAIM;
}

/* Returns true if a unit was read and not checked yet: one that has rotated was checked before. */
static bool was_read(const struct poller *poller, size_t u)
{
	return !poller->frame.units[u].error && !poller->frame.units[u].rotated;
}

/* Checks a unit whose controls were just read. */
static void check_due_unit(struct poller *poller, size_t u)
{
	struct unit_state *unit = &poller->units[u];

	if (!unit->rotate_err && poller_unit_answers(poller, u))
		note_changes(poller, u);
	unit->found_frozen = poller_control_freezes(poller, u);
	*unit->idle = !counter_moves(poller, u) && !poller->frame.units[u].clobbered;
	if (unit->no_wrap)
		check_range(poller, u);
	if (unit->core)
		clear_overflow(poller, u);
}

/* Returns true if nothing is to be done about a unit whose controls hold their values. */
static bool goes_on(const struct poller *poller, size_t u)
{
	const struct unit_state *unit = &poller->units[u];
	const size_t r = unit->activity;

	return poller->frame.raw[r] != poller->previous[r] && !*unit->idle && !unit->core &&
	       !unit->no_wrap && !unit->found_frozen && !poller->frame.units[u].clobbered;
}

/* Reads the controls of consecutive units at once. */
static void check_due_units(struct socket_job *job, size_t first, size_t end)
{
	struct poller *poller = job->poller;

	for (size_t u = first, next; u < end; u = next) {
		for (next = u; next < end && was_read(poller, next); next++)
			;
		const bool hold = next == u || poller_read_controls(poller, u, next);
		for (; u < next; u++)
			if (!hold || !goes_on(poller, u)) {
				check_due_unit(poller, u);
				job->found_frozen |= poller->units[u].found_frozen;
			}
		/* units that were not read */
		for (; next < end && !was_read(poller, next); next++)
			job->found_frozen |= poller->units[next].found_frozen;
	}
}

static void check_read_unit(struct poller *poller, size_t u)
{
	const size_t r = poller->units[u].activity;

	if (!was_read(poller, u))
		return;
	/* a counter that went back was set back, has wrapped, or did not respond before */
	poller_check_unit(poller, u, poller->frame.raw[r] < poller->previous[r]);
	if (poller->units[u].core)
		clear_overflow(poller, u);
}

void poller_check_domains(struct socket_job *job)
{
	struct poller *poller = job->poller;
	const uint64_t *raw = poller->frame.raw, *previous = poller->previous;
	const size_t first = first_of(poller, job), end = end_of(poller, job);

	if (poller->times.check_due) {
		check_due_units(job, first, end);
		return;
	}
	for (size_t u = first; u < end; u++) {
		const struct unit_state *unit = &poller->units[u];

		/* most units count on, and there is nothing to be checked */
		if (raw[unit->activity] <= previous[unit->activity] || *unit->idle || unit->core)
			check_read_unit(poller, u);
	}
}
