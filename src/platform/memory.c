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

/* NULL: no memory. */
static void *copy(const void *items, size_t count, size_t size)
{
	void *to = calloc(count + 1, size);

	if (to && count)
		memcpy(to, items, count * size);
	return to;
}

int memory_layout_copy(const struct memory_layout *from, struct memory_layout *out)
{
	*out = (struct memory_layout){
		.nodes = copy(from->nodes, from->node_count, sizeof(*from->nodes)),
		.regions = copy(from->regions, from->region_count, sizeof(*from->regions)),
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

static bool has_region(const struct memory_layout *layout, int node)
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

		if (other != of && other->tier == of->tier && !has_region(layout, other->node))
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

int memory_map_copy(const struct memory_map *from, struct memory_map *out)
{
	*out = (struct memory_map){
		.ranges = copy(from->ranges, from->count, sizeof(*from->ranges)),
		.regions = copy(from->regions, from->region_count, sizeof(*from->regions)),
	};
	if (!out->ranges || !out->regions)
		return -ENOMEM;
	out->count = from->count;
	out->region_count = from->region_count;
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
