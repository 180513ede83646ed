/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/memory/nodes.h"

#include "linux/kernel/kernel_text.h"
#include "linux/system/linux_platform.h"
#include "platform/kernel_stats.h"
#include "unit.h"

#define NODES "sys/devices/system/node"
#define U     NAN
#define KIB   1024.0

static struct platform *p;
static int *nodes;

static void set_up(void)
{
	p = tree_platform();
}

static void forget(void)
{
	node_files_close(linux_of(p)->nodes);
	free(nodes);
	nodes = NULL;
}

static struct span span(const char *text)
{
	return (struct span){text, text + strlen(text)};
}

static void open_nodes(size_t expected)
{
	size_t count;

	ck_assert_int_eq(linux_nodes(p, &nodes, &count, NULL), 0);
	ck_assert_uint_eq(count, expected);
}

static const struct {
	const char *text;
	double promoted, demoted, faults, candidates;
} vmstats[] = {
	{"nr_free_pages 5\npgpromote_success 7\npgpromote_candidate 9\npgdemote_kswapd 1\n"
	 "pgdemote_direct 20\npgdemote_khugepaged 300\npgdemote_proactive 4000\nnr_hugetlb 1\n",
	 7, 4321, U, U},
	{"pgdemote_kswapd 3\npgdemote_direct 4\n", U, 7, U, U}, /* Linux 6.1 */
	{"numa_hint_faults 12\nnuma_hint_faults_local 5\n", U, U, 12, U},
	{"pgpromote_success 0\n", 0, U, U, U},
	{"", U, U, U, U},
	{"\n\n \n", U, U, U, U},
	/* the end may be cut off, with a part of the number */
	{"pgpromote_success 12", U, U, U, U},
	{"pgpromote_success\n", U, U, U, U},
	{"pgpromote_success \n", U, U, U, U},
	{"pgpromote_success -1\n", U, U, U, U},
	{"pgpromote_success 1x\n", U, U, U, U},
	{"pgpromote_success 0x10\n", U, U, U, U},
	{"pgpromote_successes 4\nxpgpromote_success 4\n", U, U, U, U},
	{"pgpromote_success 18446744073709551615\n", 0x1p64, U, U, U},
	{"pgpromote_success 18446744073709551616\n", U, U, U, U},
	{"pgpromote_success 99999999999999999999999999\n", U, U, U, U},
	/* a sum with an unknown part is unknown */
	{"pgdemote_kswapd 3\npgdemote_direct many\n", U, U, U, U},
	/* Linux 6.18 counts candidates in two parts, and older kernels only the first of them */
	{"pgpromote_candidate 9\npgpromote_candidate_nrl 40\n", U, U, U, 49},
	{"pgpromote_candidate_nrl 40\npgpromote_candidate 0\n", U, U, U, 40},
	{"pgpromote_candidate 9\n", U, U, U, U},
	{"pgpromote_candidate 9\npgpromote_candidate_nrl 4x\n", U, U, U, U},
	{"pgpromote_candidate x\npgpromote_candidate_nrl 4\n", U, U, U, U},
};

TREE_FIXTURE(set_up, forget)

TEST_LOOP(test_counters_are_those_of_vmstat, COUNT_OF(vmstats))
{
	struct kernel_stats stats = kernel_stats_unknown(1);

	node_stats_parse_vmstat(span(vmstats[_i].text), &stats);
	assert_double(stats.values[NODE_PROMOTED], vmstats[_i].promoted, 0);
	assert_double(stats.values[NODE_DEMOTED], vmstats[_i].demoted, 0);
	assert_double(stats.values[NODE_HINTING_FAULTS], vmstats[_i].faults, 0);
	assert_double(stats.values[NODE_CANDIDATES], vmstats[_i].candidates, 0);
	assert_double(stats.values[NODE_FREE], U, 0);
	ck_assert_uint_eq(stats.at_ns, 1);
}

static const struct {
	const char *text;
	double used, unused;
} meminfos[] = {
	{"Node 2 MemTotal:       4096 kB\nNode 2 MemFree:        1024 kB\nNode 2 MemUsed: 9 kB\n",
	 3072 * KIB, 1024 * KIB},
	{"Node 2 MemFree: 1 kB\nNode 2 MemTotal: 1 kB\n", 0, KIB},
	{"Node 2 MemFree: 1 kB\n", U, KIB},
	{"Node 2 MemTotal: 1 kB\n", U, U},
	{"Node 2 MemTotal: 1 kB\nNode 2 MemFree: 2 kB\n", U, 2 * KIB},
	{"MemTotal: 4 kB\nMemFree: 1 kB\n", U, U}, /* /proc/meminfo */
	{"Node 2 MemTotal: 4 kB\nNode 2 MemFree: 1 MB\n", U, U},
	{"Node 2 MemTotal: 4 kB\nNode 2 MemFree: 1 kB", U, U},
	{"Node\nNode 2\nNode 2 MemTotal:\n", U, U},
	{"", U, U},
};

TEST_LOOP(test_memory_is_that_of_meminfo, COUNT_OF(meminfos))
{
	struct kernel_stats stats = kernel_stats_unknown(1);

	node_stats_parse_meminfo(span(meminfos[_i].text), &stats);
	assert_double(stats.values[NODE_USED], meminfos[_i].used, 0);
	assert_double(stats.values[NODE_FREE], meminfos[_i].unused, 0);
}

TEST(test_nul_bytes_are_no_end)
{
	static const char text[] = "nr_x 1\0\npgpromote_success 7\n\0pgdemote_direct 3\n";
	struct kernel_stats stats = kernel_stats_unknown(1);

	node_stats_parse_vmstat((struct span){text, text + sizeof(text) - 1}, &stats);
	assert_double(stats.values[NODE_PROMOTED], 7, 0);
	assert_double(stats.values[NODE_DEMOTED], U, 0);
}

static void memory_of(unsigned node, unsigned total_kib)
{
	tree_file(tree_name(NODES "/node%u/meminfo", node),
		  "Node %u MemTotal: %u kB\nNode %u MemFree: 0 kB\n", node, total_kib, node);
}

TEST(test_nodes_are_those_with_memory)
{
	memory_of(10, 4);
	memory_of(2, 4);
	memory_of(3, 0);		/* only CPUs */
	tree_directory(NODES "/node4"); /* without files */
	tree_file(NODES "/node5/vmstat", "pgpromote_success 1\n");
	tree_file(NODES "/nodes/vmstat", "pgpromote_success 1\n");
	open_nodes(3);
	ck_assert_int_eq(nodes[0], 2);
	ck_assert_int_eq(nodes[1], 5);
	ck_assert_int_eq(nodes[2], 10);
}

TEST(test_files_are_read_again_without_being_opened)
{
	struct kernel_stats stats;

	memory_of(0, 8);
	tree_file(NODES "/node0/vmstat", "pgpromote_success 1\n");
	tree_file("proc/vmstat", "numa_hint_faults 5\n");
	open_nodes(1);
	tree_file(NODES "/node0/vmstat", "pgpromote_success 20000\npgdemote_direct 1\n");
	ck_assert_int_eq(linux_node_stats(p, 0, 0, &stats), 0);
	assert_double(stats.values[NODE_PROMOTED], 20000, 0);
	assert_double(stats.values[NODE_DEMOTED], 1, 0);
	assert_double(stats.values[NODE_USED], 8 * KIB, 0);
	ck_assert_uint_gt(stats.at_ns, 0);
	ck_assert_int_eq(linux_node_stats(p, NODE_MACHINE, 0, &stats), 0);
	assert_double(stats.values[NODE_HINTING_FAULTS], 5, 0);
	ck_assert_int_eq(linux_node_stats(p, 1, 0, &stats), -ENOENT);
}

TEST(test_without_nodes_there_are_none)
{
	struct kernel_stats stats;

	open_nodes(0);
	ck_assert_int_eq(linux_node_stats(p, NODE_MACHINE, 0, &stats), -ENODATA);
}

TEST(test_what_is_no_text_file_is_unknown)
{
	static char line[] = "numa_hint_faults 5\n";
	char text[40000] = "";
	struct kernel_stats stats;

	for (size_t i = 0; i + sizeof(line) < sizeof(text); i += sizeof(line) - 1)
		memcpy(text + i, line, sizeof(line));
	tree_bytes("proc/vmstat", 0, text, strlen(text)); /* too long */
	tree_directory(NODES "/node0/vmstat");
	tree_bytes(NODES "/node0/meminfo", 1 << 20, "", 1); /* a hole */
	open_nodes(0);
	ck_assert_int_eq(linux_node_stats(p, NODE_MACHINE, 0, &stats), -ENODATA);
}
