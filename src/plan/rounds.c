/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms the rounds of a unit: a group is never split, and each round takes as many groups as fit on
 * the counters.
 */
#include "plan/plan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "uncore/model/event.h"

#define FREE SIZE_MAX

/*
 * Assigns a counter by bipartite matching with augmenting paths: an event takes a free counter, or
 * one whose event can move to another. tried has the counters that this path has visited.
 */
static bool assign_counter(const uint32_t *allowed, size_t event, size_t owner[UNIT_MAX_COUNTERS],
			   uint32_t *tried, bool last_first)
{
	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++) {
		const unsigned c = last_first ? UNIT_MAX_COUNTERS - 1 - i : i;
		const uint32_t bit = UINT32_C(1) << c;

		if (!(allowed[event] & bit) || *tried & bit)
			continue;
		*tried |= bit;
		if (owner[c] == FREE ||
		    assign_counter(allowed, owner[c], owner, tried, last_first)) {
			owner[c] = event;
			return true;
		}
	}
	return false;
}

int schedule_events(const uint32_t *allowed, size_t count, bool last_first, unsigned *counter,
		    size_t *unassigned)
{
	size_t owner[UNIT_MAX_COUNTERS];

	for (unsigned c = 0; c < UNIT_MAX_COUNTERS; c++)
		owner[c] = FREE;
	for (size_t event = 0; event < count; event++) {
		uint32_t tried = 0;

		if (!assign_counter(allowed, event, owner, &tried, last_first)) {
			*unassigned = event;
			return -ENOSPC;
		}
	}
	for (unsigned c = 0; c < UNIT_MAX_COUNTERS; c++)
		if (owner[c] != FREE)
			counter[owner[c]] = c;
	return 0;
}

/* Events that must be counted in the same round: a requested group, or a single event. */
struct event_group {
	unsigned number; /* as in struct request; 0: a single event */
	size_t count;
	const struct event *events[UNIT_MAX_COUNTERS];
	size_t general; /* events of a CPU that no fixed counter counts */
};

struct event_groups {
	struct event_group *items;
	size_t count;
	struct event_group pinned; /* added to every round */
};

/* A round while events are added to it, with a counter for each. */
struct candidate {
	size_t count;
	const struct event *events[UNIT_MAX_COUNTERS];
	unsigned counters[UNIT_MAX_COUNTERS];
};

static bool group_has(const struct event_group *group, const struct event *event)
{
	for (size_t i = 0; i < group->count; i++)
		if (group->events[i] == event)
			return true;
	return false;
}

/*
 * Returns the group of a request, and makes it if needed. A single event joins any group that has
 * it.
 */
static struct event_group *find_group(struct event_groups *groups, const struct request *request)
{
	for (size_t i = 0; i < groups->count; i++) {
		struct event_group *group = &groups->items[i];

		if (request->group ? group->number == request->group
				   : group_has(group, request->event))
			return group;
	}
	groups->items[groups->count] = (struct event_group){.number = request->group};
	return &groups->items[groups->count++];
}

static int too_many(const struct unit *unit, const struct event *event, size_t count,
		    struct error *err)
{
	char name[UNIT_NAME_SIZE];

	return error_set(err, ERROR_USAGE, -ENOSPC, "%s: no counter is left for %s (%zu event%s)",
			 unit_name(unit, name), event->name, count, count == 1 ? "" : "s");
}

static bool is_general(const struct unit *unit, const struct event *event)
{
	return unit_is_cpu(unit) && !(unit_event_counters(unit, event) & ~CORE_COUNTERS_GENERAL);
}

/*
 * Collects the groups of a unit's requests, event groups first, so that a single event can join
 * one.
 */
static int collect_groups(const struct plan *plan, const struct plan_unit *pu,
			  const struct request *requests, struct event_groups *groups,
			  struct error *err)
{
	for (unsigned pass = 0; pass < 2; pass++) {
		size_t next = pu->first_request;

		for (size_t n = 0; n < pu->request_count; n++) {
			const struct request *request = &requests[next];

			next = plan->next_request[next];
			if (!request->group != (pass == 1))
				continue;
			struct event_group *group = find_group(groups, request);
			if (group_has(group, request->event))
				continue;
			if (group->count == UNIT_MAX_COUNTERS)
				return too_many(pu->unit, request->event, group->count + 1, err);
			group->events[group->count++] = request->event;
			group->general += is_general(pu->unit, request->event);
			if (request->pinned && groups->pinned.count < UNIT_MAX_COUNTERS)
				groups->pinned.events[groups->pinned.count++] = request->event;
		}
	}
	return 0;
}

static int assign_counters(const struct unit *unit, const struct event *const *events, size_t count,
			   unsigned counters[UNIT_MAX_COUNTERS], size_t *unassigned)
{
	uint32_t allowed[UNIT_MAX_COUNTERS] = {0};

	for (size_t i = 0; i < count; i++)
		allowed[i] = unit_event_counters(unit, events[i]);
	/* on AMD, high counters first: the kernel takes the first ones without checking if they
	 * are in use */
	return schedule_events(allowed, count, unit->has_pairs, counters, unassigned);
}

/* Adds a group to a round if all its events still fit. */
static bool add_if_fits(const struct unit *unit, struct candidate *candidate,
			const struct event_group *group)
{
	struct candidate merged = *candidate;
	size_t unassigned;

	for (size_t i = 0; i < group->count; i++) {
		bool has = false;

		for (size_t k = 0; k < candidate->count; k++)
			has |= candidate->events[k] == group->events[i];
		if (has)
			continue;
		if (merged.count == UNIT_MAX_COUNTERS)
			return false;
		merged.events[merged.count++] = group->events[i];
	}
	if (assign_counters(unit, merged.events, merged.count, merged.counters, &unassigned))
		return false;
	*candidate = merged;
	return true;
}

/* Starts a round with the first group that has none, and adds each further group that fits. */
static int make_candidate(const struct unit *unit, struct candidate *candidate,
			  struct event_groups *groups, size_t *next, struct error *err)
{
	const struct event_group *first = &groups->items[*next];

	*candidate = (struct candidate){0};
	add_if_fits(unit, candidate, &groups->pinned);
	if (!add_if_fits(unit, candidate, first)) {
		*candidate = (struct candidate){0}; /* again without the pinned events */
		if (!add_if_fits(unit, candidate, first)) {
			unsigned counters[UNIT_MAX_COUNTERS];
			size_t unassigned = 0;

			assign_counters(unit, first->events, first->count, counters, &unassigned);
			return too_many(unit, first->events[unassigned], first->count, err);
		}
	}
	++*next;
	for (size_t i = *next; i < groups->count; i++) {
		const struct event_group group = groups->items[i];

		if (!add_if_fits(unit, candidate, &group))
			continue;
		groups->items[i] = groups->items[*next];
		groups->items[(*next)++] = group;
	}
	return 0;
}

static bool is_single(const struct event_groups *groups, const struct event *event)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->items[i].number && group_has(&groups->items[i], event))
			return false;
	return true;
}

/*
 * Returns the counter with the sum: one for a single event that several rounds count, its own for
 * an event of a group.
 */
static size_t sum_counter_of(const struct plan *plan, const struct plan_unit *pu,
			     const struct event_groups *groups, const struct event *event,
			     size_t own)
{
	if (is_single(groups, event))
		for (size_t s = pu->first_counter; s < own; s++)
			if (plan->counters[s].event == event)
				return s;
	return own;
}

static bool is_clock(const struct event *event, const struct event *clock)
{
	return clock && event_control(event) == event_control(clock);
}

/* Adds the unit's clock to a round that does not count it, if a counter is left. */
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

static int add_round(struct plan *plan, struct plan_unit *pu, struct candidate *candidate,
		     const struct event_groups *groups)
{
	const struct event *clock =
		unit_is_cpu(pu->unit) ? NULL : model_clock(plan->machine->model, pu->unit->type);

	add_clock(pu->unit, clock, candidate);
	if (array_room(&plan->counters, plan->counter_count, candidate->count,
		       sizeof(*plan->counters)) ||
	    array_room(&plan->rounds, plan->round_count, 1, sizeof(*plan->rounds)))
		return -ENOMEM;

	struct round *round = &plan->rounds[plan->round_count++];
	*round = (struct round){.first_counter = plan->counter_count,
				.counter_count = candidate->count,
				.clock_counter = PLAN_NO_CLOCK};
	for (size_t i = 0; i < candidate->count; i++) {
		const unsigned c = candidate->counters[i];
		const size_t own = plan->counter_count;

		plan->counters[own] = (struct counter){
			.reg = unit_counter(pu->unit, c),
			.mask = unit_counter_mask(pu->unit, c),
			.max_rate = event_max_rate(candidate->events[i]),
			.free_running = pu->unit->free_running >> c & 1,
			.event = candidate->events[i],
			.unit = (size_t)(pu - plan->units),
			.sum_counter = sum_counter_of(plan, pu, groups, candidate->events[i], own),
		};
		if (is_clock(candidate->events[i], clock))
			round->clock_counter = own;
		plan->counter_count++;
		round->controls[c] = unit_event_control(pu->unit, candidate->events[i]);
	}
	pu->round_count++;
	return 0;
}

/*
 * Orders groups by size, largest first, because small ones fit into the rest. Only general-purpose
 * counters are scarce.
 */
static int compare_groups(const void *a, const void *b)
{
	const struct event_group *x = a, *y = b;

	if (x->general != y->general)
		return x->general < y->general ? 1 : -1;
	return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
				    : (x->number > y->number) - (x->number < y->number);
}

/* Returns the counter of a request, in the round that has all events of its group. */
static size_t find_counter(const struct plan *plan, const struct plan_unit *pu,
			   const struct event_groups *groups, const struct request *request)
{
	const struct event_group *group = find_group((struct event_groups *)groups, request);

	for (size_t g = pu->first_round; g < pu->first_round + pu->round_count; g++) {
		const struct round *round = &plan->rounds[g];
		size_t found = 0, counter = 0;

		for (size_t s = round->first_counter;
		     s < round->first_counter + round->counter_count; s++) {
			found += group_has(group, plan->counters[s].event);
			if (plan->counters[s].event == request->event)
				counter = s;
		}
		if (found == group->count)
			return plan->counters[counter].sum_counter;
	}
	return 0;
}

static int make_rounds(struct plan *plan, struct plan_unit *pu, struct event_groups *groups,
		       struct error *err)
{
	struct candidate *candidates = calloc(groups->count + 1, sizeof(*candidates));
	size_t next = 0, count = 0;
	int rc = candidates ? 0 : error_no_memory(err);

	while (!rc && next < groups->count)
		rc = make_candidate(pu->unit, &candidates[count++], groups, &next, err);
	for (size_t g = 0; !rc && g < count; g++)
		if (add_round(plan, pu, &candidates[g], groups))
			rc = error_no_memory(err);
	free(candidates);
	return rc;
}

int plan_unit_rounds(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		     struct error *err)
{
	struct event_groups groups = {.items = calloc(pu->request_count, sizeof(*groups.items))};
	size_t i = pu->first_request;

	if (!groups.items)
		return error_no_memory(err);
	pu->first_counter = plan->counter_count;
	pu->first_round = plan->round_count;
	int rc = collect_groups(plan, pu, requests, &groups, err);
	qsort(groups.items, groups.count, sizeof(*groups.items), compare_groups);
	if (!rc)
		rc = make_rounds(plan, pu, &groups, err);
	pu->counter_count = plan->counter_count - pu->first_counter;
	pu->first_read = plan->read_count;
	for (size_t g = pu->first_round; g < pu->first_round + pu->round_count; g++)
		if (plan->rounds[g].counter_count > pu->read_count)
			pu->read_count = plan->rounds[g].counter_count;
	plan->read_count += pu->read_count;
	for (size_t n = 0; !rc && n < pu->request_count; n++, i = plan->next_request[i]) {
		plan->counter_of_request[i] = find_counter(plan, pu, &groups, &requests[i]);
		pu->staggered |= requests[i].staggered;
	}
	free(groups.items);
	return rc;
}
