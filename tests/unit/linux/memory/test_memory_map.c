/* SPDX-License-Identifier: BSD-3-Clause */

#include "linux/memory/nodes.h"
#include "platform/memory.h"
#include "unit.h"

#define DAX    "sys/bus/dax/devices"
#define NODES  "sys/devices/system/node"
#define REGION "sys/bus/cxl/devices/region0"
#define RANGES "sys/firmware/acpi/memory_ranges"

static struct memory_map map;

static void forget(void)
{
	memory_map_free(&map);
	map = (struct memory_map){.count = 0};
}

TREE_FIXTURE(NULL, forget)

TEST(test_an_address_belongs_to_the_node_of_its_block)
{
	tree_file("sys/devices/system/memory/block_size_bytes", "8000000\n");
	tree_directory(NODES "/node0/memory0");
	tree_directory(NODES "/node0/memory1");
	tree_directory(NODES "/node0/memory9");
	tree_directory(NODES "/node2/memory2");
	tree_directory(NODES "/node2/memory10");
	tree_file(NODES "/node2/memory_failure", "1");
	ck_assert_int_eq(linux_memory_map(tree_platform(), &map, NULL), 0);
	ck_assert_uint_eq(map.count, 4);
	ck_assert_int_eq(memory_map_node(&map, 0), 0);
	ck_assert_int_eq(memory_map_node(&map, 0x0fffffff), 0);
	ck_assert_int_eq(memory_map_node(&map, 0x10000000), 2);
	ck_assert_int_eq(memory_map_node(&map, 0x17ffffff), 2);
	ck_assert_int_eq(memory_map_node(&map, 0x18000000), -1);
	ck_assert_int_eq(memory_map_node(&map, 0x48000000), 0);
	ck_assert_int_eq(memory_map_node(&map, 0x50000000), 2);
	ck_assert_int_eq(memory_map_node(&map, UINT64_MAX), -1);
}

/* Linux 6.16 shows two ranges; an invalid id is -1 or absent there. */
TEST(test_ranges_of_firmware_say_which_nodes_a_region_has)
{
	tree_file(RANGES "/range0/node", "0\n");
	tree_file(RANGES "/range0/local_region_id", "0\n");
	tree_file(RANGES "/range0/remote_region_id", "1\n");
	tree_file(RANGES "/range1/node", "2\n");
	tree_file(RANGES "/range1/local_region_id", "7\n");
	tree_file(RANGES "/range1/remote_region_id", "-1\n");
	tree_file(RANGES "/range2/local_region_id", "8\n");
	tree_file(RANGES "/range3/local_region_id", "3\n");
	ck_assert_int_eq(linux_memory_map(tree_platform(), &map, NULL), 0);
	ck_assert_uint_eq(map.region_count, 4);
	static const struct region_node expected[] = {{0, 0}, {1, 0}, {7, 2}, {3, -1}};
	for (size_t i = 0; i < map.region_count; i++) {
		ck_assert_int_eq(map.regions[i].region, expected[i].region);
		ck_assert_int_eq(map.regions[i].node, expected[i].node);
	}
}

TEST(test_without_blocks_no_address_is_known)
{
	tree_directory(NODES "/node0");
	ck_assert_int_eq(linux_memory_map(tree_platform(), &map, NULL), 0);
	ck_assert_uint_eq(map.count, 0);
	ck_assert_int_eq(memory_map_node(&map, 4096), -1);
}

/*
 * Node 2 is a region that begins and ends within a block; DRAM is before it, another region after
 * it.
 */
TEST(test_what_nodes_share_is_of_the_region_there_or_of_an_unknown_node)
{
	tree_file("sys/devices/system/memory/block_size_bytes", "8000000\n");
	tree_directory(NODES "/node0/memory0");
	tree_directory(NODES "/node0/memory1");
	tree_directory(NODES "/node2/memory1");
	tree_directory(NODES "/node2/memory2");
	tree_directory(NODES "/node2/memory3");
	tree_directory(NODES "/node4/memory3");
	tree_directory("sys/devices/system/memory/memory2/node2");
	tree_file(REGION "/resource", "0xc000000\n");
	tree_file(REGION "/size", "0xe000000\n");
	ck_assert_int_eq(linux_memory_map(tree_platform(), &map, NULL), 0);
	ck_assert_int_eq(memory_map_node(&map, 0x7ffffff), 0);
	ck_assert_int_eq(memory_map_node(&map, 0x8000000), -1);
	ck_assert_int_eq(memory_map_node(&map, 0xbffffff), -1);
	ck_assert_int_eq(memory_map_node(&map, 0xc000000), 2);
	ck_assert_int_eq(memory_map_node(&map, 0x10000000), 2);
	ck_assert_int_eq(memory_map_node(&map, 0x19ffffff), 2);
	ck_assert_int_eq(memory_map_node(&map, 0x1a000000), -1);
	ck_assert_int_eq(memory_map_node(&map, 0x1fffffff), -1);
	ck_assert_int_eq(memory_map_node(&map, 0x20000000), -1);
}

TEST(test_what_three_nodes_share_is_of_none_of_them)
{
	tree_file("sys/devices/system/memory/block_size_bytes", "8000000\n");
	tree_directory(NODES "/node0/memory1");
	tree_directory(NODES "/node1/memory1");
	tree_directory(NODES "/node2/memory1");
	ck_assert_int_eq(linux_memory_map(tree_platform(), &map, NULL), 0);
	ck_assert_int_eq(memory_map_node(&map, 0x8000000), -1);
}

/* The memory is between blocks, and after them. */
TEST(test_memory_in_devdax_mode_has_the_node_that_it_would_be_of)
{
	tree_file("sys/devices/system/memory/block_size_bytes", "8000000\n");
	tree_directory(NODES "/node0/memory0");
	tree_directory(NODES "/node0/memory3");
	for (unsigned i = 0; i < 3; i++) {
		tree_file(tree_name(DAX "/dax%u.0/resource", i), "0x%x\n",
			  0x8000000 * (i + 1) + (i ? 0x8000000 * 4 : 0));
		tree_file(tree_name(DAX "/dax%u.0/size", i), "%u\n", 0x200000);
		tree_file(tree_name(DAX "/dax%u.0/target_node", i), "2\n");
		tree_link(tree_name(DAX "/dax%u.0/driver", i),
			  i == 2 ? "../kmem" : "../device_dax");
	}
	tree_link(DAX "/dax7.0/driver", "../device_dax"); /* a device with an unknown range */
	ck_assert_int_eq(linux_memory_map(tree_platform(), &map, NULL), 0);
	ck_assert_uint_eq(map.count, 4);
	ck_assert_int_eq(memory_map_node(&map, 0x7ffffff), 0);
	ck_assert_int_eq(memory_map_node(&map, 0x8000000), 2);
	ck_assert_int_eq(memory_map_node(&map, 0x81fffff), 2);
	ck_assert_int_eq(memory_map_node(&map, 0x8200000), -1);
	ck_assert_int_eq(memory_map_node(&map, 0x18000000), 0);
	ck_assert_int_eq(memory_map_node(&map, 0x30000000), 2);
	ck_assert_int_eq(memory_map_node(&map, 0x38000000), -1);
}
