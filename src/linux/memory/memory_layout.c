/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/memory/nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "base/text.h"
#include "linux/cxl/cxl.h"
#include "linux/cxl/devdax.h"
#include "linux/system/linux_platform.h"
#include "linux/system/topology.h"

#define RANGES "sys/firmware/acpi/memory_ranges"
#define TIERS  "sys/devices/virtual/memory_tiering"

/*
 * Reads a speed from HMAT. Class 1 is for the nearest CPUs, class 0 for the nearest initiators,
 * which may be devices.
 */
static int read_promise(const char *root, int node, const char *name)
{
	for (int class = 1; class >= 0; class --) {
		const int number =
			rootfs_int(root, 0, NODE_DIRECTORY "/node%d/access%d/initiators/%s", node,
				   class, name);

		if (number > 0)
			return number;
	}
	return 0;
}

static struct memory_node read_node(const char *root, int node)
{
	const int weight = rootfs_int(root, 0, NODE_WEIGHTS "/node%d", node);

	return (struct memory_node){
		.node = node,
		.read_MBps = read_promise(root, node, "read_bandwidth"),
		.write_MBps = read_promise(root, node, "write_bandwidth"),
		.read_ns = read_promise(root, node, "read_latency"),
		.write_ns = read_promise(root, node, "write_latency"),
		.weight = weight > 0 && weight <= NODE_WEIGHT_MOST ? (unsigned)weight : 0,
		.tier = -1,
	};
}

static void set_tier(const char *root, unsigned tier, struct memory_layout *layout)
{
	char list[NUMLIST_SIZE];

	rootfs_line(list, sizeof(list), root, TIERS "/memory_tier%u/nodelist", tier);
	for (size_t i = 0; i < layout->node_count; i++)
		if (numlist_contains(list, (unsigned)layout->nodes[i].node))
			layout->nodes[i].tier = (int)tier;
}

static int read_nodes(const char *root, struct memory_layout *out)
{
	unsigned *numbers = NULL;
	size_t count;
	int rc = sysfs_indices(&numbers, &count, "node", root, NODE_DIRECTORY);

	out->nodes = rc ? NULL : calloc(count + 1, sizeof(*out->nodes));
	if (!out->nodes)
		rc = -ENOMEM;
	for (size_t i = 0; !rc && i < count; i++)
		out->nodes[out->node_count++] = read_node(root, (int)numbers[i]);
	free(numbers);
	return rc;
}

int linux_memory_layout(struct platform *p, struct memory_layout *out, struct error *err)
{
	const char *root = linux_of(p)->root;
	unsigned *tiers = NULL;
	size_t tier_count = 0;

	*out = (struct memory_layout){.nodes = NULL};
	int rc = read_nodes(root, out);
	if (!rc)
		rc = sysfs_indices(&tiers, &tier_count, "memory_tier", root, TIERS);
	for (size_t i = 0; !rc && i < tier_count; i++)
		set_tier(root, tiers[i], out);
	free(tiers);
	if (!rc)
		rc = linux_cxl_regions(root, &out->regions, &out->region_count);
	return rc ? error_no_memory(err) : 0;
}

/* Adds blocks of a node; consecutive blocks are one range. */
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

/* Adds devdax memory. If the ranges of a device are unknown, its addresses have no node. */
static int add_devdax(struct platform *p, struct memory_map *map)
{
	const char *root = linux_of(p)->root;
	struct devdax *devices;
	size_t count;
	int rc = devdax_list(root, &devices, &count);

	for (size_t i = 0; !rc && i < count; i++) {
		rc = devdax_add_ranges(root, &devices[i], map);
		if (rc && rc != -ENOMEM) {
			log_write(&p->log, LEVEL_NOTE,
				  "physical addresses of /dev/%s are unknown: %s%s: reads there "
				  "belong to no node",
				  devices[i].name, strerror(-rc),
				  rc == -EACCES ? " (only root may know them)" : "");
			rc = 0;
		}
	}
	free(devices);
	return rc;
}

/*
 * Adds regions, which the kernel shows from Linux 6.16 on.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-firmware-acpi (memory_ranges).
 */
static int add_regions(const char *root, struct memory_map *map)
{
	static const char *const ids[] = {"local_region_id", "remote_region_id"};
	unsigned *ranges;
	size_t count;
	int rc = sysfs_indices(&ranges, &count, "range", root, RANGES);

	if (!rc)
		rc = array_room(&map->regions, 0, 2 * count + 1, sizeof(*map->regions));
	for (size_t i = 0; !rc && i < 2 * count; i++) {
		const unsigned range = ranges[i / 2];
		const struct region_node of = {
			.region = rootfs_int(root, -1, RANGES "/range%u/%s", range, ids[i % 2]),
			.node = rootfs_int(root, -1, RANGES "/range%u/node", range),
		};

		if (of.region >= 0 && of.region < MEMORY_REGION_IDS)
			map->regions[map->region_count++] = of;
	}
	free(ranges);
	return rc;
}

int linux_memory_map(struct platform *p, struct memory_map *out, struct error *err)
{
	const char *root = linux_of(p)->root;
	const uint64_t size = linux_block_size(root);
	struct cxl_region *regions = NULL;
	unsigned *nodes = NULL;
	size_t count = 0, region_count = 0;

	*out = (struct memory_map){.count = 0};
	int rc = size ? sysfs_indices(&nodes, &count, "node", root, NODE_DIRECTORY) : 0;
	for (size_t i = 0; !rc && i < count; i++) {
		unsigned *blocks;
		size_t block_count;

		rc = sysfs_indices(&blocks, &block_count, "memory", root, NODE_DIRECTORY "/node%u",
				   nodes[i]);
		if (!rc)
			rc = add_blocks(out, blocks, block_count, size, (int)nodes[i]);
		free(blocks);
	}
	free(nodes);
	if (!rc)
		rc = add_devdax(p, out);
	if (!rc)
		rc = add_regions(root, out);
	if (!rc)
		rc = linux_cxl_regions(root, &regions, &region_count);
	if (!rc)
		rc = memory_map_separate(out, regions, region_count);
	free(regions);
	return rc ? error_no_memory(err) : 0;
}
