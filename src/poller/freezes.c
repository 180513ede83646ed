/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether another program has frozen what is counted: counters that stand still look like those of
 * units without traffic. A domain's control is read before each freeze, as the end of that freeze
 * would hide it; the others are read whenever controls are compared.
 */
#include "plan/shared_freeze.h"
#include "poller/poller_private.h"

/* A clock that was not seen to tick is awaited for longer each time: see decoder.c, STANDS_NS. */
#define FIRST_WAIT_NS 1000
#define STANDS_NS     UINT64_C(50000000)

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

bool poller_is_frozen_alone(const struct poller *poller, size_t d)
{
	return poller->domains[d].freezes &&
	       !(poller->pmu->global_freeze && unit_is_uncore(first_unit(poller, d)));
}

bool poller_unit_found_frozen(const struct poller *poller, size_t u)
{
	return poller->units[u].found_frozen ||
	       poller->domains[poller->plan->units[u].domain].found_frozen;
}

void poller_look_at_unit(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];

	poller->units[u].found_frozen = !poller_is_frozen_alone(poller, pu->domain) &&
					unit_is_frozen(poller->platform, pu->unit);
}

/* Whether some register shows if units of the uncore of this socket are frozen together. */
static bool is_watched(const struct poller *poller, const struct unit *unit)
{
	const struct pmu_state *pr = poller->pmu;

	for (size_t i = 0; i < pr->freeze_count; i++)
		if (pr->freezes[i].readable && shared_freeze_covers(&pr->freezes[i], unit))
			return true;
	return pr->global_freeze;
}

/* The read of a unit's clock; SIZE_MAX: none, or the unit does not tell of its socket. */
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

/* Whether a clock of the socket has ticked since it was read, or in the interval before. */
static bool ticks(const struct poller *poller, const struct socket_job *job, bool before, bool *any)
{
	const struct freeze_domain *domains = poller->plan->domains;
	const size_t end = domains[job->end - 1].first_unit + domains[job->end - 1].unit_count;

	*any = false;
	for (size_t u = domains[job->first].first_unit; u < end; u++) {
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

/* What stood still before need not be awaited again. */
static bool clocks_stand(const struct poller *poller, const struct socket_job *job)
{
	struct platform *p = poller->platform;
	const uint64_t begin = p->ops->now(p);
	uint64_t wait = FIRST_WAIT_NS;
	int signal_number;
	sigset_t none;
	bool any;

	sigemptyset(&none);
	if (job->stands && !ticks(poller, job, true, &any) && any)
		return true;
	while (!ticks(poller, job, false, &any) && any) {
		if (p->ops->now(p) - begin >= STANDS_NS)
			return true;
		p->ops->sleep_until(p, p->ops->now(p) + wait, &none, &signal_number);
		wait *= 10;
	}
	return false;
}

void poller_look_at_clocks(struct poller *poller)
{
	for (size_t i = 0; i < poller->socket_count; i++)
		poller->sockets[i].stands = clocks_stand(poller, &poller->sockets[i]);
}

/* Whether a unit is frozen together with others of its socket or die. */
static enum frame_freeze find_shared_freeze(const struct poller *poller, size_t u)
{
	const struct pmu_state *pr = poller->pmu;
	const struct unit *unit = poller->plan->units[u].unit;

	for (size_t i = 0; i < pr->freeze_count; i++)
		if (pr->freezes[i].frozen && shared_freeze_covers(&pr->freezes[i], unit))
			return FRAME_FROZEN;
	for (size_t i = 0; i < poller->socket_count; i++)
		if (poller->sockets[i].stands && unit_is_uncore(unit) && unit_can_freeze(unit) &&
		    first_unit(poller, poller->sockets[i].first)->socket == unit->socket)
			return FRAME_CLOCKS_STAND;
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
