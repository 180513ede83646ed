/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes as files of procfs show them. */
#include "linux/system/linux_platform.h"

#include <unistd.h>

#include "unit.h"

static struct linux_platform machine;
static struct platform *const p = &machine.base;
static struct listed_process listed[8]; /* processes with memory, by pid */

static void begin(void)
{
	static const struct platform_ops ops = {.processes = &linux_processes};

	machine = (struct linux_platform){.base = {.ops = &ops}, .root = (char *)tree_root()};
}

static void end(void)
{
	linux_users_free(&machine.users);
	linux_subuids_free(&machine.subuids);
}

/* Writes a status file as the kernel does, without lines that are not used here. */
static void status(unsigned pid, const char *name, unsigned uid, const char *memory)
{
	tree_file(tree_name("proc/%u/status", pid), "Name:\t%s\nUid:\t9\t%u\t9\t9\nGroups:\t0 \n%s",
		  name, uid, memory);
}

static void list_all(size_t expected)
{
	unsigned *pids;
	size_t count, found = 0;

	ck_assert_int_eq(linux_processes.pids(p, &pids, &count), 0);
	for (size_t i = 0; i < count; i++)
		found += (size_t)linux_processes.status(p, pids[i], &listed[found]);
	free(pids);
	ck_assert_uint_eq(found, expected);
}

TREE_FIXTURE(begin, end)

TEST(test_memory_is_with_huge_pages_and_of_the_effective_user)
{
	status(7, "small", 3, "VmRSS:\t       8 kB\nHugetlbPages:\t       0 kB\n");
	status(8, "huge pages", 0, "VmRSS:\t       4 kB\nHugetlbPages:\t    2048 kB\n");
	status(9, "same", 0, "VmRSS:\t       8 kB\n");
	list_all(3);
	ck_assert_uint_eq(listed[0].pid, 7);
	ck_assert_uint_eq(listed[0].resident, 8 * 1024);
	ck_assert_uint_eq(listed[0].uid, 3);
	ck_assert_uint_eq(listed[1].pid, 8);
	ck_assert_uint_eq(listed[1].resident, 2052 * 1024);
}

TEST(test_what_has_no_memory_of_its_own_is_left_out)
{
	status(7, "kthreadd", 0, "");
	status(8, "zombie", 0, "Threads:\t1\n");
	status(9, "process", 0, "VmRSS:\t       0 kB\n");
	tree_directory("proc/10");
	tree_file("proc/meminfo", "VmRSS: 1 kB\n");
	tree_file("proc/12ab/status", "VmRSS: 1 kB\n");
	list_all(1);
	ck_assert_uint_eq(listed[0].pid, 9);
}

TEST(test_a_long_line_hides_no_other_and_is_none)
{
	char groups[2000];

	for (size_t i = 0; i < sizeof(groups) - 1; i += 9)
		memcpy(groups + i, "VmRSS:1 k", i + 9 < sizeof(groups) ? 9 : 1);
	groups[sizeof(groups) - 1] = '\0';
	tree_file("proc/7/status", "Groups:\t%s\nVmRSS:\t       8 kB\n", groups);
	list_all(1);
	ck_assert_uint_eq(listed[0].resident, 8 * 1024);
}

static const struct {
	const char *comm, *expected;
} names[] = {
	{"bash\n", "bash"},
	{"a b,\"c\n", "a b,\"c"},
	{"two\nlines\n", "two?lines"},
	{"\033[2J\n", "?[2J"},
	{"", ""},
	{"\n", ""},
	{"gr\303\274n\n", "gr\303\274n"},
	{"cut\303\n", "cut?"},
};

TEST_LOOP(test_a_name_is_printable, COUNT_OF(names))
{
	char name[PROCESS_NAME_SIZE];

	tree_file("proc/7/comm", "%s", names[_i].comm);
	ck_assert_str_eq(linux_processes.name(p, 7, name), names[_i].expected);
	ck_assert_str_eq(linux_processes.name(p, 8, name), "");
}

static const struct {
	const char *file, *path; /* contents of /proc/PID/cgroup; NULL: none */
} own_cgroups[] = {
	{"0::/a\n", "/a"},
	{"0::/\n", "/"},
	{"12:cpu,cpuacct:/c\n4:memory:/m\n1:name=systemd:/s\n0::/u\n", "/m"},
	{"4:hugetlb,memory:/m\n0::/u\n", "/m"},
	{"0::/u:v\n4:memory:/m:1\n", "/m:1"},
	{"0::/u:v\n", "/u:v"},
	{"3:memoryless:/m\n1:name=memory:/s\n0::/u\n", "/u"},
	{"1:name=systemd:/s\n", NULL},
	{"memory\n:\n::\n", NULL},
	{"", NULL},
};

TEST_LOOP(test_a_process_is_where_its_memory_is_charged, COUNT_OF(own_cgroups))
{
	char line[ROOTFS_PATH_SIZE];

	tree_file("proc/9/cgroup", "%s", own_cgroups[_i].file);
	const char *path = linux_processes.cgroup(p, 9, line);
	ck_assert_pstr_eq(path, own_cgroups[_i].path);
	ck_assert_ptr_null(linux_processes.cgroup(p, 8, line));
}

/* Names of cgroups have colons: the rest of a line that does not fit is not another's line. */
TEST(test_a_path_that_is_too_long_names_no_other_cgroup)
{
	char line[ROOTFS_PATH_SIZE], deep[ROOTFS_PATH_SIZE];

	memset(deep, 'a', sizeof(deep));
	deep[ROOTFS_PATH_SIZE - 1 - strlen("0::/")] = '\0';
	tree_file("proc/9/cgroup", "0::/%s0::/docker/other\n", deep);
	ck_assert_ptr_null(linux_processes.cgroup(p, 9, line));
	tree_file("proc/10/cgroup", "1:name=systemd:/%s0::/docker/other\n4:memory:/own\n", deep);
	ck_assert_pstr_eq(linux_processes.cgroup(p, 10, line), "/own");
	deep[900] = '\0';
	tree_file("proc/11/cgroup", "0::/%s\n", deep);
	ck_assert_pstr_eq(linux_processes.cgroup(p, 11, line) + 1, deep);
}

TEST(test_a_thread_has_its_own_times)
{
	struct process_stat stat;

	tree_file("proc/7/stat", "7 (a) S 1 2 3 4 5 6 7 8 9 10 100 200 16 17 18 19 2 21 50 23\n");
	tree_file("proc/7/task/8/stat",
		  "8 (b) S 1 2 3 4 5 6 7 8 9 10 3 4 16 17 18 19 2 21 60 23\n");
	ck_assert(linux_processes.stat(p, 7, 0, &stat));
	ck_assert(stat.started == 50 && stat.ticks == 300);
	ck_assert(linux_processes.stat(p, 7, 8, &stat));
	ck_assert(stat.started == 60 && stat.ticks == 7);
	ck_assert(!linux_processes.stat(p, 7, 9, &stat));
}

TEST(test_a_user_without_a_name_is_a_number)
{
	char name[PROCESS_USER_SIZE];

	for (unsigned twice = 0; twice < 2; twice++) {
		ck_assert_str_eq(linux_processes.user(p, 0, name), "root");
		ck_assert_str_eq(linux_processes.user(p, 54321, name), "54321");
	}
	ck_assert_uint_eq(machine.users.count, 2);
}

TEST(test_a_process_is_of_the_owner_of_its_directory)
{
	tree_file("etc/subuid", "12345:%u:1\n", getuid());
	tree_file("proc/7/comm", "work\n");
	ck_assert_uint_eq(linux_processes.owner(p, 7), 12345);
	ck_assert_uint_eq(linux_processes.owner(p, 8), OWNER_UNKNOWN);
}

TEST(test_a_process_with_a_machine_of_kvm_is_its_emulator)
{
	tree_link("proc/7/fd/0", "/dev/null");
	tree_link("proc/7/fd/9", "/dev/kvm");
	tree_link("proc/7/fd/10", "anon_inode:kvm-vm");
	tree_link("proc/8/fd/9", "/dev/kvm");
	tree_link("proc/8/fd/10", "anon_inode:kvm-vmx");
	tree_link("proc/8/fd/11", "anon_inode:kvm-vcpu:0");
	tree_link("proc/8/fd/12", "/tmp/anon_inode:kvm-vm");
	tree_file("proc/8/fd/13", "anon_inode:kvm-vm");
	ck_assert(linux_processes.runs_vm(p, 7));
	ck_assert(!linux_processes.runs_vm(p, 8));
	ck_assert(!linux_processes.runs_vm(p, 9));
}
