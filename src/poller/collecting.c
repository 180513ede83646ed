/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what was counted between two readings, and tells what is no number. */
#include <errno.h>
#include <string.h>

#include "poller/poller_parts.h"

bool poller_read_whole(const struct poller *poller, size_t u)
{
	const struct unit *unit = poller->plan->units[u].unit;
	const struct span span = poller->spans[u];

	for (size_t s = span.first; s < span.end; s++)
		if (poller->failures[s] || unit_unread(unit, poller->raw[s]))
			return false;
	return true;
}

void poller_explain_loss(const struct poller *poller, size_t u, enum loss loss,
			 struct error *trouble)
{
	const struct span span = poller->spans[u];
	char name[UNIT_NAME_SIZE];
	uint64_t ignored;

	unit_name(poller->plan->units[u].unit, name);
	if (loss == TAKEN) {
		error_set(
			trouble, EXIT_IN_USE, -EBUSY,
			"%s: another program has reset or programmed it; its values stay empty: stop that "
			"program and start cxlmon anew",
			name);
		return;
	}
	for (size_t s = span.first; s < span.end; s++) {
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
 * The usual case, in one pass: all was read, nothing went backwards and something moved. Whatever
 * else it may be is found out by the longer way.
 */
static bool is_plain(const struct poller *poller, struct span span)
{
	bool odd = false, moved = false;

	for (size_t s = span.first; s < span.end; s++) {
		const struct slot *slot = &poller->plan->slots[s];
		const uint64_t raw = poller->raw[s];
		const uint64_t delta = raw - poller->last[s];

		/* so are a counter that wrapped, and a half of ones */
		odd |= raw > poller->limits[s] || (uint32_t)raw == UINT32_MAX ||
		       delta > slot->mask / 2;
		moved |= delta && !slot->runs_free;
	}
	return moved && !odd;
}

/*
 * A delta of more than half a counter's range is no count but a counter that was set back; and
 * where nothing at all moves, somebody may have cleared the controls. Neither is taken for a
 * number. A unit that has come to rest is looked at at once, and then once a second.
 */
static enum loss find_loss(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct group *group = &poller->plan->groups[pu->first_group + pu->active];
	const struct span span = poller->spans[u];
	const bool was_idle = poller->idle[u];
	bool moved = false;

	if (!poller_read_whole(poller, u))
		return UNREAD;
	if (poller->taken[u])
		return TAKEN;
	for (size_t s = span.first; s < span.end; s++) {
		const uint64_t mask = poller->plan->slots[s].mask;
		const uint64_t delta = (poller->raw[s] - poller->last[s]) & mask;

		if (delta > mask / 2)
			return TAKEN;
		moved |= delta != 0 && !poller->plan->slots[s].runs_free;
	}
	/* after a turn the controls are those of the next group */
	if (moved || poller->turned[u])
		return NOT_LOST;
	if (was_idle && !poller->look_due)
		return NOT_LOST;
	poller->idle[u] = unit_holds(poller->platform, pu->unit, group->controls);
	return poller->idle[u] ? NOT_LOST : TAKEN;
}

static enum loss loss_of(struct poller *poller, size_t u)
{
	if (!poller->failed[u] && !poller->taken[u] && is_plain(poller, poller->spans[u])) {
		poller->idle[u] = false;
		return NOT_LOST;
	}
	return find_loss(poller, u);
}

static void add_counts(struct poller *poller, size_t u)
{
	const struct slot *slots = poller->plan->slots;
	const struct span span = poller->spans[u];
	const uint64_t ns = poller->uncollected[u];
	bool wrapped = false;

	for (size_t s = span.first; s < span.end; s++) {
		struct count *count = &poller->counting[slots[s].counts_as];
		const uint64_t later = poller->later[s] - poller->last_later[s];

		count->known = true;
		count->events += (poller->raw[s] - poller->last[s]) & slots[s].mask;
		count->counted_ns += ns + later;
		count->unit_ns += later;
		wrapped |= poller->raw[s] < poller->last[s];
	}
	if (wrapped)
		unit_wrapped(poller->platform, poller->plan->units[u].unit);
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

/* What a counter held that has not been set to 0: as just read, or else it stands still now. */
static uint64_t value_kept(const struct poller *poller, size_t s, struct span before)
{
	const struct slot *slots = poller->plan->slots;
	uint64_t value = 0;

	for (size_t b = before.first; b < before.end; b++)
		if (slots[b].counter.address == slots[s].counter.address)
			return poller->raw[b];
	reg_read(poller->platform, &slots[s].counter, &value, NULL);
	return value;
}

/* Another group counts from here. */
static void begin_group(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct group *next = &poller->plan->groups[pu->first_group + pu->active];
	const struct span before = poller->spans[u];
	const bool kept = poller->turned[u] == TURNED_AS_IS;

	poller->spans[u] = (struct span){next->first_slot, next->first_slot + next->slot_count};
	for (size_t s = next->first_slot; s < next->first_slot + next->slot_count; s++) {
		poller->last[s] = kept ? value_kept(poller, s, before) : starting_value(poller, s);
		poller->later[s] = 0;
		poller->last_later[s] = 0;
		poller->failures[s] = 0;
	}
	poller->failed[u] = false;
	poller->turned[u] = NOT_TURNED;
	poller->uncollected[u] = 0;
}

enum loss poller_collect(struct poller *poller, size_t u)
{
	const struct span span = poller->spans[u];
	const enum loss loss = loss_of(poller, u);

	if (loss == NOT_LOST)
		add_counts(poller, u);
	if (loss != UNREAD) {
		const size_t bytes = (span.end - span.first) * sizeof(uint64_t);

		memcpy(&poller->last[span.first], &poller->raw[span.first], bytes);
		memcpy(&poller->last_later[span.first], &poller->later[span.first], bytes);
		poller->uncollected[u] = 0;
	}
	if (poller->turned[u])
		begin_group(poller, u);
	return loss;
}

void poller_take_counts(struct poller *poller)
{
	const struct plan *plan = poller->plan;

	for (size_t s = 0; s < plan->slot_count; s++) {
		poller->counts[s] = poller->counting[s];
		poller->counts[s].unit_ns += poller->unit_ns[plan->slots[s].unit];
		poller->counting[s] = (struct count){0};
	}
	memset(poller->unit_ns, 0, plan->unit_count * sizeof(*poller->unit_ns));
}

void poller_return_counts(struct poller *poller, const struct count *counts)
{
	const struct plan *plan = poller->plan;

	for (size_t s = 0; s < plan->slot_count; s++) {
		const size_t first = plan->units[plan->slots[s].unit].first_slot;

		poller->counting[s].events += counts[s].events;
		poller->counting[s].counted_ns += counts[s].counted_ns;
		poller->counting[s].unit_ns += counts[s].unit_ns - counts[first].unit_ns;
		poller->counting[s].known |= counts[s].known;
	}
	for (size_t u = 0; u < plan->unit_count; u++)
		poller->unit_ns[u] += counts[plan->units[u].first_slot].unit_ns;
}

void poller_prepare(struct poller *poller)
{
	const struct plan *plan = poller->plan;

	for (size_t s = 0; s < plan->slot_count; s++)
		reg_prepare(poller->platform, &plan->slots[s].counter, &poller->counters[s]);
	for (size_t d = 0; d < plan->domain_count; d++)
		reg_prepare(poller->platform, &plan->domains[d].freeze, &poller->gates[d]);
}

static void begin_unit(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct group *group = &poller->plan->groups[pu->first_group + pu->active];

	poller->spans[u] = (struct span){group->first_slot, group->first_slot + group->slot_count};
	poller->uncollected[u] = 0;
	poller->unturned[u] = 0;
	poller->turned[u] = NOT_TURNED;
	poller->failed[u] = false;
	poller->idle[u] = false;
}

static void begin_slot(struct poller *poller, size_t s)
{
	const uint64_t mask = poller->plan->slots[s].mask;

	poller->last[s] = starting_value(poller, s);
	poller->later[s] = 0;
	poller->last_later[s] = 0;
	poller->failures[s] = 0;
	poller->limits[s] = mask >> 32 == UINT32_MAX ? UINT64_MAX - UINT32_MAX - 1 : mask;
	poller->counting[s] = (struct count){0};
}

void poller_begin_counting(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const uint64_t now = poller->platform->ops->now(poller->platform);

	poller_prepare(poller);
	for (size_t d = 0; d < plan->domain_count; d++) {
		const struct domain *domain = &plan->domains[d];

		poller->stops[d] = (struct stops){.stopped = now, .resumed = now};
		poller->may_turn[d] = false;
		for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count;
		     u++)
			poller->may_turn[d] |= plan->units[u].group_count > 1;
	}
	for (size_t u = 0; u < plan->unit_count; u++)
		begin_unit(poller, u);
	for (size_t s = 0; s < plan->slot_count; s++)
		begin_slot(poller, s);
}
