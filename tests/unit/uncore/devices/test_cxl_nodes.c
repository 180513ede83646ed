/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/cxl_nodes.h"

#include "fake_machine.h"
#include "unit.h"

static struct fake_machine fake;
static struct cxl_nodes nodes;
static struct error err;

static void begin(void)
{
	fake_init(&fake);
	err = (struct error){0};
}

static void end(void)
{
	cxl_nodes_free(&nodes);
}

static void add_device(const char *name, int node)
{
	struct cxl_device *device = &fake.devices[fake.device_count++];

	*device = (struct cxl_device){.node = node, .depth = 1};
	strcpy(device->name, name);
}

static int find(const char *list, const char *devices)
{
	const struct cxl_node_choice choice = {.nodes = list, .devices = devices};

	return cxl_nodes_find(&fake.base, tree_root(), &choice, &nodes, &err);
}

static void expect(const char *expected)
{
	char text[CXL_NODES_TEXT_SIZE];

	ck_assert_msg(!err.code, "%s", err.text);
	ck_assert_str_eq(cxl_nodes_text(&nodes, text), expected);
}

static void expect_error(enum error_kind kind, const char *part)
{
	ck_assert(err.code);
	ck_assert_int_eq(err.kind, kind);
	assert_contains(err.text, part);
	ck_assert_uint_eq(nodes.count, 0);
}

TREE_FIXTURE(begin, end)

TEST(test_nodes_of_devices_are_found_once_each)
{
	add_device("mem0", 3);
	add_device("mem1", 1);
	add_device("mem2", -1);
	add_device("mem3", 3);
	find(NULL, NULL);
	expect("nodes 1, 3");
}

TEST(test_devices_choose_their_nodes)
{
	add_device("mem0", 3);
	add_device("mem1", 1);
	add_device("mem10", 4);
	find(NULL, "mem1");
	expect("node 1");
	end();
	find("0-3", "/dev/cxl/mem0,mem10");
	expect("node 3");
	end();
	find("5", "mem1");
	expect_error(ERROR_USAGE, "--device and --node; known devices: mem0 (node 3), mem1");
	find(NULL, "mem7");
	expect_error(ERROR_USAGE, "no NUMA node is selected by --device; known devices: mem0");
}

TEST(test_any_node_can_be_chosen)
{
	find("0,2-3", NULL);
	expect("nodes 0, 2, 3");
	end();
	tree_directory("sys/devices/system/node/node0");
	tree_directory("sys/devices/system/node/node2");
	find("0,2", NULL);
	expect("nodes 0, 2");
	end();
	find("0-2", NULL);
	expect_error(ERROR_USAGE, "there is no NUMA node 1: expected nodes 0, 2");
	err.code = 0;
	add_device("mem0", 1);
	find("0-2", NULL);
	expect("nodes 0, 1, 2");
}

/* A simulated machine has no files: its nodes are those with memory. */
TEST(test_nodes_of_a_simulated_machine_are_known)
{
	struct platform *sim = sim_make("spr,sockets=2,clock=virtual");
	const struct cxl_node_choice first = {.nodes = "0"}, ninth = {.nodes = "9"};

	cxl_nodes_find(sim, NULL, &first, &nodes, &err);
	expect("node 0");
	end();
	cxl_nodes_find(sim, NULL, &ninth, &nodes, &err);
	expect_error(ERROR_USAGE, "there is no NUMA node 9: expected nodes 0, 1, 2");
}

TEST(test_numbers_that_no_node_has_are_refused)
{
	find("1024", NULL);
	expect_error(ERROR_USAGE, "--node=1024: expected");
	find("4294967297", NULL);
	expect_error(ERROR_USAGE, "--node=4294967297: expected");
}

TEST(test_a_machine_without_cxl_memory_is_said_to_have_none)
{
	find(NULL, NULL);
	expect_error(ERROR_NO_UNIT, "the kernel knows no CXL memory device");
	assert_contains(err.text, "--node=N");
	find(NULL, "mem0");
	expect_error(ERROR_NO_UNIT, "the kernel knows no CXL memory device");
	add_device("mem0", -1);
	find(NULL, NULL);
	expect_error(ERROR_NO_UNIT, "to have memory of a CXL device (mem0)");
	find(NULL, "mem0");
	expect_error(ERROR_USAGE, "known devices: mem0");
}

TEST(test_many_nodes_are_shortened_in_a_message)
{
	char text[CXL_NODES_TEXT_SIZE];

	find("0-1023", NULL);
	ck_assert_uint_eq(nodes.count, 1024);
	ck_assert_uint_lt(strlen(cxl_nodes_text(&nodes, text)), sizeof(text));
}
