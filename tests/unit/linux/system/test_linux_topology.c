/* SPDX-License-Identifier: BSD-3-Clause */

#include "linux/system/linux_platform.h"
#include "linux/system/topology.h"
#include "platform/cpus.h"
#include "unit.h"

#define CPUS "sys/devices/system/cpu"

static struct error err;

static struct topology topology;

static void forget(void)
{
	topology_free(&topology);
}

static void make_cpu(unsigned cpu, int socket, int node)
{
	tree_file(tree_name(CPUS "/cpu%u/topology/physical_package_id", cpu), "%d\n", socket);
	if (node >= 0)
		tree_directory(tree_name(CPUS "/cpu%u/node%d", cpu, node));
}

static void assert_places(const struct cpu_location *expected, size_t count)
{
	ck_assert_msg(!linux_topology(tree_platform(), &topology, &err), "%s", err.text);
	ck_assert_uint_eq(topology.count, count);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(topology.cpus[i].cpu, expected[i].cpu);
		ck_assert_int_eq(topology.cpus[i].socket, expected[i].socket);
		ck_assert_int_eq(topology.cpus[i].node, expected[i].node);
	}
}

TREE_FIXTURE(NULL, forget)

TEST(test_two_sockets_are_listed_by_ascending_cpu)
{
	static const struct cpu_location expected[] = {{0, 0, 0},  {1, 0, 0},  {2, 1, 1},
						       {3, 1, 1},  {10, 0, 0}, {11, 0, 0},
						       {12, 1, 1}, {100, 1, 1}};

	for (size_t i = COUNT_OF(expected); i-- > 0;)
		make_cpu(expected[i].cpu, expected[i].socket, expected[i].node);
	tree_file(CPUS "/online", "0-127\n");
	assert_places(expected, COUNT_OF(expected));
}

/*
 * The kernel on Arm has such numbers without a table of the processor's topology. Without a list of
 * CPUs that are online, all are.
 */
TEST(test_a_package_that_the_kernel_does_not_know_is_the_only_one)
{
	static const struct cpu_location expected[] = {{0, 0, 0}, {1, 0, 0}};

	make_cpu(0, -1, 0);
	make_cpu(1, -1, 0);
	assert_places(expected, COUNT_OF(expected));
}

static void assert_spared(const unsigned expected[4])
{
	struct linux_platform *l = linux_of(tree_platform());

	l->cpus = (struct affinity){0};
	for (unsigned cpu = 0; cpu < 3; cpu++)
		CPU_SET(cpu, &l->cpus.sets[0]);
	ck_assert_int_eq(linux_topology(&l->base, &topology, &err), 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(topology.cpus[i].spared, expected[i]);
	topology_free(&topology);
}

TEST(test_cpus_are_spared_that_are_isolated_or_tickless_or_not_this_process_own)
{
	for (unsigned cpu = 0; cpu < 4; cpu++)
		make_cpu(cpu, 0, 0);
	/* a kernel without these files */
	assert_spared((unsigned[]){0, 0, 0, SPARED_FOREIGN});
	/* files of a kernel without isolcpus= and nohz_full= */
	tree_file(CPUS "/isolated", "\n");
	tree_file(CPUS "/nohz_full", "(null)\n");
	assert_spared((unsigned[]){0, 0, 0, SPARED_FOREIGN});
	tree_file(CPUS "/isolated", "1,3\n");
	assert_spared((unsigned[]){0, SPARED_ISOLATED, 0, SPARED_ISOLATED | SPARED_FOREIGN});
	tree_file(CPUS "/nohz_full", "2-3\n");
	assert_spared((unsigned[]){0, SPARED_ISOLATED, SPARED_ISOLATED,
				   SPARED_ISOLATED | SPARED_FOREIGN});
}

TEST(test_threads_of_a_core_have_its_number)
{
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		make_cpu(cpu, 0, 0);
		if (cpu != 3)
			tree_file(tree_name(CPUS "/cpu%u/topology/core_id", cpu), "%u\n",
				  8 + cpu % 2);
	}
	ck_assert_int_eq(linux_topology(tree_platform(), &topology, &err), 0);
	ck_assert_int_eq(topology.cpus[0].core, 8);
	ck_assert_int_eq(topology.cpus[1].core, 9);
	ck_assert_int_eq(topology.cpus[2].core, 8);
	ck_assert_int_eq(topology.cpus[3].core, -1); /* unknown */
}

/* Numbers of the kernel: for each socket anew, or, from 6.9 on, across sockets. */
static const int die_ids[][6] = {{0, 1, 1, 0, 1, 1}, {0, 1, 1, 2, 3, 3}, {4, 6, 6, 8, 12, 12}};

TEST_LOOP(test_dies_are_numbered_within_their_socket, (int)COUNT_OF(die_ids))
{
	for (unsigned cpu = 0; cpu < 6; cpu++) {
		make_cpu(cpu, cpu / 3, 0);
		tree_file(tree_name(CPUS "/cpu%u/topology/die_id", cpu), "%d\n", die_ids[_i][cpu]);
	}
	ck_assert_int_eq(linux_topology(tree_platform(), &topology, &err), 0);
	for (unsigned cpu = 0; cpu < 6; cpu++)
		ck_assert_int_eq(topology.cpus[cpu].die, cpu % 3 > 0);
}

TEST(test_a_socket_whose_dies_are_not_known_has_one)
{
	for (unsigned cpu = 0; cpu < 2; cpu++)
		make_cpu(cpu, (int)cpu, 0);
	ck_assert_int_eq(linux_topology(tree_platform(), &topology, &err), 0);
	ck_assert_int_eq(topology.cpus[0].die, 0);
	ck_assert_int_eq(topology.cpus[1].die, 0);
}

TEST(test_an_offline_cpu_is_left_out)
{
	static const struct cpu_location expected[] = {{0, 0, 0}, {3, 1, 1}};

	make_cpu(0, 0, 0);
	make_cpu(1, 0, 0);
	make_cpu(2, 1, 1);
	make_cpu(3, 1, 1);
	tree_file(CPUS "/online", "0,3\n");
	assert_places(expected, COUNT_OF(expected));
}

TEST(test_a_cpu_is_on_the_node_that_its_directory_names)
{
	static const struct cpu_location expected[] = {{0, 0, 2}, {1, 0, 13}, {2, 0, -1}};

	make_cpu(0, 0, 2);
	make_cpu(1, 0, -1);
	tree_link(CPUS "/cpu1/node13", "../../node/node13");
	make_cpu(2, 0, -1);
	tree_directory(CPUS "/cpu2/node");
	tree_directory(CPUS "/cpu2/node_list");
	tree_directory(CPUS "/cpu2/node1x");
	assert_places(expected, COUNT_OF(expected));
}

TEST(test_a_cpu_without_a_package_is_in_socket_0)
{
	static const struct cpu_location expected[] = {{4, 0, -1}};

	tree_directory(CPUS "/cpu4");
	assert_places(expected, COUNT_OF(expected));
}

TEST(test_what_only_resembles_a_cpu_is_none)
{
	static const struct cpu_location expected[] = {{0, 0, -1}};

	make_cpu(0, 0, -1);
	tree_directory(CPUS "/cpufreq");
	tree_directory(CPUS "/cpuidle");
	tree_directory(CPUS "/cpu1x");
	tree_directory(CPUS "/cpu-1");
	tree_directory(CPUS "/cpu");
	tree_directory(CPUS "/xcpu1");
	assert_places(expected, COUNT_OF(expected));
}

TEST(test_every_second_of_1024_cpus_is_found)
{
	static struct cpu_location expected[512];
	char list[4096];
	int used = 0;

	for (unsigned i = 0; i < COUNT_OF(expected); i++) {
		expected[i] = (struct cpu_location){.cpu = 2 * i, .socket = 0, .node = -1};
		make_cpu(2 * i, 0, -1);
		used += sprintf(list + used, "%s%u", i ? "," : "", 2 * i);
	}
	tree_file(CPUS "/online", "%s\n", list);
	assert_places(expected, COUNT_OF(expected));
}

static void assert_no_topology(int code)
{
	ck_assert_int_eq(linux_topology(tree_platform(), &topology, &err), code);
	ck_assert_int_eq(err.code, code);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, CPUS);
	ck_assert_ptr_null(topology.cpus);
	ck_assert_uint_eq(topology.count, 0);
	ck_assert_int_eq(linux_topology(tree_platform(), &topology, NULL), code);
}

TEST(test_without_the_directory_there_is_no_topology)
{
	assert_no_topology(-ENOENT);
}

TEST(test_without_an_online_cpu_there_is_no_topology)
{
	make_cpu(0, 0, 0);
	tree_file(CPUS "/online", "7\n");
	assert_no_topology(-ENODEV);
}

TEST(test_the_lowest_offline_cpu_is_found_and_without_a_list_none)
{
	for (unsigned cpu = 0; cpu < 12; cpu++)
		make_cpu(cpu, 0, 0);
	ck_assert_int_eq(linux_offline_cpu(tree_root()), -1);
	tree_file(CPUS "/online", "0-1,3-9\n");
	ck_assert_int_eq(linux_offline_cpu(tree_root()), 2);
	tree_file(CPUS "/online", "0-10\n");
	ck_assert_int_eq(linux_offline_cpu(tree_root()), 11);
	tree_file(CPUS "/online", "0-127\n");
	ck_assert_int_eq(linux_offline_cpu(tree_root()), -1);
}
