/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUs for the traffic of a node. */
#include "probe/load/under_load.h"
#include "unit.h"

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
