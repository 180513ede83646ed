/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void memory_layout_free(struct memory_layout *layout)
{
	free(layout->nodes);
	free(layout->regions);
	*layout = (struct memory_layout){.nodes = NULL};
}

/* Returns a copy of an array; NULL: no memory. */
static void *copy_items(const void *items, size_t count, size_t size)
{
	void *to = calloc(count + 1, size);

	if (to && count)
		memcpy(to, items, count * size);
	return to;
}

int memory_layout_copy(const struct memory_layout *from, struct memory_layout *out)
{
	*out = (struct memory_layout){
		.nodes = copy_items(from->nodes, from->node_count, sizeof(*from->nodes)),
		.regions = copy_items(from->regions, from->region_count, sizeof(*from->regions)),
	};
	if (!out->nodes || !out->regions)
		return -ENOMEM;
	out->node_count = from->node_count;
	out->region_count = from->region_count;
	return 0;
}

const struct memory_node *memory_layout_node(const struct memory_layout *layout, int node)
{
	for (size_t i = 0; i < layout->node_count; i++)
		if (layout->nodes[i].node == node)
			return &layout->nodes[i];
	return NULL;
}

const struct cxl_region *memory_layout_region(const struct memory_layout *layout,
					      const char *device)
{
	for (size_t r = 0; r < layout->region_count; r++)
		for (size_t i = 0; i < layout->regions[r].device_count; i++)
			if (!strcmp(layout->regions[r].devices[i], device))
				return &layout->regions[r];
	return NULL;
}

bool memory_layout_has_region(const struct memory_layout *layout, int node)
{
	for (size_t r = 0; r < layout->region_count; r++)
		if (layout->regions[r].node == node)
			return true;
	return false;
}

const struct memory_node *memory_layout_same_tier(const struct memory_layout *layout, int node)
{
	const struct memory_node *of = memory_layout_node(layout, node);

	for (size_t i = 0; of && of->tier >= 0 && i < layout->node_count; i++) {
		const struct memory_node *other = &layout->nodes[i];

		if (other != of && other->tier == of->tier &&
		    !memory_layout_has_region(layout, other->node))
			return other;
	}
	return NULL;
}

void memory_map_free(struct memory_map *map)
{
	free(map->ranges);
	free(map->regions);
	*map = (struct memory_map){.count = 0};
}

#define SHARED (-2)

/* Returns the node of the range from first to the next cut. -1: none; SHARED: several nodes. */
static int node_between(const struct memory_map *map, uint64_t first)
{
	int node = -1;

	for (size_t i = 0; i < map->count; i++) {
		const struct memory_range *range = &map->ranges[i];

		if (first >= range->first && first < range->end && node != range->node)
			node = node == -1 ? range->node : SHARED;
	}
	return node;
}

static int node_of_region(const struct cxl_region *regions, size_t count, uint64_t first)
{
	for (size_t i = 0; i < count; i++)
		if (regions[i].base && first >= regions[i].base &&
		    first - regions[i].base < regions[i].bytes)
			return regions[i].node;
	return -1;
}

static int compare_cuts(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the ascending bounds of ranges and regions. NULL: no memory. */
static uint64_t *list_cuts(const struct memory_map *map, const struct cxl_region *regions,
			   size_t count)
{
	uint64_t *cuts = calloc(2 * (map->count + count) + 1, sizeof(*cuts));
	size_t n = 0;

	for (size_t i = 0; cuts && i < map->count; i++) {
		cuts[n++] = map->ranges[i].first;
		cuts[n++] = map->ranges[i].end;
	}
	for (size_t i = 0; cuts && i < count; i++) {
		cuts[n++] = regions[i].base;
		cuts[n++] = regions[i].base + regions[i].bytes;
	}
	if (n)
		qsort(cuts, n, sizeof(*cuts), compare_cuts);
	return cuts;
}

int memory_map_separate(struct memory_map *map, const struct cxl_region *regions, size_t count)
{
	const size_t cut_count = 2 * (map->count + count);
	uint64_t *cuts = list_cuts(map, regions, count);
	struct memory_range *ranges = calloc(cut_count + 1, sizeof(*ranges));
	size_t n = 0;

	for (size_t i = 1; cuts && ranges && i < cut_count; i++) {
		const struct memory_range *before = n ? &ranges[n - 1] : NULL;
		int node = node_between(map, cuts[i - 1]);

		if (node == -1 || cuts[i - 1] == cuts[i])
			continue;
		if (node == SHARED)
			node = node_of_region(regions, count, cuts[i - 1]);
		if (before && before->node == node && before->end == cuts[i - 1])
			ranges[n - 1].end = cuts[i];
		else
			ranges[n++] = (struct memory_range){cuts[i - 1], cuts[i], node};
	}
	free(cuts);
	if (!cuts || !ranges) {
		free(ranges);
		return -ENOMEM;
	}
	free(map->ranges);
	map->ranges = ranges;
	map->count = n;
	return 0;
}

int memory_map_node(const struct memory_map *map, uint64_t physical)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct memory_range *range = &map->ranges[middle];

		if (physical < range->first)
			high = middle;
		else if (physical >= range->end)
			low = middle + 1;
		else
			return range->node;
	}
	return -1;
}
