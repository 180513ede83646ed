/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/system/numa_maps.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define KIB UINT64_C(1024)

static uint64_t bytes[NUMA_NODES_MOST];

static void forget(void)
{
	memset(bytes, 0, sizeof(bytes));
}

static uint64_t sum(void)
{
	uint64_t all = 0;

	for (size_t i = 0; i < NUMA_NODES_MOST; i++)
		all += bytes[i];
	return all;
}

FIXTURE(forget, NULL)

TEST(test_pages_are_added_to_their_nodes)
{
	ck_assert_int_eq(numa_maps_line("7f0 default anon=5 dirty=5 active=0 N0=2 N3=3 "
					"kernelpagesize_kB=4\n",
					bytes),
			 0);
	ck_assert_int_eq(numa_maps_line("7f8 prefer (many):0-1 N3=1 kernelpagesize_kB=4", bytes),
			 0);
	ck_assert_uint_eq(bytes[0], 8 * KIB);
	ck_assert_uint_eq(bytes[3], 16 * KIB);
	ck_assert_uint_eq(sum(), 24 * KIB);
}

TEST(test_huge_pages_count_as_large_as_they_are)
{
	ck_assert_int_eq(numa_maps_line("7f0 bind:2 file=/mnt/huge/a huge anon=2 dirty=2 N2=2 "
					"kernelpagesize_kB=2048\n",
					bytes),
			 0);
	ck_assert_int_eq(
		numa_maps_line("7f8 default anon=512 N1=1 kernelpagesize_kB=1048576\n", bytes), 0);
	ck_assert_uint_eq(bytes[2], 4096 * KIB);
	ck_assert_uint_eq(bytes[1], KIB * KIB * KIB);
}

TEST(test_a_mapping_without_pages_adds_nothing)
{
	ck_assert_int_eq(numa_maps_line("7f0 default\n", bytes), 0);
	ck_assert_int_eq(numa_maps_line("7f0 default file=/usr/lib/libc.so.6\n", bytes), 0);
	ck_assert_int_eq(numa_maps_line("7f0 default stack\n", bytes), 0);
	ck_assert_uint_eq(sum(), 0);
}

/* Names as the kernel escapes them; a name is one word. */
TEST(test_a_file_named_like_a_count_is_none)
{
	ck_assert_int_eq(numa_maps_line("7f0 default file=/tmp/x\\040N1\\07599 mapped=1 N0=1 "
					"kernelpagesize_kB=4\n",
					bytes),
			 0);
	ck_assert_int_eq(numa_maps_line("7f0 default file=N1=7 N0=1 kernelpagesize_kB=4\n", bytes),
			 0);
	ck_assert_uint_eq(bytes[0], 8 * KIB);
	ck_assert_uint_eq(sum(), 8 * KIB);
}

static const char *const broken[] = {
	"",
	"\n",
	"N0=1 kernelpagesize_kB=4",
	"default N0=1",
	"7f0",
	" 7f0 default N0=1 kernelpagesize_kB=4",
	"7f0 default N0=1",
	"7f0 default N0=1 kernelpagesize_kB=",
	"7f0 default N0=1 kernelpagesize_kB=4x",
	"7f0 default N0=1 kernelpagesize_kB=0",
	"7f0 default N0=1 kernelpagesize_kB=-4",
	"7f0 default N0=1 kernelpagesize_kB=18446744073709551615",
	"7f0 default N0=1 N1 kernelpagesize_kB=4",
	"7f0 default N0=1 N1= kernelpagesize_kB=4",
	"7f0 default N0=1 N1=x kernelpagesize_kB=4",
	"7f0 default N0=1 N1=1x kernelpagesize_kB=4",
	"7f0 default N0=1 N1024=1 kernelpagesize_kB=4",
	"7f0 default N0=1 N1=99999999999999999999 kernelpagesize_kB=4",
	"7f0 default N0=1 N1=9007199254740992 kernelpagesize_kB=4",
};

TEST_LOOP(test_a_broken_line_is_refused_as_a_whole, COUNT_OF(broken))
{
	ck_assert_int_eq(numa_maps_line(broken[_i], bytes), -EBADMSG);
	ck_assert_uint_eq(sum(), 0);
}

TEST(test_a_sum_does_not_wrap)
{
	for (unsigned i = 0; i < 300; i++)
		ck_assert_int_eq(
			numa_maps_line("7f0 default N1=35184372088832 kernelpagesize_kB=4", bytes),
			0);
	ck_assert(bytes[1] == UINT64_MAX);
}

static int one_more(void *context)
{
	unsigned *lines = context;

	return --*lines ? 0 : -ETIME;
}

/* Reads up to so many lines. */
static int read_of(unsigned pid, unsigned lines)
{
	return numa_maps_read(tree_root(), pid, one_more, &lines, bytes);
}

TREE_FIXTURE(NULL, NULL)

TEST(test_a_file_is_read_line_by_line)
{
	tree_file("proc/7/numa_maps", "7f0 default N0=1 kernelpagesize_kB=4\n"
				      "7f4 default\n"
				      "7f8 default N0=1 N1=1 kernelpagesize_kB=2048\n");
	bytes[5] = 1; /* left by the previous process */
	ck_assert_int_eq(read_of(7, UINT_MAX), 0);
	ck_assert_uint_eq(bytes[0], 2052 * KIB);
	ck_assert_uint_eq(sum(), 4100 * KIB);
}

TEST(test_a_process_that_has_ended_has_nothing)
{
	tree_file("proc/7/numa_maps", "%s", "");
	ck_assert_int_eq(read_of(7, UINT_MAX), 0);
	ck_assert_uint_eq(sum(), 0);
	ck_assert_int_eq(read_of(8, UINT_MAX), -ENOENT);
}

TEST(test_reading_ends_when_it_is_told_to)
{
	tree_file("proc/7/numa_maps", "7f0 default N1=1 kernelpagesize_kB=4\n"
				      "7f1 default\n"
				      "7f2 default N1=1 kernelpagesize_kB=4\n");
	ck_assert_int_eq(read_of(7, 4), 0);
	ck_assert_uint_eq(sum(), 8 * KIB);
	ck_assert_int_eq(read_of(7, 2), -ETIME);
	ck_assert_uint_eq(sum(), 4 * KIB); /* counted so far */
}

TEST(test_a_pipe_is_refused)
{
	char path[ROOTFS_PATH_SIZE];

	tree_directory("proc/7");
	ck_assert(!rootfs_path(path, tree_root(), "proc/7/numa_maps"));
	ck_assert(!mkfifo(path, 0600));
	ck_assert_int_eq(read_of(7, UINT_MAX), -EINVAL);
}

TEST(test_a_line_without_end_is_refused)
{
	static char line[100000];

	memset(line, '0', sizeof(line));
	memcpy(line + sizeof(line) - 10, " default\n", 9);
	tree_bytes("proc/7/numa_maps", 0, line, sizeof(line) - 1);
	ck_assert_int_eq(read_of(7, UINT_MAX), -EBADMSG);
	tree_file("proc/8/numa_maps", "7f0 default N0=1 kernelpagesize_kB=4");
	ck_assert_int_eq(read_of(8, UINT_MAX), -EBADMSG);
}

/* Lines of a cgroup's memory.numa_stat. */

TEST(test_kinds_of_a_cgroup_that_are_no_part_of_others_are_added)
{
	static const char *const lines[] = {
		"anon N0=4096 N3=8192\n",    "file N0=1 N3=2\n",
		"kernel_stack N0=10 N3=0\n", "pagetables N0=100 N3=0\n",
		"sec_pagetables N0=1000\n",  "slab_reclaimable N0=10000\n",
		"slab_unreclaimable N3=5",   "shmem N0=7 N3=7\n",
		"inactive_anon N0=7 N3=7\n", "anon_thp N0=7\n",
		"a_new_kind N0=7 N1=7\n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert_int_eq(numa_stat_line(lines[i], bytes), 0);
	ck_assert_uint_eq(bytes[0], 4096 + 11111);
	ck_assert_uint_eq(bytes[3], 8192 + 2 + 5);
	ck_assert_uint_eq(sum(), bytes[0] + bytes[3]);
}

static const char *const broken_stats[] = {
	"",
	"\n",
	"anon",
	"anon\n",
	" N0=1",
	"anon N0=1 N1",
	"anon N0=1 N1=",
	"anon N0=1 N1=x",
	"anon N0=1 N1=-1",
	"anon N0=1 N1=1k",
	"anon N0=1 total=1",
	"anon N0=1 N1024=1",
	"anon N0=1 N1=18446744073709551616",
	"anon N0=1 N1=144115188075855873",
	"anon=1 N0=1", /* version 1, in pages */
};

TEST_LOOP(test_a_broken_line_of_a_cgroup_adds_nothing,
	  sizeof(broken_stats) / sizeof(broken_stats[0]))
{
	ck_assert_int_eq(numa_stat_line(broken_stats[_i], bytes), -EBADMSG);
	ck_assert_uint_eq(sum(), 0);
}

/* Lines of version 1's memory.numa_stat. */

TEST(test_pages_of_a_cgroup_of_version_1_are_added_with_those_below_it)
{
	static const char *const lines[] = {
		"total=7016 N0=7000 N3=16\n",
		"file=1144 N0=1144 N3=0\n",
		"anon=374 N0=374 N3=0\n",
		"unevictable=5498 N0=5482 N3=16\n",
		"hierarchical_total=231790 N0=231774 N3=16\n",
		"hierarchical_file=185755 N0=185755 N3=0\n",
		"hierarchical_anon=40537 N0=40537 N3=0\n",
		"hierarchical_unevictable=5498 N0=5482 N3=16\n",
	};
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert_int_eq(numa_stat_v1_line(lines[i], bytes), 0);
	ck_assert_uint_eq(bytes[0], 231774 * page);
	ck_assert_uint_eq(bytes[3], 16 * page);
	ck_assert_uint_eq(sum(), bytes[0] + bytes[3]);
	/* version 2 */
	ck_assert_int_eq(numa_stat_v1_line("anon N0=4096\n", bytes), -EBADMSG);
	ck_assert_int_eq(numa_stat_v1_line("hierarchical_total=1 N0=144115188075855872\n", bytes),
			 -EBADMSG);
	ck_assert_uint_eq(sum(), bytes[0] + bytes[3]);
}

/* Lines of hugetlb.SIZE.numa_stat. */

TEST(test_huge_pages_of_a_cgroup_are_added_by_node)
{
	ck_assert_int_eq(hugetlb_stat_line("total=6291456 N0=4194304 N3=2097152\n", bytes), 0);
	ck_assert_uint_eq(bytes[0], 4 << 20);
	ck_assert_uint_eq(bytes[3], 2 << 20);
	ck_assert_uint_eq(sum(), 6 << 20);
	/* version 1: contains the other total */
	ck_assert_int_eq(hugetlb_stat_line("hierarchical_total=8 N0=8\n", bytes), 0);
	ck_assert_uint_eq(sum(), 6 << 20);
	ck_assert_int_eq(hugetlb_stat_v1_line("total=2097152 N0=2097152 N3=0\n", bytes), 0);
	ck_assert_uint_eq(sum(), 6 << 20);
	ck_assert_int_eq(
		hugetlb_stat_v1_line("hierarchical_total=4194304 N0=0 N3=4194304\n", bytes), 0);
	ck_assert_uint_eq(bytes[3], 6 << 20);
}

static const char *const broken_huge[] = {
	"", "total", "total=", "total=5", "total N0=5", "total=5 N0", "total=5 N0=x", "=5 N0=5",
};

TEST_LOOP(test_a_broken_line_of_huge_pages_adds_nothing,
	  sizeof(broken_huge) / sizeof(broken_huge[0]))
{
	ck_assert_int_eq(hugetlb_stat_line(broken_huge[_i], bytes), -EBADMSG);
	ck_assert_uint_eq(sum(), 0);
}

TEST(test_so_many_bytes_of_a_cgroup_that_they_overflow_are_the_most)
{
	bytes[1] = UINT64_MAX - 1;
	ck_assert_int_eq(numa_stat_line("anon N1=2\n", bytes), 0);
	ck_assert_uint_eq(bytes[1], UINT64_MAX);
}
