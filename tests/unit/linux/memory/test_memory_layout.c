/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdarg.h>

#include "linux/memory/nodes.h"
#include "platform/memory.h"
#include "unit.h"

#define NODE   "sys/devices/system/node/node"
#define TIERS  "sys/devices/virtual/memory_tiering"
#define REGION "sys/bus/cxl/devices/region"

static struct memory_layout layout;

static void forget(void)
{
	memory_layout_free(&layout);
}

static void read_layout(void)
{
	struct error err = {0};

	forget();
	ck_assert_msg(!linux_memory_layout(tree_platform(), &layout, &err), "%s", err.text);
}

/* Makes the file of a node that firmware's class of initiators has. */
static void promise(int node, int class, const char *name, const char *text)
{
	tree_file(tree_name(NODE "%d/access%d/initiators/%s", node, class, name), "%s\n", text);
}

TREE_FIXTURE(NULL, forget)

TEST(test_a_kernel_that_says_nothing_has_no_node_and_no_region)
{
	read_layout();
	ck_assert_uint_eq(layout.node_count, 0);
	ck_assert_uint_eq(layout.region_count, 0);
	ck_assert_ptr_null(memory_layout_node(&layout, 0));
}

TEST(test_a_node_has_what_firmware_promises_its_weight_and_its_tier)
{
	promise(2, 1, "read_bandwidth", "30000");
	promise(2, 1, "write_bandwidth", "28000");
	promise(2, 1, "read_latency", "250");
	promise(2, 1, "write_latency", "260");
	tree_file(NODE_WEIGHTS "/node2", "3\n");
	tree_file(TIERS "/memory_tier4/nodelist", "0-1\n");
	tree_file(TIERS "/memory_tier22/nodelist", "2-3\n");
	read_layout();
	const struct memory_node *node = memory_layout_node(&layout, 2);

	ck_assert_double_eq(node->read_MBps, 30000);
	ck_assert_double_eq(node->write_MBps, 28000);
	ck_assert_double_eq(node->read_ns, 250);
	ck_assert_double_eq(node->write_ns, 260);
	ck_assert_uint_eq(node->weight, 3);
	ck_assert_int_eq(node->tier, 22);
}

TEST(test_the_nearest_cpus_count_more_than_the_nearest_initiator)
{
	promise(2, 0, "read_latency", "100");
	promise(2, 0, "read_bandwidth", "9000");
	promise(2, 1, "read_latency", "250");
	read_layout();
	ck_assert_double_eq(layout.nodes[0].read_ns, 250);
	ck_assert_double_eq(layout.nodes[0].read_MBps, 9000);
}

static const char *const no_numbers[] = {"", "0", "-1", "Unknown", "99999999999999999999", "12 x"};

TEST_LOOP(test_what_is_no_number_is_not_said, (int)COUNT_OF(no_numbers))
{
	promise(0, 1, "read_latency", no_numbers[_i]);
	tree_file(NODE_WEIGHTS "/node0", "%s\n", no_numbers[_i]);
	tree_file(TIERS "/memory_tier4/nodelist", "%s\n",
		  *no_numbers[_i] == '0' ? "" : no_numbers[_i]);
	read_layout();
	ck_assert_double_eq(layout.nodes[0].read_ns, 0);
	ck_assert_uint_eq(layout.nodes[0].weight, 0);
	ck_assert_int_eq(layout.nodes[0].tier, -1);
}

TEST(test_a_region_has_its_ways_size_and_mode)
{
	tree_file(REGION "3/interleave_ways", "4\n");
	tree_file(REGION "3/interleave_granularity", "512\n");
	tree_file(REGION "3/size", "0x4000000000\n");
	tree_file(REGION "3/mode", "pmem\n");
	read_layout();
	ck_assert_uint_eq(layout.region_count, 1);
	ck_assert_str_eq(layout.regions[0].name, "region3");
	ck_assert_uint_eq(layout.regions[0].ways, 4);
	ck_assert_uint_eq(layout.regions[0].granularity, 512);
	ck_assert_uint_eq(layout.regions[0].bytes, UINT64_C(256) << 30);
	ck_assert_str_eq(layout.regions[0].mode, "pmem");
	ck_assert_uint_eq(layout.regions[0].device_count, 0);
	ck_assert_int_eq(layout.regions[0].node, -1);
}

static const char *const no_ways[] = {"", "0", "-2", "17", "many", "4294967296"};

TEST_LOOP(test_more_ways_than_there_can_be_are_not_known, (int)COUNT_OF(no_ways))
{
	tree_file(REGION "0/interleave_ways", "%s\n", no_ways[_i]);
	tree_file(REGION "0/interleave_granularity", "%s\n", no_ways[_i]);
	tree_file(REGION "0/mode", "no \x1b[31m name\n");
	read_layout();
	ck_assert_uint_eq(layout.regions[0].ways, 0);
	ck_assert_str_eq(layout.regions[0].mode, "");
}
