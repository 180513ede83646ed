/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/platform.h"

#include "platform/cpus.h"
#include "unit.h"

/*
 * Alternating CPUs of two sockets, the second with two NUMA nodes; and a CPU with an unknown node.
 */
static struct cpu_location places[] = {
	{.cpu = 1, .socket = 1, .node = 2},  {.cpu = 2, .socket = 0, .node = 0},
	{.cpu = 5, .socket = 1, .node = 3},  {.cpu = 6, .socket = 0, .node = 0},
	{.cpu = 9, .socket = 4, .node = -1},
};
static const struct topology topology = {.cpus = places, .count = COUNT_OF(places)};

TEST(test_registers_are_reached_through_the_first_cpu_that_is_spared_least)
{
	static struct cpu_location cpus[] = {
		{.cpu = 0, .spared = SPARED_ISOLATED},
		{.cpu = 1, .spared = SPARED_FOREIGN},
		{.cpu = 2},
		{.cpu = 3},
		{.cpu = 4, .socket = 1, .spared = SPARED_ISOLATED},
		{.cpu = 5, .socket = 1, .spared = SPARED_FOREIGN},
		{.cpu = 6, .socket = 2, .spared = SPARED_ISOLATED | SPARED_FOREIGN},
		{.cpu = 7, .socket = 2, .spared = SPARED_ISOLATED},
	};
	const struct topology spared = {.cpus = cpus, .count = COUNT_OF(cpus)};

	ck_assert_int_eq(topology_reader_cpu(&spared, 0), 2);
	ck_assert_int_eq(topology_reader_cpu(&spared, 1), 5);
	ck_assert_int_eq(topology_reader_cpu(&spared, 2), 7);
}

TEST(test_where_none_is_spared_that_is_the_first_of_its_socket)
{
	ck_assert_int_eq(topology_reader_cpu(&topology, 0), 2);
	ck_assert_int_eq(topology_reader_cpu(&topology, 1), 1);
	ck_assert_int_eq(topology_reader_cpu(&topology, 4), 9);
	ck_assert_int_eq(topology_reader_cpu(&topology, 2), -1);
	ck_assert_int_eq(topology_reader_cpu(&topology, -1), -1);
}

TEST(test_a_node_belongs_to_the_socket_of_its_cpus)
{
	ck_assert_int_eq(topology_socket_of_node(&topology, 0), 0);
	ck_assert_int_eq(topology_socket_of_node(&topology, 2), 1);
	ck_assert_int_eq(topology_socket_of_node(&topology, 3), 1);
	ck_assert_int_eq(topology_socket_of_node(&topology, 1), -1);
}

TEST(test_a_device_without_a_node_belongs_to_the_only_socket)
{
	static struct cpu_location one[] = {{.cpu = 0, .socket = 4, .node = -1},
					    {.cpu = 1, .socket = 4, .node = 7}};
	const struct topology single = {.cpus = one, .count = COUNT_OF(one)}, empty = {0};

	ck_assert_int_eq(topology_socket_of_device(&single, -1), 4);
	ck_assert_int_eq(topology_socket_of_device(&single, 7), 4);
	ck_assert_int_eq(topology_socket_of_device(&single, 1), -1);
	ck_assert_int_eq(topology_socket_of_device(&topology, -1), -1);
	ck_assert_int_eq(topology_socket_of_device(&topology, 2), 1);
	ck_assert_int_eq(topology_socket_of_device(&empty, -1), -1);
}

TEST(test_the_only_socket_with_online_cpus_need_not_have_a_device_without_a_node)
{
	static struct cpu_location one[] = {{.cpu = 0, .socket = 4, .node = 7}};
	const struct topology half = {.cpus = one, .count = 1, .has_offline_socket = true};

	ck_assert_int_eq(topology_socket_of_device(&half, -1), -1);
	ck_assert_int_eq(topology_socket_of_device(&half, 7), 4);
}

TEST(test_no_cpus_are_in_no_socket)
{
	const struct topology empty = {0};

	ck_assert_int_eq(topology_reader_cpu(&empty, 0), -1);
	ck_assert_int_eq(topology_socket_of_node(&empty, 0), -1);
}

TEST(test_a_freed_topology_is_empty)
{
	struct topology t = {.cpus = calloc(2, sizeof(*t.cpus)), .count = 2};

	topology_free(&t);
	ck_assert_ptr_null(t.cpus);
	ck_assert_uint_eq(t.count, 0);
	topology_free(&t);
}

static unsigned destroyed;

static void count_destroy(struct platform *p)
{
	(void)p;
	destroyed++;
}

TEST(test_destroy_asks_the_platform_once)
{
	static const struct platform_ops ops = {.destroy = count_destroy};
	struct platform p = {.ops = &ops};

	platform_destroy(&p);
	ck_assert_uint_eq(destroyed, 1);
	platform_destroy(NULL);
	ck_assert_uint_eq(destroyed, 1);
}
