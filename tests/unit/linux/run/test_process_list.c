/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/process.h"
#include "unit.h"

static struct process_list list;

static void forget(void)
{
	process_list_free(&list);
}

/* As the kernel writes it, with what is of no use here left out. */
static void status(unsigned pid, const char *name, unsigned uid, const char *memory)
{
	tree_file(tree_name("proc/%u/status", pid), "Name:\t%s\nUid:\t9\t%u\t9\t9\nGroups:\t0 \n%s",
		  name, uid, memory);
}

static void list_all(size_t expected)
{
	struct error err = {0};

	ck_assert_msg(!process_list_read(tree_root(), &list, &err), "%s", err.text);
	ck_assert_uint_eq(list.count, expected);
}

TREE_FIXTURE(NULL, forget)

TEST(test_the_largest_process_is_first)
{
	status(7, "small", 3, "VmRSS:\t       8 kB\nHugetlbPages:\t       0 kB\n");
	status(8, "huge pages", 0, "VmRSS:\t       4 kB\nHugetlbPages:\t    2048 kB\n");
	status(9, "same", 0, "VmRSS:\t       8 kB\n");
	list_all(3);
	ck_assert_uint_eq(list.processes[0].pid, 8);
	ck_assert_uint_eq(list.processes[0].resident, 2052 * 1024);
	ck_assert_uint_eq(list.processes[1].pid, 7);
	ck_assert_uint_eq(list.processes[1].uid, 3);
	ck_assert_uint_eq(list.processes[2].pid, 9);
	ck_assert_uint_eq(list.refused, 0);
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
	ck_assert_uint_eq(list.processes[0].pid, 9);
}

TEST(test_a_long_line_hides_no_other_and_is_none)
{
	char groups[2000];

	for (size_t i = 0; i < sizeof(groups) - 1; i += 9)
		memcpy(groups + i, "VmRSS:1 k", i + 9 < sizeof(groups) ? 9 : 1);
	groups[sizeof(groups) - 1] = '\0';
	tree_file("proc/7/status", "Groups:\t%s\nVmRSS:\t       8 kB\n", groups);
	list_all(1);
	ck_assert_uint_eq(list.processes[0].resident, 8 * 1024);
}

TEST(test_no_process_is_an_error)
{
	struct error err = {0};

	ck_assert_int_eq(process_list_read(tree_root(), &list, &err), -ENOENT);
	ck_assert_int_eq(err.status, EXIT_PERMISSION);
	assert_contains(err.text, "no process is seen in ");
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
	ck_assert_str_eq(process_list_name(tree_root(), 7, name), names[_i].expected);
	ck_assert_str_eq(process_list_name(tree_root(), 8, name), "");
}

TEST(test_fields_are_counted_from_the_end_of_the_name)
{
	struct proc_stat stat;

	tree_file("proc/7/stat",
		  "7 (a) Z 1\n(b) S 1 2 3 4 5 6 7 8 9 10 111 222 16 17 18 19 4 21 99 23\n");
	ck_assert(proc_stat_read(&stat, tree_root(), "proc/%u/stat", 7U));
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_UTIME), 111);
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_STIME), 222);
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_THREADS), 4);
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_STARTED), 99);
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_CPU), 0);
	ck_assert(!proc_stat_is_zombie(&stat));
	ck_assert(!proc_stat_read(&stat, tree_root(), "proc/%u/stat", 8U));
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
	ck_assert(process_runs_vm(tree_root(), 7));
	ck_assert(!process_runs_vm(tree_root(), 8));
	ck_assert(!process_runs_vm(tree_root(), 9));
}
