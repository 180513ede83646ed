/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which events of a unit count at the same time: what was asked for as a set stays together, and as
 * much as fits on the counters forms a group.
 */
#include <errno.h>
#include <stdlib.h>

#include "plan/plan_parts.h"
#include "plan/schedule.h"

/*
 * Events that stand together: a set that was asked for, or one event by itself. They are put into
 * groups whole.
 */
struct block {
	unsigned set;
	size_t count;
	const struct event *events[UNIT_MAX_COUNTERS];
};

struct blocks {
	struct block *items;
	size_t count;
	struct block always; /* what every group counts besides */
};

/* A group while it is put together: its events, and a counter for each. */
struct draft {
	size_t count;
	const struct event *events[UNIT_MAX_COUNTERS];
	unsigned counters[UNIT_MAX_COUNTERS];
};

static bool block_has(const struct block *block, const struct event *event)
{
	for (size_t i = 0; i < block->count; i++)
		if (block->events[i] == event)
			return true;
	return false;
}

/* The block for a request: its set's, or, by itself, any that has the event, or a new one. */
static struct block *block_for(struct blocks *blocks, const struct request *request)
{
	for (size_t i = 0; i < blocks->count; i++) {
		struct block *block = &blocks->items[i];

		if (request->set ? block->set == request->set : block_has(block, request->event))
			return block;
	}
	blocks->items[blocks->count] = (struct block){.set = request->set};
	return &blocks->items[blocks->count++];
}

static int too_many(const struct unit *unit, const struct event *event, size_t count,
		    struct error *err)
{
	char name[UNIT_NAME_SIZE];

	return error_set(err, EXIT_USAGE, -ENOSPC, "%s: no counter is left for %s (%zu event%s)",
			 unit_name(unit, name), event->name, count, count == 1 ? "" : "s");
}

/* Sets first, so that a single event finds its place in one of them. */
static int collect_blocks(const struct unit *unit, const struct request *requests, size_t count,
			  struct blocks *blocks, struct error *err)
{
	for (unsigned pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			const struct request *request = &requests[i];

			if (request->unit != unit || !request->set != (pass == 1))
				continue;
			struct block *block = block_for(blocks, request);
			if (block_has(block, request->event))
				continue;
			if (block->count == UNIT_MAX_COUNTERS)
				return too_many(unit, request->event, block->count + 1, err);
			block->events[block->count++] = request->event;
			if (request->always && blocks->always.count < UNIT_MAX_COUNTERS)
				blocks->always.events[blocks->always.count++] = request->event;
		}
	}
	return 0;
}

static int place_events(const struct unit *unit, const struct event *const *events, size_t count,
			unsigned counters[UNIT_MAX_COUNTERS], size_t *unplaced)
{
	uint32_t allowed[UNIT_MAX_COUNTERS] = {0};

	for (size_t i = 0; i < count; i++)
		allowed[i] = events[i]->counters & unit->usable;
	return schedule_events(allowed, count, counters, unplaced);
}

/* Adds a block to a group where all its events still fit. */
static bool join(const struct unit *unit, struct draft *draft, const struct block *block)
{
	struct draft joined = *draft;
	size_t unplaced;

	for (size_t i = 0; i < block->count; i++) {
		bool there = false;

		for (size_t k = 0; k < draft->count; k++)
			there |= draft->events[k] == block->events[i];
		if (there)
			continue;
		if (joined.count == UNIT_MAX_COUNTERS)
			return false;
		joined.events[joined.count++] = block->events[i];
	}
	if (place_events(unit, joined.events, joined.count, joined.counters, &unplaced))
		return false;
	*draft = joined;
	return true;
}

static void swap_blocks(struct block *a, struct block *b)
{
	const struct block c = *a;

	*a = *b;
	*b = c;
}

/* Starts a group with the first block that has none, and lets join whatever of the others fits. */
static int draft_group(const struct unit *unit, struct draft *draft, struct blocks *blocks,
		       size_t *next, struct error *err)
{
	const struct block *first = &blocks->items[*next];

	*draft = (struct draft){0};
	join(unit, draft, &blocks->always);
	if (!join(unit, draft, first)) {
		*draft = (struct draft){0}; /* without the others, then */
		if (!join(unit, draft, first)) {
			unsigned counters[UNIT_MAX_COUNTERS];
			size_t unplaced = 0;

			place_events(unit, first->events, first->count, counters, &unplaced);
			return too_many(unit, first->events[unplaced], first->count, err);
		}
	}
	++*next;
	for (size_t i = *next; i < blocks->count; i++)
		if (join(unit, draft, &blocks->items[i]))
			swap_blocks(&blocks->items[i], &blocks->items[(*next)++]);
	return 0;
}

static bool is_single(const struct blocks *blocks, const struct event *event)
{
	for (size_t i = 0; i < blocks->count; i++)
		if (blocks->items[i].set && block_has(&blocks->items[i], event))
			return false;
	return true;
}

/* The slot that adds up what an event counts in several groups; its own where it is in a set. */
static size_t adds_to(const struct plan *plan, const struct plan_unit *pu,
		      const struct blocks *blocks, const struct event *event, size_t own)
{
	if (is_single(blocks, event))
		for (size_t s = pu->first_slot; s < own; s++)
			if (plan->slots[s].event == event)
				return s;
	return own;
}

static int add_group(struct plan *plan, struct plan_unit *pu, const struct draft *draft,
		     const struct blocks *blocks)
{
	struct slot *slots =
		reallocarray(plan->slots, plan->slot_count + draft->count, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	plan->slots = slots;
	struct group *groups = reallocarray(plan->groups, plan->group_count + 1, sizeof(*groups));
	if (!groups)
		return -ENOMEM;
	plan->groups = groups;

	struct group *group = &plan->groups[plan->group_count++];
	*group = (struct group){.first_slot = plan->slot_count, .slot_count = draft->count};
	for (size_t i = 0; i < draft->count; i++) {
		const unsigned c = draft->counters[i];
		const size_t own = plan->slot_count;

		plan->slots[own] = (struct slot){
			.counter = unit_counter(pu->unit, c),
			.mask = unit_counter_mask(pu->unit, c),
			.free_running = pu->unit->free_running >> c & 1,
			.event = draft->events[i],
			.unit = (size_t)(pu - plan->units),
			.counts_as = adds_to(plan, pu, blocks, draft->events[i], own),
		};
		plan->slot_count++;
		group->controls[c] = event_control(draft->events[i]);
	}
	pu->group_count++;
	return 0;
}

/* The largest first: small ones find room beside them. */
static int compare_blocks(const void *a, const void *b)
{
	const struct block *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
				    : (x->set > y->set) - (x->set < y->set);
}

/* Where a request is counted: in the group that has the whole of its set. */
static size_t find_slot(const struct plan *plan, const struct plan_unit *pu,
			const struct blocks *blocks, const struct request *request)
{
	const struct block *block = block_for((struct blocks *)blocks, request);

	for (size_t g = pu->first_group; g < pu->first_group + pu->group_count; g++) {
		const struct group *group = &plan->groups[g];
		size_t found = 0, slot = 0;

		for (size_t s = group->first_slot; s < group->first_slot + group->slot_count; s++) {
			found += block_has(block, plan->slots[s].event);
			if (plan->slots[s].event == request->event)
				slot = s;
		}
		if (found == block->count)
			return plan->slots[slot].counts_as;
	}
	return 0;
}

static int make_groups(struct plan *plan, struct plan_unit *pu, struct blocks *blocks,
		       struct error *err)
{
	struct draft *drafts = calloc(blocks->count + 1, sizeof(*drafts));
	size_t next = 0, count = 0;
	int rc = drafts ? 0 : error_no_memory(err);

	while (!rc && next < blocks->count)
		rc = draft_group(pu->unit, &drafts[count++], blocks, &next, err);
	for (size_t g = 0; !rc && g < count; g++)
		if (add_group(plan, pu, &drafts[g], blocks))
			rc = error_no_memory(err);
	free(drafts);
	return rc;
}

int plan_group_unit(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		    size_t count, struct error *err)
{
	struct blocks blocks = {.items = calloc(count, sizeof(*blocks.items))};

	if (!blocks.items)
		return error_no_memory(err);
	pu->first_slot = plan->slot_count;
	pu->first_group = plan->group_count;
	int rc = collect_blocks(pu->unit, requests, count, &blocks, err);
	qsort(blocks.items, blocks.count, sizeof(*blocks.items), compare_blocks);
	if (!rc)
		rc = make_groups(plan, pu, &blocks, err);
	pu->slot_count = plan->slot_count - pu->first_slot;
	pu->first_place = plan->place_count;
	for (size_t g = pu->first_group; g < pu->first_group + pu->group_count; g++)
		if (plan->groups[g].slot_count > pu->place_count)
			pu->place_count = plan->groups[g].slot_count;
	plan->place_count += pu->place_count;
	for (size_t i = 0; !rc && i < count; i++) {
		if (requests[i].unit != pu->unit)
			continue;
		plan->slot_of_request[i] = find_slot(plan, pu, &blocks, &requests[i]);
		pu->spread |= requests[i].spread;
	}
	free(blocks.items);
	return rc;
}
