/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms the groups of a unit: a set is never split, and each group takes as many sets as fit on the
 * counters.
 */
#include "plan/plan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "platform/array.h"

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

/* Events that must be counted in the same group: a set that was asked for, or one event alone. */
struct request_set {
	unsigned number; /* as in struct request; 0: one event by itself */
	size_t count;
	const struct event *events[UNIT_MAX_COUNTERS];
};

struct request_sets {
	struct request_set *items;
	size_t count;
	struct request_set pinned; /* added to every group */
};

/* A group while events are added to it, with a counter for each. */
struct candidate {
	size_t count;
	const struct event *events[UNIT_MAX_COUNTERS];
	unsigned counters[UNIT_MAX_COUNTERS];
};

static bool set_has(const struct request_set *set, const struct event *event)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->events[i] == event)
			return true;
	return false;
}

/* The set of a request, which is made if need be. A single event joins any set that has it. */
static struct request_set *find_set(struct request_sets *sets, const struct request *request)
{
	for (size_t i = 0; i < sets->count; i++) {
		struct request_set *set = &sets->items[i];

		if (request->set ? set->number == request->set : set_has(set, request->event))
			return set;
	}
	sets->items[sets->count] = (struct request_set){.number = request->set};
	return &sets->items[sets->count++];
}

static int too_many(const struct unit *unit, const struct event *event, size_t count,
		    struct error *err)
{
	char name[UNIT_NAME_SIZE];

	return error_set(err, EXIT_USAGE, -ENOSPC, "%s: no counter is left for %s (%zu event%s)",
			 unit_name(unit, name), event->name, count, count == 1 ? "" : "s");
}

/* Sets first, so that a single event can be part of one of them. */
static int collect_sets(const struct unit *unit, const struct request *requests, size_t count,
			struct request_sets *sets, struct error *err)
{
	for (unsigned pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			const struct request *request = &requests[i];

			if (request->unit != unit || !request->set != (pass == 1))
				continue;
			struct request_set *set = find_set(sets, request);
			if (set_has(set, request->event))
				continue;
			if (set->count == UNIT_MAX_COUNTERS)
				return too_many(unit, request->event, set->count + 1, err);
			set->events[set->count++] = request->event;
			if (request->pinned && sets->pinned.count < UNIT_MAX_COUNTERS)
				sets->pinned.events[sets->pinned.count++] = request->event;
		}
	}
	return 0;
}

static uint32_t reversed(uint32_t bits)
{
	uint32_t out = 0;

	for (unsigned i = 0; i < 32; i++)
		out |= (bits >> i & 1) << (31 - i);
	return out;
}

/*
 * The last counters of a unit first, where the kernel takes the first ones without looking whether
 * they are in use.
 */
static int assign_last_counters(uint32_t *allowed, size_t count, unsigned *counters,
				size_t *unassigned)
{
	for (size_t i = 0; i < count; i++)
		allowed[i] = reversed(allowed[i]);
	int rc = schedule_events(allowed, count, counters, unassigned);
	for (size_t i = 0; !rc && i < count; i++)
		counters[i] = 31 - counters[i];
	return rc;
}

static int assign_counters(const struct unit *unit, const struct event *const *events, size_t count,
			   unsigned counters[UNIT_MAX_COUNTERS], size_t *unassigned)
{
	uint32_t allowed[UNIT_MAX_COUNTERS] = {0};

	for (size_t i = 0; i < count; i++)
		allowed[i] = unit_event_counters(unit, events[i]);
	if (unit->amd.pairs)
		return assign_last_counters(allowed, count, counters, unassigned);
	return schedule_events(allowed, count, counters, unassigned);
}

/* Adds a set to a group where all its events still fit. */
static bool add_if_fits(const struct unit *unit, struct candidate *candidate,
			const struct request_set *set)
{
	struct candidate merged = *candidate;
	size_t unassigned;

	for (size_t i = 0; i < set->count; i++) {
		bool has = false;

		for (size_t k = 0; k < candidate->count; k++)
			has |= candidate->events[k] == set->events[i];
		if (has)
			continue;
		if (merged.count == UNIT_MAX_COUNTERS)
			return false;
		merged.events[merged.count++] = set->events[i];
	}
	if (assign_counters(unit, merged.events, merged.count, merged.counters, &unassigned))
		return false;
	*candidate = merged;
	return true;
}

static void swap_sets(struct request_set *a, struct request_set *b)
{
	const struct request_set c = *a;

	*a = *b;
	*b = c;
}

/* Starts a group with the first set that is in none, and adds each further set that fits. */
static int make_candidate(const struct unit *unit, struct candidate *candidate,
			  struct request_sets *sets, size_t *next, struct error *err)
{
	const struct request_set *first = &sets->items[*next];

	*candidate = (struct candidate){0};
	add_if_fits(unit, candidate, &sets->pinned);
	if (!add_if_fits(unit, candidate, first)) {
		*candidate = (struct candidate){0}; /* without the pinned events */
		if (!add_if_fits(unit, candidate, first)) {
			unsigned counters[UNIT_MAX_COUNTERS];
			size_t unassigned = 0;

			assign_counters(unit, first->events, first->count, counters, &unassigned);
			return too_many(unit, first->events[unassigned], first->count, err);
		}
	}
	++*next;
	for (size_t i = *next; i < sets->count; i++)
		if (add_if_fits(unit, candidate, &sets->items[i]))
			swap_sets(&sets->items[i], &sets->items[(*next)++]);
	return 0;
}

static bool is_single(const struct request_sets *sets, const struct event *event)
{
	for (size_t i = 0; i < sets->count; i++)
		if (sets->items[i].number && set_has(&sets->items[i], event))
			return false;
	return true;
}

/* A single event that several groups count has one sum; an event of a set has a sum of its own. */
static size_t sum_counter_of(const struct plan *plan, const struct plan_unit *pu,
			     const struct request_sets *sets, const struct event *event, size_t own)
{
	if (is_single(sets, event))
		for (size_t s = pu->first_counter; s < own; s++)
			if (plan->counters[s].event == event)
				return s;
	return own;
}

static bool is_clock(const struct event *event, const struct event *clock)
{
	return clock && event_control(event) == event_control(clock);
}

/* Adds the unit's clock to a group that doesn't count it, on a counter that is left. */
static void add_clock(const struct unit *unit, const struct event *clock,
		      struct candidate *candidate)
{
	uint32_t left = clock ? unit_event_counters(unit, clock) : 0;

	for (size_t i = 0; i < candidate->count; i++) {
		left &= ~(UINT32_C(1) << candidate->counters[i]);
		if (is_clock(candidate->events[i], clock))
			return;
	}
	if (!left)
		return;
	candidate->events[candidate->count] = clock;
	candidate->counters[candidate->count++] = (unsigned)__builtin_ctz(left);
}

static int add_group(struct plan *plan, struct plan_unit *pu, struct candidate *candidate,
		     const struct request_sets *sets)
{
	const struct event *clock =
		unit_is_cpu(pu->unit) ? NULL : model_clock(plan->machine->model, pu->unit->type);

	add_clock(pu->unit, clock, candidate);
	if (array_room(&plan->counters, plan->counter_count, candidate->count,
		       sizeof(*plan->counters)) ||
	    array_room(&plan->groups, plan->group_count, 1, sizeof(*plan->groups)))
		return -ENOMEM;

	struct group *group = &plan->groups[plan->group_count++];
	*group = (struct group){.first_counter = plan->counter_count,
				.counter_count = candidate->count,
				.clock_counter = PLAN_NO_CLOCK};
	for (size_t i = 0; i < candidate->count; i++) {
		const unsigned c = candidate->counters[i];
		const size_t own = plan->counter_count;

		plan->counters[own] = (struct counter){
			.reg = unit_counter(pu->unit, c),
			.mask = unit_counter_mask(pu->unit, c),
			.free_running = pu->unit->free_running >> c & 1,
			.event = candidate->events[i],
			.unit = (size_t)(pu - plan->units),
			.sum_counter = sum_counter_of(plan, pu, sets, candidate->events[i], own),
		};
		if (is_clock(candidate->events[i], clock))
			group->clock_counter = own;
		plan->counter_count++;
		group->controls[c] = unit_event_control(pu->unit, candidate->events[i]);
	}
	pu->group_count++;
	return 0;
}

/* The largest first, as small ones fit beside them. */
static int compare_sets(const void *a, const void *b)
{
	const struct request_set *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
				    : (x->number > y->number) - (x->number < y->number);
}

/* The counter of a request: in the group that has all events of its set. */
static size_t find_counter(const struct plan *plan, const struct plan_unit *pu,
			   const struct request_sets *sets, const struct request *request)
{
	const struct request_set *set = find_set((struct request_sets *)sets, request);

	for (size_t g = pu->first_group; g < pu->first_group + pu->group_count; g++) {
		const struct group *group = &plan->groups[g];
		size_t found = 0, counter = 0;

		for (size_t s = group->first_counter;
		     s < group->first_counter + group->counter_count; s++) {
			found += set_has(set, plan->counters[s].event);
			if (plan->counters[s].event == request->event)
				counter = s;
		}
		if (found == set->count)
			return plan->counters[counter].sum_counter;
	}
	return 0;
}

static int make_groups(struct plan *plan, struct plan_unit *pu, struct request_sets *sets,
		       struct error *err)
{
	struct candidate *candidates = calloc(sets->count + 1, sizeof(*candidates));
	size_t next = 0, count = 0;
	int rc = candidates ? 0 : error_no_memory(err);

	while (!rc && next < sets->count)
		rc = make_candidate(pu->unit, &candidates[count++], sets, &next, err);
	for (size_t g = 0; !rc && g < count; g++)
		if (add_group(plan, pu, &candidates[g], sets))
			rc = error_no_memory(err);
	free(candidates);
	return rc;
}

int plan_group_unit(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		    size_t count, struct error *err)
{
	struct request_sets sets = {.items = calloc(count, sizeof(*sets.items))};

	if (!sets.items)
		return error_no_memory(err);
	pu->first_counter = plan->counter_count;
	pu->first_group = plan->group_count;
	int rc = collect_sets(pu->unit, requests, count, &sets, err);
	qsort(sets.items, sets.count, sizeof(*sets.items), compare_sets);
	if (!rc)
		rc = make_groups(plan, pu, &sets, err);
	pu->counter_count = plan->counter_count - pu->first_counter;
	pu->first_read = plan->read_count;
	for (size_t g = pu->first_group; g < pu->first_group + pu->group_count; g++)
		if (plan->groups[g].counter_count > pu->read_count)
			pu->read_count = plan->groups[g].counter_count;
	plan->read_count += pu->read_count;
	for (size_t i = 0; !rc && i < count; i++) {
		if (requests[i].unit != pu->unit)
			continue;
		plan->counter_of_request[i] = find_counter(plan, pu, &sets, &requests[i]);
		pu->staggered |= requests[i].staggered;
	}
	free(sets.items);
	return rc;
}
