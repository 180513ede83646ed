/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/load_sample.h"

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
