/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes about the rows of a scan. */
#include "probe/who/who.h"

#include "probe/who/who_private.h"
#include "tests/ops_copy.h"
#include "unit.h"

#define CGROUPS "sys/fs/cgroup"
#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static FILE *said;
static struct who who;
static uint64_t now, step;

static void keep(void *context, enum log_level level, const char *text)
{
	(void)context;
	if (level <= LEVEL_NOTE)
		fprintf(said, "%s\n", text);
}

static void begin(void)
{
	said = text_open();
	now = step = 0;
	tree_directory("sys/devices/system/node/node0");
	tree_directory("sys/devices/system/node/node1");
}

static uint64_t read_clock(struct platform *p)
{
	(void)p;
	return now += step;
}

/*
 * Makes a clock that advances by the step each time it is read; without a step, the machine's
 * clock is used.
 */
static void replace_clock(void)
{
	static struct ops_copy ops;

	if (!step)
		return;
	ops_copy_init(&ops, who.watch.platform->ops);
	ops.clock.now = read_clock;
	who.watch.platform->ops = &ops.ops;
}

TREE_FIXTURE(begin, NULL)

/* Returns the notes of one scan of node 1. */
static const char *scan(enum row_by by)
{
	const struct log log = {.write = keep};
	const struct who_options options = {
		.session = {.root = (char *)tree_root()}, .choice = {.nodes = "1"}, .by = by};
	struct error err = {0};

	ck_assert_msg(!who_open(&options, &log, &who, &err), "%s", err.text);
	replace_clock();
	ck_assert_msg(!who_next(&who, &err), "%s", err.text);
	ck_assert_int_eq(who_close(&who, &err), 0);
	return text_close(said);
}

/* Writes a process with as many MiB in memory as its number. numa_maps: a line of that file. */
static void process(unsigned pid, const char *numa_maps)
{
	tree_file(tree_name("proc/%u/status", pid), "Uid:\t0\t0\t0\t0\nVmRSS:\t%u kB\n", pid << 10);
	tree_file(tree_name("proc/%u/comm", pid), "p\n");
	tree_file(tree_name("proc/%u/stat", pid),
		  "%u (p) S 1 1 1 1 1 1 1 1 1 1 0 0 1 1 1 1 1 1 1 1\n", pid);
	tree_file(tree_name("proc/%u/numa_maps", pid), "%s\n", numa_maps);
}

TEST(test_that_no_process_has_memory_there_is_said)
{
	process(7, "7f0 default N0=3 kernelpagesize_kB=4");
	ck_assert_str_eq(scan(BY_PROCESS), "no process has memory on node 1\n");
}

TEST(test_of_a_process_that_was_left_out_nothing_is_claimed)
{
	process(7, "7f0 default N0=3 kernelpagesize_kB=4");
	process(8, "what is this");
	ck_assert_str_eq(scan(BY_PROCESS),
			 "1 process left out: numa_maps cannot be read or understood\nno process "
			 "that was scanned has memory on node 1\n");
}

TEST(test_where_no_process_was_understood_none_is_said_to_be_without_memory)
{
	process(8, "what is this");
	ck_assert_str_eq(scan(BY_PROCESS),
			 "1 process left out: numa_maps cannot be read or understood\n");
}

/* Notes appear however many processes of each kind there are. */
TEST(test_of_processes_that_were_left_out_in_several_ways_nothing_is_claimed)
{
	/* the process with the most memory is read first */
	process(9, "what is this");
	process(8, "7f0 default N0=3 kernelpagesize_kB=4");
	process(7, "7f0 default N0=3 kernelpagesize_kB=4");
	step = WHO_SCAN_MOST_NS / 6 + 1; /* enough for all except the last process */
	ck_assert_str_eq(
		scan(BY_PROCESS),
		"1 process left out: numa_maps cannot be read or understood\n1 process left out, "
		"with at most 7 MiB in memory: the scan ran out of time after 10 s\nno process "
		"that was scanned has memory on node 1\n");
}

TEST(test_where_a_process_has_memory_nothing_is_said)
{
	process(7, "7f0 default N1=3 kernelpagesize_kB=4");
	ck_assert_str_eq(scan(BY_PROCESS), "");
}

static void cgroups_v1(void)
{
	static const char *const paths[] = {"", "/docker", ("/docker/" ID)};

	tree_file(CGROUPS "/unified/cgroup.controllers", "\n");
	for (size_t i = 0; i < COUNT_OF(paths); i++)
		tree_file(tree_name(CGROUPS "/memory%s/memory.numa_stat", paths[i]),
			  "total=3 N0=1 N1=2\nhierarchical_total=3 N0=1 N1=2\n");
}

#define V1 "cgroup v1 counts anonymous memory, page cache and unevictable pages by node: "

TEST(test_cgroups_of_version_1_lack_memory_of_the_kernel_and_huge_pages)
{
	cgroups_v1();
	ck_assert_str_eq(scan(BY_CONTAINER),
			 V1 "stacks, page tables and slab of the kernel, and huge pages of "
			    "hugetlbfs, are in no row\n");
}

TEST(test_cgroups_of_version_2_may_lack_huge_pages)
{
	tree_file(CGROUPS "/cgroup.controllers", "memory hugetlb\n");
	tree_file(CGROUPS "/docker/" ID "/memory.numa_stat", "anon N0=4096 N1=4096\n");
	ck_assert_str_eq(scan(BY_CONTAINER),
			 "huge pages of hugetlbfs are in no row of a cgroup without the controller "
			 "hugetlb, which cgroup.subtree_control of each ancestor enables\n");
}

TEST(test_cgroups_that_were_left_out_are_counted)
{
	tree_file(CGROUPS "/cgroup.controllers", "memory\n");
	tree_file(CGROUPS "/docker/" ID "/memory.numa_stat", "what is this\n");
	assert_contains(scan(BY_CONTAINER),
			"\n1 cgroup left out: memory.numa_stat cannot be read or understood\n");
}

TEST(test_cgroups_of_version_1_may_have_huge_pages)
{
	cgroups_v1();
	tree_file(CGROUPS "/hugetlb/docker/" ID "/hugetlb.2MB.numa_stat",
		  "total=0 N0=0 N1=0\nhierarchical_total=0 N0=0 N1=0\n");
	ck_assert_str_eq(scan(BY_CONTAINER),
			 V1 "stacks, page tables and slab of the kernel are in no row\n");
}
