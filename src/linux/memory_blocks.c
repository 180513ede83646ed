/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/memory_blocks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/array.h"
#include "platform/rootfs.h"

#define NODES "sys/devices/system/node"

/* Hexadecimal without 0x; 0: there are no blocks. */
static uint64_t read_block_size(const char *root)
{
	char text[32];
	uint64_t bytes;

	if (rootfs_line(root, "sys/devices/system/memory/block_size_bytes", text, sizeof(text)) ||
	    sscanf(text, "%" SCNx64, &bytes) != 1)
		return 0;
	return bytes;
}

/* Blocks that follow each other are one range. */
static int add_blocks(struct memory_map *map, const unsigned *blocks, size_t count, uint64_t size,
		      int node)
{
	if (array_room(&map->ranges, map->count, count + 1, sizeof(*map->ranges)))
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const uint64_t first = blocks[i] * size;
		struct memory_range *last = i ? &map->ranges[map->count - 1] : NULL;

		if (last && last->end == first)
			last->end += size;
		else
			map->ranges[map->count++] =
				(struct memory_range){first, first + size, node};
	}
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct memory_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

int linux_memory_map(const char *root, struct memory_map *out)
{
	const uint64_t size = read_block_size(root);
	unsigned *nodes = NULL;
	size_t count = 0;

	*out = (struct memory_map){.count = 0};
	int rc = size ? sysfs_indices(root, NODES, "node", &nodes, &count) : 0;
	for (size_t i = 0; !rc && i < count; i++) {
		char directory[64];
		unsigned *blocks = NULL;
		size_t block_count = 0;

		snprintf(directory, sizeof(directory), NODES "/node%u", nodes[i]);
		rc = sysfs_indices(root, directory, "memory", &blocks, &block_count);
		if (!rc)
			rc = add_blocks(out, blocks, block_count, size, (int)nodes[i]);
		free(blocks);
	}
	free(nodes);
	if (out->count)
		qsort(out->ranges, out->count, sizeof(*out->ranges), by_address);
	return rc;
}
