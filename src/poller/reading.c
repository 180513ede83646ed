/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops, reads and starts units, lets groups take turns, and tells what is no number. */
#include <errno.h>
#include <string.h>

#include "poller/poller_parts.h"

static const struct group *group_of(const struct poller *poller, size_t u)
{
	return &poller->plan->groups[poller->plan->units[u].first_group + poller->was_active[u]];
}

/* A unit is read whole or not at all: half of it would be a ratio of two intervals. */
static bool read_whole(const struct poller *poller, size_t u)
{
	const struct unit *unit = poller->plan->units[u].unit;
	const struct group *group = group_of(poller, u);

	for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++)
		if (poller->failures[s] || unit_unread(unit, poller->raw[s]))
			return false;
	return true;
}

/*
 * A slot that can't be read doesn't end the walk. What a unit holds after a turn that failed is not
 * what it has counted.
 */
static void read_unit(struct poller *poller, size_t u)
{
	const struct group *group = group_of(poller, u);

	for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++) {
		poller->failures[s] = reg_read(poller->platform, &poller->plan->slots[s].counter,
					       &poller->raw[s], NULL);
		if (poller->unturned[u])
			poller->failures[s] = poller->unturned[u];
	}
}

/* Spread units turn with each sample, others within; what has one group never does. */
static bool may_turn(const struct poller *poller, size_t u, enum occasion occasion)
{
	const struct plan_unit *pu = &poller->plan->units[u];

	return occasion != AT_START && pu->group_count > 1 &&
	       (!pu->spread || occasion == AT_SAMPLE);
}

/* A turn would write over what another program has put there, and hide that it did. */
static void look_before(struct poller *poller, const struct domain *domain, enum occasion occasion)
{
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		poller->was_active[u] = poller->plan->units[u].active;
		poller->taken[u] = !poller->unturned[u] && may_turn(poller, u, occasion) &&
				   !unit_holds(poller->platform, poller->plan->units[u].unit,
					       group_of(poller, u)->controls);
	}
}

/* Nor does a unit turn that doesn't answer, as it would not hear of it. */
static bool turns(const struct poller *poller, size_t u, enum occasion occasion)
{
	return may_turn(poller, u, occasion) && !poller->taken[u] &&
	       (poller->unturned[u] || read_whole(poller, u));
}

/* Stops a domain, reads its units, lets the next groups count, starts it. */
static int walk_domain(struct poller *poller, struct domain *domain, struct stops *stops,
		       enum occasion occasion, struct error *err)
{
	struct platform *p = poller->platform;
	const size_t end = domain->first_unit + domain->unit_count;
	int rc;

	look_before(poller, domain, occasion);
	rc = domain->freezes ? reg_write(p, &domain->freeze, domain->stop, err) : 0;
	stops->stopped = p->ops->now(p);
	stops->resumed = stops->stopped;
	for (size_t u = domain->first_unit; !rc && u < end; u++) {
		read_unit(poller, u);
		if (turns(poller, u, occasion)) {
			rc = plan_turn(poller->plan, &poller->plan->units[u], domain, err);
			poller->unturned[u] = rc;
			stops->resumed = p->ops->now(p);
		}
	}
	if (domain->freezes && !rc) {
		rc = reg_write(p, &domain->freeze, domain->start, err);
		stops->resumed = p->ops->now(p);
	}
	return rc;
}

static bool is_offline(int rc)
{
	return rc == -ENXIO || rc == -ENOENT;
}

/* Whether the CPU through which the domain's MSRs are reached has gone. */
static bool lost_its_cpu(const struct poller *poller, const struct domain *domain, int rc)
{
	const size_t end = domain->first_unit + domain->unit_count;

	if (rc)
		return domain->freeze.space == REG_MSR && is_offline(rc);
	for (size_t u = domain->first_unit; u < end; u++) {
		const struct slot *slot = &poller->plan->slots[group_of(poller, u)->first_slot];

		if (slot->counter.space == REG_MSR &&
		    is_offline(poller->failures[slot - poller->plan->slots]))
			return true;
	}
	return false;
}

/* A CPU that goes offline takes its own counters along, and nobody else's. */
static int read_domain(struct poller *poller, struct domain *domain, struct stops *stops,
		       enum occasion occasion, struct error *err)
{
	const size_t u = domain->first_unit;
	const struct unit *unit = poller->plan->units[u].unit;
	int rc = walk_domain(poller, domain, stops, occasion, err);

	if (!unit->core && lost_its_cpu(poller, domain, rc) &&
	    !plan_reroute(poller->plan, unit->socket, NULL))
		rc = walk_domain(poller, domain, stops, occasion, err);
	if (!rc || !poller->plan->units[u].unit->core)
		return rc;
	const struct group *group = group_of(poller, u);
	for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++)
		poller->failures[s] = rc;
	return 0;
}

/* Why a unit has nothing to say this time. */
enum loss {
	NOT_LOST,
	UNREAD,
	TAKEN,
};

static void explain_loss(const struct poller *poller, size_t u, enum loss loss,
			 struct error *trouble)
{
	const struct unit *unit = poller->plan->units[u].unit;
	const struct group *group = group_of(poller, u);
	char name[UNIT_NAME_SIZE];
	uint64_t ignored;

	unit_name(unit, name);
	if (loss == TAKEN) {
		error_set(
			trouble, EXIT_IN_USE, -EBUSY,
			"%s: another program has reset or programmed it; its values stay empty: stop that "
			"program and start cxlmon anew",
			name);
		return;
	}
	for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++) {
		if (!poller->failures[s])
			continue;
		/* once more, for the sentence; it may have been a passing fault */
		if (!reg_read(poller->platform, &poller->plan->slots[s].counter, &ignored, trouble))
			error_set(trouble, EXIT_FAILED, poller->failures[s],
				  "%s: a counter could not be read: %s", name,
				  strerror(-poller->failures[s]));
		return;
	}
	error_set(trouble, EXIT_FAILED, -ENXIO, "%s: a counter read as all ones, which is no count",
		  name);
}

/*
 * A delta of more than half a counter's range is no count but a counter that was set back; and
 * where nothing at all moves, somebody may have cleared the controls. Neither is taken for a
 * number.
 */
static enum loss find_loss(const struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct group *group = group_of(poller, u);
	bool moved = false;

	if (!read_whole(poller, u))
		return UNREAD;
	if (poller->taken[u])
		return TAKEN;
	for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++) {
		const uint64_t mask = poller->plan->slots[s].mask;
		const uint64_t delta = (poller->raw[s] - poller->last[s]) & mask;

		if (delta > mask / 2)
			return TAKEN;
		moved |= delta != 0 && !poller->plan->slots[s].runs_free;
	}
	/* after a turn the controls are those of the next group */
	if (moved || pu->active != poller->was_active[u])
		return NOT_LOST;
	return unit_holds(poller->platform, pu->unit, group->controls) ? NOT_LOST : TAKEN;
}

/* Programming sets a counter to 0, unless it is one that always runs. */
static uint64_t starting_value(const struct poller *poller, size_t s)
{
	const struct slot *slot = &poller->plan->slots[s];
	uint64_t value = 0;

	if (slot->runs_free)
		reg_read(poller->platform, &slot->counter, &value, NULL);
	return value;
}

/* Adds what a unit has counted since it was last read whole. */
static enum loss collect_unit(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct group *group = group_of(poller, u);
	const enum loss loss = find_loss(poller, u);
	bool wrapped = false;

	for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++) {
		struct count *count = &poller->counting[poller->plan->slots[s].counts_as];

		if (loss == NOT_LOST) {
			count->known = true;
			count->events +=
				(poller->raw[s] - poller->last[s]) & poller->plan->slots[s].mask;
			count->counted_ns += poller->uncollected[u];
			wrapped |= poller->raw[s] < poller->last[s];
		}
		if (loss != UNREAD)
			poller->last[s] = poller->raw[s];
	}
	if (wrapped)
		unit_wrapped(poller->platform, pu->unit);
	if (loss != UNREAD)
		poller->uncollected[u] = 0;
	if (pu->active == poller->was_active[u])
		return loss;

	/* another group counts from here */
	const struct group *next = &poller->plan->groups[pu->first_group + pu->active];
	for (size_t s = next->first_slot; s < next->first_slot + next->slot_count; s++)
		poller->last[s] = starting_value(poller, s);
	poller->uncollected[u] = 0;
	return loss;
}

int poller_read_all(struct poller *poller, enum occasion occasion, struct sample *out,
		    struct error *trouble, struct error *err)
{
	const struct plan *plan = poller->plan;
	uint64_t longest = 0;

	for (size_t d = 0; d < plan->domain_count; d++) {
		struct domain *domain = &plan->domains[d];
		struct stops *stops = &poller->stops[d];
		const uint64_t since = stops->resumed;
		int rc = read_domain(poller, domain, stops, occasion, err);
		if (rc)
			return rc;

		if (stops->resumed - stops->stopped > longest)
			longest = stops->resumed - stops->stopped;
		for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count;
		     u++) {
			poller->uncollected[u] += stops->stopped - since;
			poller->unit_ns[u] += stops->stopped - since;
			const enum loss loss = collect_unit(poller, u);
			if (loss == NOT_LOST || occasion == AT_START)
				continue;
			out->lost_units++;
			if (!trouble->code)
				explain_loss(poller, u, loss, trouble);
		}
	}
	out->frozen_ns += longest;
	return 0;
}

void poller_take_counts(struct poller *poller)
{
	const struct plan *plan = poller->plan;

	for (size_t s = 0; s < plan->slot_count; s++) {
		poller->counts[s] = poller->counting[s];
		poller->counts[s].unit_ns = poller->unit_ns[plan->slots[s].unit];
		poller->counting[s] = (struct count){0};
	}
	memset(poller->unit_ns, 0, plan->unit_count * sizeof(*poller->unit_ns));
}

void poller_begin_counting(struct poller *poller)
{
	const uint64_t now = poller->platform->ops->now(poller->platform);

	for (size_t d = 0; d < poller->plan->domain_count; d++)
		poller->stops[d] = (struct stops){.stopped = now, .resumed = now};
	memset(poller->uncollected, 0, poller->plan->unit_count * sizeof(*poller->uncollected));
	memset(poller->unturned, 0, poller->plan->unit_count * sizeof(*poller->unturned));
	for (size_t s = 0; s < poller->plan->slot_count; s++) {
		poller->last[s] = starting_value(poller, s);
		poller->counting[s] = (struct count){0};
	}
}
