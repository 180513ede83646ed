/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what was counted between two readings, and tells what is no number. */
#include <errno.h>
#include <string.h>

#include "poller/poller_parts.h"

/* Why a unit has nothing to say this time. */
enum loss {
	NOT_LOST,
	UNREAD,
	TAKEN,
};

bool poller_read_whole(const struct poller *poller, size_t u)
{
	const struct unit *unit = poller->plan->units[u].unit;
	const struct span span = poller->spans[u];

	for (size_t s = span.first; s < span.end; s++)
		if (poller->failures[s] || unit_no_response(unit, poller->raw[s]))
			return false;
	return true;
}

static void explain_loss(const struct poller *poller, size_t u, enum loss loss,
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
		if (!reg_read(poller->platform, poller->reads[s].reg, &ignored, trouble))
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
 * number. A unit that has come to rest is looked at at once, and then once a second; one that was
 * programmed a reading ago was looked at then.
 */
static enum loss find_loss(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct group *group = &poller->plan->groups[pu->first_group + pu->active];
	const struct span span = poller->spans[u];
	const bool was_idle = poller->idle[u];
	uint64_t moved = 0;

	poller->idle[u] = false;
	if (!poller_read_whole(poller, u))
		return UNREAD;
	if (poller->taken[u])
		return TAKEN;
	for (size_t s = span.first; s < span.end; s++) {
		const struct tally *tally = &poller->tallies[s];
		const uint64_t delta = (poller->raw[s] - poller->last[s]) & tally->mask;

		if (delta > tally->mask / 2)
			return TAKEN;
		moved |= delta & tally->moves;
	}
	/* after a turn the controls are those of the next group */
	if (moved || poller->turned[u])
		return NOT_LOST;
	poller->idle[u] = (was_idle && !poller->look_due) ||
			  unit_controls_intact(poller->platform, pu->unit, group->controls);
	poller->movers[u] = poller->plan->place_count;
	return poller->idle[u] ? NOT_LOST : TAKEN;
}

static void add_counts(struct poller *poller, size_t u)
{
	const struct span span = poller->spans[u];
	bool wrapped = false;

	for (size_t s = span.first; s < span.end; s++) {
		const struct tally *tally = &poller->tallies[s];
		struct count *count = &poller->counting[tally->counts_as];
		const uint64_t later = poller->later[s] - poller->last_later[s];

		count->known = true;
		count->events += (poller->raw[s] - poller->last[s]) & tally->mask;
		count->counted_ns += poller->uncollected[u] + later;
		count->unit_ns += later;
		wrapped |= poller->raw[s] < poller->last[s];
	}
	if (wrapped)
		unit_clear_overflow(poller->platform, poller->plan->units[u].unit);
}

/* Programming sets a counter to 0, unless it is one that always runs. */
static uint64_t starting_value(const struct poller *poller, const struct slot *slot)
{
	uint64_t value = 0;

	if (slot->free_running)
		reg_read(poller->platform, &slot->counter, &value, NULL);
	return value;
}

/* What a counter held that has not been set to 0: as just read, or else it stands still now. */
static uint64_t value_kept(const struct poller *poller, const struct slot *slot,
			   const struct group *before, size_t first_place)
{
	const struct slot *slots = poller->plan->slots;
	uint64_t value = 0;

	for (size_t i = 0; i < before->slot_count; i++)
		if (slots[before->first_slot + i].counter.address == slot->counter.address)
			return poller->raw[first_place + i];
	reg_read(poller->platform, &slot->counter, &value, NULL);
	return value;
}

/* A slot of the group that counts from here on is read to the place. */
static void take_place(struct poller *poller, size_t place, size_t s, uint64_t from)
{
	const struct slot *slot = &poller->plan->slots[s];

	poller->reads[place] = poller->counters[s];
	poller->tallies[place] = (struct tally){
		.slot = s,
		.counts_as = slot->counts_as,
		.mask = slot->mask,
		.moves = slot->free_running ? 0 : slot->mask,
	};
	poller->last[place] = from;
	poller->later[place] = 0;
	poller->last_later[place] = 0;
	poller->failures[place] = 0;
}

/* Another group counts from here: from what its counters hold, where before is not NULL. */
static void begin_group(struct poller *poller, size_t u, const struct group *before)
{
	const struct plan *plan = poller->plan;
	const struct plan_unit *pu = &plan->units[u];
	const struct group *group = &plan->groups[pu->first_group + pu->active];
	const size_t first = pu->first_place, end = first + group->slot_count;

	for (size_t place = first; place < end; place++) {
		const size_t s = group->first_slot + (place - first);
		const struct slot *slot = &plan->slots[s];

		take_place(poller, place, s,
			   before ? value_kept(poller, slot, before, first)
				  : starting_value(poller, slot));
	}
	/* what a smaller group leaves is nobody's */
	for (size_t place = end; place < first + pu->place_count; place++)
		poller->raw[place] = poller->last[place] = 0;
	poller->spans[u] = (struct span){first, end};
	poller->groups[u] = (uint32_t)pu->active;
	poller->failed[u] = false;
	poller->idle[u] = true;
	poller->movers[u] = plan->place_count;
	poller->turned[u] = NOT_TURNED;
	poller->uncollected[u] = 0;
}

static void begin_next_group(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	const struct group *before = &poller->plan->groups[pu->first_group + poller->groups[u]];

	begin_group(poller, u, poller->turned[u] == TURNED_AS_IS ? before : NULL);
}

static void settle(struct poller *poller, size_t u, enum loss loss)
{
	const struct span span = poller->spans[u];

	if (loss == UNREAD)
		return;
	if (loss == NOT_LOST)
		add_counts(poller, u);
	for (size_t s = span.first; s < span.end; s++) {
		poller->last[s] = poller->raw[s];
		poller->last_later[s] = poller->later[s];
	}
}

static enum loss collect_unit(struct poller *poller, size_t u)
{
	const enum loss loss = find_loss(poller, u);

	settle(poller, u, loss);
	if (loss != UNREAD)
		poller->uncollected[u] = 0;
	return loss;
}

static void collect_domain(struct poller *poller, size_t d, enum occasion occasion,
			   struct sample *out, struct error *trouble)
{
	const struct domain *domain = &poller->plan->domains[d];
	bool turned = false;

	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		poller->uncollected[u] += poller->ns[d];
		poller->unit_ns[u] += poller->ns[d];
		const enum loss loss = collect_unit(poller, u);
		if (loss != NOT_LOST && occasion != AT_START) {
			out->lost_units++;
			if (!trouble->code)
				explain_loss(poller, u, loss, trouble);
		}
		if (poller->turned[u]) {
			begin_next_group(poller, u);
			turned = true;
		}
	}
	if (turned)
		poller_find_stretches(poller, d);
}

void poller_collect(struct poller *poller, enum occasion occasion, struct sample *out,
		    struct error *trouble)
{
	for (size_t d = 0; d < poller->plan->domain_count; d++)
		collect_domain(poller, d, occasion, out, trouble);
	poller->settled = false;
}

/* Of a unit that is, the next reading counts what it has counted from this one on. */
static bool is_settled(const struct poller *poller, size_t u)
{
	return !poller->uncollected[u] && !poller->failed[u] && !poller->taken[u] &&
	       !poller->unturned[u];
}

void poller_take_counts(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	struct count *counts = poller->counting;

	poller->counting = poller->counts;
	poller->counts = counts;
	memset(poller->counting, 0, plan->slot_count * sizeof(*poller->counting));
	poller->settled = true;
	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];
		const uint64_t ns = poller->unit_ns[u];

		for (size_t s = pu->first_slot; s < pu->first_slot + pu->slot_count; s++)
			counts[s].unit_ns += ns;
		poller->unit_ns[u] = 0;
		poller->settled &= is_settled(poller, u);
	}
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
	poller->settled = false;
}

void poller_prepare(struct poller *poller)
{
	const struct plan *plan = poller->plan;

	for (size_t s = 0; s < plan->slot_count; s++)
		reg_prepare(poller->platform, &plan->slots[s].counter, &poller->counters[s]);
	for (size_t d = 0; d < plan->domain_count; d++)
		reg_prepare(poller->platform, &plan->domains[d].freeze, &poller->walks[d].gate);
	for (size_t u = 0; u < plan->unit_count; u++)
		for (size_t p = poller->spans[u].first; p < poller->spans[u].end; p++)
			poller->reads[p] = poller->counters[poller->tallies[p].slot];
}

void poller_find_stretches(struct poller *poller, size_t d)
{
	const struct domain *domain = &poller->plan->domains[d];
	struct walk *walk = &poller->walks[d];
	struct span *stretch = &poller->stretches[walk->first];

	walk->count = 0;
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct span span = poller->spans[u];

		if (walk->count && stretch[walk->count - 1].end == span.first)
			stretch[walk->count - 1].end = span.end;
		else
			stretch[walk->count++] = span;
	}
	walk->simple = domain->freezes && !walk->within && walk->count == 1;
}

static void begin_domain(struct poller *poller, size_t d)
{
	const struct domain *domain = &poller->plan->domains[d];
	struct walk *walk = &poller->walks[d];

	poller->freezes &= domain->freezes;
	walk->within = false;
	walk->between = false;
	walk->failed = false;
	walk->first = domain->first_unit;
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct plan_unit *pu = &poller->plan->units[u];

		walk->within |= pu->group_count > 1 && !pu->spread;
		walk->between |= pu->group_count > 1 && pu->spread;
		poller->taken[u] = false;
		poller->unturned[u] = 0;
		begin_group(poller, u, NULL);
	}
	poller->turns_within |= walk->within;
	poller_find_stretches(poller, d);
}

void poller_begin_counting(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const uint64_t now = poller->platform->ops->now(poller->platform);

	for (size_t u = 0; u < plan->unit_count; u++)
		poller->spans[u] = (struct span){0, 0};
	poller_prepare(poller);
	memset(poller->counting, 0, plan->slot_count * sizeof(*poller->counting));
	poller->odd = 0;
	poller->whole = true;
	for (size_t s = 0; s < plan->slot_count; s++) {
		const struct slot *slot = &plan->slots[s];

		poller->odd |= ~(slot->mask >> 1);
		poller->whole &= slot->counter.space != REG_PCI && slot->counter.bytes == 8;
	}
	poller->freezes = true;
	poller->turns_within = false;
	for (size_t d = 0; d < plan->domain_count; d++) {
		poller->stops[d] = (struct stops){.stopped = now, .resumed = now};
		begin_domain(poller, d);
	}
}
