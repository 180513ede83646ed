/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans of groups: cgroups in files, and users of processes in files. */
#include "probe/who/who_private.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/system/linux_platform.h"
#include "probe/who/watch.h"
#include "sim/sim.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define MIB  1048576.0
#define V2   "sys/fs/cgroup"
#define ID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define VM   "/machine.slice/machine-qemu\\x2d1\\x2dweb.scope"

static uint64_t now, step;
static unsigned numbers[] = {1, 3};
static const struct who_nodes nodes = {.numa = {numbers, 2}};
static struct linux_platform machine;
static struct who_watch watch;
static struct error err;

static uint64_t read_clock(struct platform *p)
{
	(void)p;
	now += step;
	return now;
}

static uint64_t read_wall(struct platform *p)
{
	(void)p;
	return now;
}

static int find_signal(struct platform *p, uint64_t ns, const sigset_t *wake, int *signal_number)
{
	(void)p;
	(void)ns;
	(void)wake;
	*signal_number = SIGTERM;
	return -EINTR;
}

static void begin(void)
{
	static const struct clock_ops own_clock = {
		.now = read_clock,
		.wall = read_wall,
		.sleep_until = find_signal,
	};

	static const struct platform_ops ops = {
		.clock = &own_clock,
		.processes = &linux_processes,
		.cgroups = &linux_cgroups,
	};

	now = 0;
	step = 0;
	err = (struct error){0};
	machine = (struct linux_platform){.base = {.ops = &ops}, .root = (char *)tree_root()};
	watch = (struct who_watch){
		.platform = &machine.base, .root = tree_root(), .nodes = &nodes, .by = BY_CGROUP};
}

static void end(void)
{
	who_watch_free(&watch);
	linux_users_free(&machine.users);
}

static void with_v2(void)
{
	tree_file(V2 "/cgroup.controllers", "cpuset cpu io memory pids\n");
}

/* Writes a cgroup with MiB on nodes 0, 1 and 3; its file has all kinds of memory, and others. */
static void cgroup(const char *path, unsigned n0, unsigned n1, unsigned n3)
{
	const char *file = tree_name(V2 "%s/memory.numa_stat", path);

	unlink(tree_path(file));
	tree_file(file,
		  "anon N0=%u N1=%u N3=%u\nfile N0=0 N1=%u N3=0\nshmem N0=7 N1=7 N3=7\n"
		  "slab_reclaimable N0=0 N1=0 N3=0\nkernel_stack N0=0 N1=%u N3=0\n"
		  "new_kind N0=1 N1=1 N3=1\n",
		  n0 << 20, n1 << 18, n3 << 20, n1 << 19, n1 << 18);
}

static int never(void *context)
{
	(void)context;
	return 0;
}

static const struct process_row *scan(size_t expected)
{
	ck_assert_msg(!who_watch_scan(&watch, &err), "%s", err.text);
	ck_assert_uint_eq(watch.scan.groups.count, expected);
	return watch.scan.groups.at;
}

static void expect_no_support(const char *text)
{
	ck_assert_int_eq(who_watch_scan(&watch, &err), -ENOTSUP);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, text);
}

TREE_FIXTURE(begin, end)

TEST(test_cgroups_with_none_below_are_listed_and_the_most_is_first)
{
	with_v2();
	cgroup("", 90, 60, 5);
	cgroup("/system.slice", 90, 60, 5);
	cgroup("/system.slice/a.service", 10, 20, 0);
	cgroup("/system.slice/b.service", 80, 40, 5);
	cgroup("/system.slice/c.service", 1, 0, 0);
	/* a threaded cgroup has no memory of its own */
	tree_file(V2 "/system.slice/b.service/threads/cgroup.type", "threaded\n");
	const struct process_row *groups = scan(2);
	ck_assert_str_eq(groups[0].name, "/system.slice/b.service");
	ck_assert(groups[0].memory.cxl == 45 << 20);
	ck_assert(groups[0].memory.cxl + groups[0].memory.dram == 125 << 20);
	ck_assert_uint_eq(groups[0].memory.bytes[0], 40 << 20);
	ck_assert_uint_eq(groups[0].memory.bytes[1], 5 << 20);
	ck_assert_str_eq(groups[1].key, "/system.slice/a.service");
	ck_assert_uint_eq(watch.scan.seen, 5);
	ck_assert_uint_eq(watch.scan.read, 3);
}

TEST(test_in_a_namespace_the_root_may_be_the_only_one)
{
	with_v2();
	cgroup("", 1, 2, 3);
	ck_assert_str_eq(scan(1)->name, "/");
}

TEST(test_growth_is_since_the_last_scan)
{
	with_v2();
	cgroup("/grows", 0, 5, 1);
	cgroup("/gives", 0, 8, 0);
	ck_assert(isnan(scan(2)->growth));
	cgroup("/grows", 0, 7, 1);
	cgroup("/gives", 0, 0, 0);
	cgroup("/new", 0, 3, 0);
	const struct process_row *groups = scan(3);
	ck_assert(groups[0].growth == 2 * MIB);
	ck_assert(groups[0].node_growth[0] == 2 * MIB && groups[0].node_growth[1] == 0);
	ck_assert(groups[1].growth == 3 * MIB);
	ck_assert(groups[2].growth == -8 * MIB);
	scan(2);
}

TEST(test_a_container_contains_what_is_below)
{
	with_v2();
	cgroup("/docker", 0, 9, 0);
	cgroup("/docker/" ID_A, 0, 9, 0);
	cgroup("/docker/" ID_A "/init", 0, 4, 0);
	cgroup("/system.slice", 0, 2, 0);
	cgroup(VM, 0, 30, 0);
	cgroup(VM "/libvirt", 0, 29, 0);
	watch.by = BY_CONTAINER;
	const struct process_row *groups = scan(1);
	ck_assert_str_eq(groups->name, "aaaaaaaaaaaa");
	ck_assert_str_eq(groups->key, "/docker/" ID_A);
	ck_assert(groups->memory.cxl == 9 << 20);
	watch.by = BY_VM;
	groups = scan(1);
	ck_assert_str_eq(groups->name, "web");
	ck_assert(groups->memory.cxl == 30 << 20);
}

TEST(test_what_is_not_understood_is_left_out_and_counted)
{
	with_v2();
	cgroup("/good", 0, 1, 0);
	tree_file(V2 "/bad/memory.numa_stat", "anon N0=1 N1=x\n");
	tree_file(V2 "/v1/memory.numa_stat", "total=1 N0=1\n");
	tree_directory(V2 "/pipe/memory.numa_stat");
	scan(1);
	ck_assert_uint_eq(watch.scan.unclear, 3);
	ck_assert_uint_eq(watch.scan.read, 1);
}

TEST(test_huge_pages_are_added_where_the_cgroup_counts_them)
{
	tree_file(V2 "/cgroup.controllers", "cpu memory hugetlb pids\n");
	cgroup("/none", 0, 1, 0);
	cgroup(VM, 1, 1, 0);
	tree_file(V2 VM "/hugetlb.2MB.numa_stat", "total=12582912 N0=4194304 N1=8388608 N3=0\n");
	tree_file(V2 VM "/hugetlb.1GB.numa_stat", "total=1073741824 N0=0 N1=0 N3=1073741824\n");
	tree_file(V2 VM "/hugetlb.2MB.current", "12582912\n");
	const struct process_row *groups = scan(2);
	ck_assert(groups->memory.cxl == (1 + 8 + 1024) << 20);
	ck_assert_uint_eq(groups->memory.bytes[0], (1 + 8) << 20);
	ck_assert(groups->memory.cxl + groups->memory.dram == (2 + 12 + 1024) << 20);
	ck_assert(groups[1].memory.cxl == 1 << 20);
}

TEST(test_huge_pages_that_are_not_understood_leave_their_cgroup_out)
{
	tree_file(V2 "/cgroup.controllers", "memory hugetlb\n");
	cgroup("/good", 0, 1, 0);
	cgroup("/bad", 0, 1, 0);
	tree_file(V2 "/bad/hugetlb.2MB.numa_stat", "N1=2\n");
	scan(1);
	ck_assert_uint_eq(watch.scan.unclear, 1);
}

TEST(test_what_is_too_deep_is_left_out_and_counted)
{
	char path[PATH_MAX] = "";

	with_v2();
	cgroup("/good", 0, 1, 0);
	for (unsigned i = 0; i < CGROUPS_DEPTH_MOST; i++)
		strcat(path, "/x");
	cgroup(path, 0, 2, 0);
	strcat(path, "/y");
	cgroup(path, 0, 2, 0);
	scan(2);
	ck_assert_uint_eq(watch.scan.beyond, 1);
}

TEST(test_a_path_that_is_too_long_is_left_out_and_counted)
{
	with_v2();
	cgroup("/good", 0, 1, 0);
	ck_assert(!chdir(tree_root()) && !chdir(V2));
	for (unsigned i = 0; i < 6; i++) {
		char name[201] = "";

		memset(name, 'x', 200);
		ck_assert(!mkdir(name, 0700) && !chdir(name));
	}
	ck_assert(!chdir("/"));
	scan(1);
	ck_assert_uint_eq(watch.scan.beyond, 1);
}

TEST(test_a_link_is_not_followed)
{
	with_v2();
	cgroup("/good", 0, 1, 0);
	tree_link(V2 "/good/loop", "..");
	scan(1);
}

TEST(test_a_scan_ends_in_time)
{
	with_v2();
	cgroup("/a", 0, 1, 0);
	cgroup("/b", 0, 1, 0);
	/* the clock is read before the scan, and for each cgroup */
	step = WHO_SCAN_MOST_NS / 3 + 1;
	scan(1);
	ck_assert_uint_eq(watch.scan.late, 1);
	step = 0;
	/* the cgroup left out may have been there before */
	const struct process_row *groups = scan(2);
	ck_assert(isnan(groups[0].growth) != isnan(groups[1].growth));
}

TEST(test_a_signal_ends_a_scan)
{
	sigset_t wake;

	sigemptyset(&wake);
	with_v2();
	cgroup("/a", 0, 1, 0);
	watch.wake = &wake;
	ck_assert_int_eq(who_watch_scan(&watch, &err), -EINTR);
	ck_assert_int_eq(watch.signal_number, SIGTERM);
	watch.wake = NULL;
}

TEST(test_a_machine_without_memory_by_node_is_an_error)
{
	expect_no_support("no cgroups are mounted");
	tree_file(V2 "/unified/cgroup.controllers", "hugetlb\n");
	expect_no_support("cgroup_disable=memory");
	tree_directory(V2 "/memory");
	expect_no_support("cgroup v1, without a file memory.numa_stat");
	tree_file(V2 "/cgroup.controllers", "cpu\n");
	/* the directory is a cgroup of version 2 */
	tree_file(V2 "/memory/cgroup.controllers", "\n");
	expect_no_support("cgroup_disable=memory");
	unlink(tree_path(V2 "/cgroup.controllers"));
	with_v2();
	expect_no_support("Linux 5.10");
}

/* Writes a cgroup of version 1 with pages of its own, and as many more below it. */
static void cgroup_v1(const char *path, unsigned n0, unsigned n1)
{
	tree_file(tree_name(V2 "/memory%s/memory.numa_stat", path),
		  "total=%u N0=%u N1=%u\nfile=0 N0=0 N1=0\nanon=%u N0=%u N1=%u\n"
		  "unevictable=0 N0=0 N1=0\nhierarchical_total=%u N0=%u N1=%u\n"
		  "hierarchical_file=%u N0=%u N1=%u\n",
		  n0 + n1, n0, n1, n0 + n1, n0, n1, 2 * (n0 + n1), 2 * n0, 2 * n1, n0 + n1, n0, n1);
}

static uint64_t pages(uint64_t count)
{
	return count * (uint64_t)sysconf(_SC_PAGESIZE);
}

TEST(test_cgroups_of_version_1_have_what_is_below_them_in_pages)
{
	tree_file(V2 "/unified/cgroup.controllers", "\n");
	cgroup_v1("", 900, 900);
	cgroup_v1("/docker", 1, 50);
	cgroup_v1("/docker/" ID_A, 3, 40);
	cgroup_v1("/system.slice", 0, 7);
	const struct process_row *groups = scan(2);
	ck_assert_str_eq(groups[0].key, "/docker/" ID_A);
	ck_assert(groups[0].memory.cxl == pages(80));
	ck_assert(groups[0].memory.cxl + groups[0].memory.dram == pages(86));
	ck_assert(groups[1].memory.cxl == pages(14));
	ck_assert(watch.scan.cgroup_v1 && watch.scan.no_huge);
	watch.by = BY_CONTAINER;
	ck_assert_str_eq(scan(1)->name, "aaaaaaaaaaaa");
}

TEST(test_huge_pages_of_version_1_are_those_of_the_same_path)
{
	cgroup_v1("/lxc/web", 0, 8);
	cgroup_v1("/lxc/none", 0, 4);
	cgroup_v1("", 100, 100);
	tree_file(V2 "/hugetlb/lxc/web/hugetlb.2MB.numa_stat",
		  "total=2097152 N0=0 N1=2097152\nhierarchical_total=4194304 N0=0 N1=4194304\n");
	const struct process_row *groups = scan(2);
	ck_assert(groups[0].memory.cxl == pages(16) + (4 << 20));
	ck_assert(groups[1].memory.cxl == pages(8));
	ck_assert(watch.scan.cgroup_v1 && !watch.scan.no_huge);
}

TEST(test_memory_of_version_2_comes_before_that_of_version_1)
{
	tree_file(V2 "/unified/cgroup.controllers", "memory\n");
	tree_file(V2 "/unified/a/memory.numa_stat", "anon N0=0 N1=1048576\n");
	cgroup_v1("", 0, 1);
	ck_assert(scan(1)->memory.cxl == 1 << 20);
	ck_assert(!watch.scan.cgroup_v1);
}

/* Controllers of the root, whether the cgroup counts huge pages, and what the machine has. */
static const struct {
	const char *controllers;
	bool counts;
	const char *meminfo; /* NULL: no such file */
	bool no_huge;
} huge_pages[] = {
	{"memory\n", false, NULL, true},
	{"memory\n", false, "MemTotal: 9 kB\nHugetlb:         2048 kB\n", true},
	{"memory\n", false, "MemTotal: 9 kB\nHugetlb:            0 kB\n", false},
	{"memory\n", false, "MemTotal: 9 kB\n", false}, /* a kernel without hugetlbfs */
	{"memory hugetlb\n", false, "MemTotal: 9 kB\nHugetlb: 2048 kB\n", true},
	{"memory hugetlb\n", true, "MemTotal: 9 kB\nHugetlb: 2048 kB\n", false},
};

TEST_LOOP(test_huge_pages_that_a_cgroup_of_version_2_does_not_count_are_known, COUNT_OF(huge_pages))
{
	tree_file(V2 "/cgroup.controllers", "%s", huge_pages[_i].controllers);
	cgroup("/a", 0, 1, 0);
	if (huge_pages[_i].counts)
		tree_file(V2 "/a/hugetlb.2MB.numa_stat", "total=0 N0=0 N1=0\n");
	if (huge_pages[_i].meminfo)
		tree_file("proc/meminfo", "%s", huge_pages[_i].meminfo);
	scan(1);
	ck_assert_int_eq(watch.scan.no_huge, huge_pages[_i].no_huge);
}

/* Writes a user's process with MiB on nodes 1 and 3. */
static void process(unsigned pid, unsigned uid, unsigned n1, unsigned n3)
{
	tree_file(tree_name("proc/%u/status", pid), "Uid:\t%u\t%u\t%u\t%u\nVmRSS:\t9 kB\n", uid,
		  uid, uid, uid);
	tree_file(tree_name("proc/%u/numa_maps", pid),
		  "7f0 default N1=%u N3=%u kernelpagesize_kB=1024\n", n1, n3);
	tree_file(tree_name("proc/%u/stat", pid),
		  "%u (x) S 1 1 1 1 1 1 1 1 1 1 0 0 1 1 1 1 1 1 5 1\n", pid);
}

/* Five processes: 1001 and 1004 are postgres, in a container; 1003 is batch, in a session. */
TEST(test_simulated_cgroups_have_the_memory_of_their_processes)
{
	const char *const names[] = {"memcached.service", "docker-4f1c9b7e2a60", "session-3.scope"};
	struct platform *p = watch.platform = sim_make("gnr,readers=5,clock=virtual");
	uint64_t bytes[2][NUMA_NODES_MOST];

	watch.root = NULL;
	const struct process_row *groups = scan(3);
	for (size_t i = 0; i < COUNT(names); i++)
		assert_contains(groups[i].key, names[i]);
	watch.by = BY_CONTAINER;
	groups = scan(1);
	ck_assert_str_eq(groups[0].name, "4f1c9b7e2a60");
	for (unsigned i = 0; i < 2; i++)
		ck_assert_int_eq(p->ops->processes->memory(p, 1001 + 3 * i, never, NULL, bytes[i]),
				 0);
	ck_assert_uint_eq(groups[0].memory.bytes[0], bytes[0][1] + bytes[1][1]);
	watch.by = BY_VM;
	scan(0);
	ck_assert_uint_eq(watch.scan.seen, 3);
	ck_assert_uint_eq(watch.scan.read, 0);
}

TEST(test_simulated_virtual_machines_are_groups)
{
	struct platform *p = watch.platform = sim_make("gnr,readers=1,vms=2,clock=virtual");
	uint64_t bytes[NUMA_NODES_MOST];

	watch.root = NULL;
	watch.by = BY_VM;
	const struct process_row *groups = scan(2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_str_eq(groups[i].name, i ? "vm2" : "vm1");
		ck_assert_int_eq(p->ops->processes->memory(p, 1002 + i, never, NULL, bytes), 0);
		ck_assert_uint_eq(groups[i].memory.bytes[0], bytes[1]);
	}
}

TEST(test_the_processes_of_a_user_are_added_up)
{
	watch.by = BY_USER;
	process(7, 0, 10, 1);
	process(8, 54321, 30, 0);
	process(9, 0, 5, 2);
	const struct process_row *groups = scan(2);
	ck_assert_str_eq(groups[0].name, "54321");
	ck_assert_str_eq(groups[1].name, "root");
	ck_assert_str_eq(groups[1].key, "0");
	ck_assert(groups[1].memory.cxl == 18 << 20);
	ck_assert_uint_eq(groups[1].memory.bytes[1], 3 << 20);
	process(9, 0, 9, 2);
	groups = scan(2);
	ck_assert(groups[1].growth == 4 * MIB);
	/* a process whose file is not understood may have had more */
	tree_file("proc/7/numa_maps", "nonsense\n");
	ck_assert(isnan(scan(2)[1].growth));
}
