/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/watch.h"

#include "fake_machine.h"
#include "unit.h"

static struct fake_machine fake;
static struct who_nodes nodes;
static struct error err;

static void begin(void)
{
	fake_init(&fake);
	fake.devices[fake.device_count++] =
		(struct cxl_device){.name = "mem0", .node = 2, .depth = 1};
}

static void end(void)
{
	who_nodes_free(&nodes);
}

TREE_FIXTURE(begin, end)

static void devdax(const char *name, const char *node)
{
	char path[200];

	snprintf(path, sizeof(path), DAX_BUS "/%s/target_node", name);
	tree_file(path, "%s\n", node);
	snprintf(path, sizeof(path), DAX_BUS "/%s/driver", name);
	tree_link(path, "../../../../bus/dax/drivers/device_dax");
}

TEST(test_devices_in_devdax_mode_are_those_of_the_nodes)
{
	const struct cxl_node_choice any = {.nodes = NULL}, third = {.nodes = "3"};

	devdax("dax0.0", "2");
	devdax("dax1.0", "3"); /* belongs to no CXL device */
	devdax("dax2.0", "-1");
	ck_assert_int_eq(who_nodes_find(&fake.base, tree_root(), &any, &nodes, &err), 0);
	ck_assert(cxl_nodes_contain(&nodes.numa, 2));
	ck_assert_uint_eq(nodes.dax_count, 1);
	ck_assert_str_eq(nodes.dax[0].name, "dax0.0");
	who_nodes_free(&nodes);
	ck_assert_int_eq(who_nodes_find(&fake.base, tree_root(), &third, &nodes, &err), 0);
	ck_assert_uint_eq(nodes.dax_count, 1);
	ck_assert_str_eq(nodes.dax[0].name, "dax1.0");
}
