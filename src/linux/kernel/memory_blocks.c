/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/kernel/memory_blocks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/rootfs.h"

#define SYSTEM "sys/devices/system"

uint64_t linux_block_size(const char *root)
{
	return rootfs_number(root, 16, SYSTEM "/memory/block_size_bytes");
}

int linux_node_of(const char *root, const char *name, uint64_t number)
{
	unsigned *nodes;
	size_t count;

	sysfs_indices(&nodes, &count, "node", root, SYSTEM "/%s%" PRIu64, name, number);
	const int lowest = count ? (int)nodes[0] : -1;
	free(nodes);
	return lowest;
}
