/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/heat.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "process/report.h"

#define FIRST_ROOM 1024 /* ranges; there are twice as many slots */

#define RANGE_MASK ((UINT64_C(1) << HEAT_RANGE_SHIFT) - 1)

bool heat_detail_parse(const char *text, struct heat_detail *out)
{
	uint64_t *const ends[] = {&out->first, &out->end};
	char *rest;

	for (size_t i = 0; i < 2; i++) {
		errno = 0;
		*ends[i] = strtoull(text, &rest, 16);
		if (!isxdigit((unsigned char)*text) || errno || *rest != (i ? '\0' : '-'))
			return false;
		text = rest + 1;
	}
	if (out->first >= out->end || out->end > UINT64_MAX - RANGE_MASK)
		return false;
	out->first &= ~RANGE_MASK;
	out->end = (out->end + RANGE_MASK) & ~RANGE_MASK;
	return true;
}

void heat_table_init(struct heat_table *heat, unsigned shift, uint64_t cool_samples)
{
	*heat = (struct heat_table){
		.shift = shift, .cool_samples = cool_samples ? cool_samples : HEAT_COOL_SAMPLES};
}

void heat_table_free(struct heat_table *heat)
{
	free(heat->ranges);
	free(heat->slots);
}

/* The slot that has the range, or is free for it. */
static uint32_t *find_slot(const struct heat_table *heat, const struct heat_range *range)
{
	const uint64_t at = range->first >> heat->shift ^ (uint64_t)range->node << 48;
	size_t slot = hash_pair(range->serial, at) & (heat->slot_count - 1);

	while (heat->slots[slot]) {
		const struct heat_range *there = &heat->ranges[heat->slots[slot] - 1];

		if (there->serial == range->serial && there->first == range->first &&
		    there->node == range->node)
			break;
		slot = (slot + 1) & (heat->slot_count - 1);
	}
	return &heat->slots[slot];
}

static void fill_slots(struct heat_table *heat)
{
	memset(heat->slots, 0, heat->slot_count * sizeof(*heat->slots));
	for (size_t i = 0; i < heat->count; i++)
		*find_slot(heat, &heat->ranges[i]) = (uint32_t)i + 1;
}

void heat_table_use_names(const struct heat_table *heat, struct process_names *names)
{
	for (size_t i = 0; i < heat->count; i++)
		process_names_use(names, heat->ranges[i].command);
}

void heat_table_cool(struct heat_table *heat)
{
	size_t kept = 0;

	for (size_t i = 0; i < heat->count; i++) {
		struct heat_range range = heat->ranges[i];

		range.samples /= 2;
		range.events /= 2;
		if (range.samples)
			heat->ranges[kept++] = range;
	}
	heat->count = kept;
	heat->samples = 0;
	heat->coolings++;
	if (heat->slots)
		fill_slots(heat);
}

/* Makes room for another range. */
static bool grow_heat(struct heat_table *heat)
{
	const size_t room = heat->room ? 2 * heat->room : FIRST_ROOM;

	if (heat->count < heat->room)
		return true;
	if (room > HEAT_RANGES_MOST)
		return false;
	struct heat_range *ranges = reallocarray(heat->ranges, room, sizeof(*ranges));
	if (!ranges)
		return false;
	heat->ranges = ranges;
	uint32_t *slots = calloc(2 * room, sizeof(*slots));
	if (!slots)
		return false;
	free(heat->slots);
	heat->slots = slots;
	heat->slot_count = 2 * room;
	heat->room = room;
	fill_slots(heat);
	return true;
}

void heat_table_add(struct heat_table *heat, const struct heat_range *sample, uint64_t period)
{
	struct heat_range range = *sample;

	range.first = range.first >> heat->shift << heat->shift;
	if (++heat->samples > heat->cool_samples)
		heat_table_cool(heat);
	/* a full table has no room for another range, but still counts those that it has */
	uint32_t *slot = heat->slots ? find_slot(heat, &range) : NULL;
	if (!slot || !*slot) {
		if (!grow_heat(heat)) {
			heat->left_out++;
			return;
		}
		slot = find_slot(heat, &range);
		range.events = range.samples = 0;
		heat->ranges[heat->count++] = range;
		*slot = (uint32_t)heat->count;
	}
	struct heat_range *there = &heat->ranges[*slot - 1];
	there->events += period;
	there->samples++;
	there->command = range.command;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct heat_range *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->events != y->events)
		return x->events < y->events ? 1 : -1;
	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

void heat_table_sort(struct heat_table *heat)
{
	if (!heat->count)
		return;
	qsort(heat->ranges, heat->count, sizeof(*heat->ranges), compare_ranges);
	fill_slots(heat);
}

static size_t bucket_of(uint32_t samples)
{
	size_t bucket = 0;

	while (samples >>= 1)
		bucket++;
	return bucket < HEAT_BUCKETS ? bucket : HEAT_BUCKETS - 1;
}

/* Sums up ranges, all of one node. */
static struct heat_node sum_up(const struct heat_range *ranges, size_t count)
{
	struct heat_node out = {.node = ranges[0].node, .ranges = count};
	uint64_t all = 0, sum = 0;

	for (size_t i = 0; i < count; i++) {
		all += ranges[i].events;
		out.buckets[bucket_of(ranges[i].samples)]++;
	}
	for (size_t i = 0; i < count; i++) {
		sum += ranges[i].events;
		for (size_t part = 0; part < HEAT_PARTS; part++)
			if (!out.parts[part] &&
			    (double)sum * 100 >= (double)all * heat_percents[part]) {
				out.parts[part] = i + 1;
				out.least[part] = ranges[i].events;
			}
	}
	return out;
}

size_t heat_table_nodes(const struct heat_table *heat, struct heat_node *out, size_t room)
{
	size_t count = 0;

	for (size_t first = 0, end; first < heat->count && count < room; first = end) {
		for (end = first; end < heat->count; end++)
			if (heat->ranges[end].node != heat->ranges[first].node)
				break;
		out[count++] = sum_up(&heat->ranges[first], end - first);
	}
	return count;
}

size_t heat_table_colder(const struct heat_table *heat, int node, uint64_t events)
{
	size_t count = 0;

	for (size_t i = 0; i < heat->count; i++)
		count += heat->ranges[i].node == node && heat->ranges[i].events < events;
	return count;
}

/* The fewest ranges, over all CXL nodes, that have half of these nodes' events. */
struct hottest_half {
	size_t ranges;
	const struct heat_range *coldest; /* coldest range of the half; NULL: none */
};

/* A node's ranges not yet taken, hottest first, because the table is sorted. */
struct remaining {
	const struct heat_range *next, *end;
};

/* Returns the node whose next range is the hottest. */
static struct remaining *hottest_of(struct remaining *nodes, size_t count)
{
	struct remaining *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (nodes[i].next < nodes[i].end &&
		    (!found || nodes[i].next->events > found->next->events))
			found = &nodes[i];
	return found;
}

static struct hottest_half hottest_half(const struct heat_table *heat,
					const struct process_report *report)
{
	struct remaining cxl[REPORT_NODES_MOST], *from;
	const struct heat_range *range = heat->ranges;
	struct hottest_half half = {.coldest = NULL};
	uint64_t all = 0, sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < report->node_count; i++) {
		const struct heat_range *end = range + report->nodes[i].heat.ranges;

		if (report->nodes[i].cxl)
			cxl[count++] = (struct remaining){range, end};
		for (; range < end; range++)
			all += report->nodes[i].cxl ? range->events : 0;
	}
	while (sum < all - sum && (from = hottest_of(cxl, count))) {
		half.coldest = from->next++;
		half.ranges++;
		sum += half.coldest->events;
	}
	return half;
}

void heat_table_compare(const struct heat_table *heat, struct process_report *report)
{
	const struct hottest_half half = hottest_half(heat, report);
	/* CPUs without samples may read any memory, so that nothing can be compared */
	const bool known = !report->event->no_loads && !report->unsampled && half.coldest &&
			   half.coldest->samples >= HEAT_SAMPLES_FEWEST;
	double seen_GiB = NAN, unseen_GiB = NAN;

	for (size_t i = 0; known && i < report->node_count; i++) {
		const struct reported_node *node = &report->nodes[i];

		if (node->cxl)
			continue;
		seen_GiB =
			known_sum(seen_GiB, heat_GiB(heat_table_colder(heat, node->heat.node,
								       half.coldest->events / 2)));
		unseen_GiB = known_sum(unseen_GiB, report_unseen_GiB(node));
	}
	report->colder_dram_GiB = known_sum(seen_GiB, unseen_GiB);
	report->unseen_dram_GiB = unseen_GiB;
	report->hot_cxl_GiB = isnan(seen_GiB) ? NAN : heat_GiB(half.ranges);
}
