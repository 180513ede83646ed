/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes with traffic, and CPUs for the traffic of a node. */
#include "linux/linux.h"
#include "probe/load/under_load.h"
#include "unit.h"

/* This machine does not have these nodes. */
TEST(test_each_node_without_memory_is_listed_and_skipped)
{
	struct cpu_location cpus[] = {{.node = 1000}, {.cpu = 1, .node = 1001}};
	struct machine machine = {.topology = {.cpus = cpus, .count = COUNT_OF(cpus)}};
	const struct load_choice all = {.node = -1};
	const struct view view = {.table = {.row_count = 0}};
	struct load_nodes nodes = {.at = NULL};
	struct error err;

	ck_assert_int_eq(platform_linux("/", &silent_log, &machine.platform, &err), 0);
	destroy_at_end(machine.platform);
	ck_assert_int_eq(load_nodes_find(&nodes, &machine, &view, &all, &err), 0);
	ck_assert_uint_eq(nodes.count, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(nodes.at[i].node, 1000 + (int)i);
		ck_assert_int_ne(nodes.at[i].skipped.code, 0);
	}
	load_nodes_free(&nodes);
}

/* Two dies of two cores with two threads each, and another socket. */
TEST(test_traffic_comes_from_a_cpu_of_each_core_of_the_socket)
{
	struct cpu_location cpus[] = {
		{.cpu = 0, .socket = 1, .core = 0, .die = 0},
		{.cpu = 1, .core = 0, .die = 0},
		{.cpu = 2, .core = 0, .die = 1},
		{.cpu = 3, .core = 1, .die = 0},
		{.cpu = 4, .core = 1, .die = 1},
		{.cpu = 5, .core = 0, .die = 0},
		{.cpu = 6, .core = 0, .die = 1},
		{.cpu = 7, .core = 1, .die = 0},
	};
	const struct topology topology = {.cpus = cpus, .count = COUNT_OF(cpus)};
	unsigned chosen[LOAD_NODE_CPUS];

	ck_assert_uint_eq(load_node_cpus(&topology, 0, chosen), 4);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(chosen[i], 1 + i);
	/* without core numbers, each CPU is one */
	for (size_t i = 0; i < COUNT_OF(cpus); i++)
		cpus[i].core = -1;
	ck_assert_uint_eq(load_node_cpus(&topology, 0, chosen), 7);
}
