/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans of processes in files, by a clock that the test sets. */
#include "probe/who/who_private.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "linux/system/linux_platform.h"
#include "probe/who/watch.h"
#include "unit.h"

#define MIB 1048576.0

static uint64_t now, step;
static unsigned polls, signal_at; /* number of the poll that finds a signal; 0: none */
static unsigned numbers[] = {1, 3};
static const struct who_nodes nodes = {.numa = {numbers, 2}};
static struct linux_platform machine;
static struct who_watch watch;

static uint64_t read_clock(struct platform *p)
{
	(void)p;
	now += step;
	return now;
}

static uint64_t read_wall(struct platform *p)
{
	(void)p;
	return now + 1000;
}

static int poll_signal(struct platform *p, uint64_t ns, const sigset_t *wake, int *signal_number)
{
	(void)p;
	(void)wake;
	ck_assert_uint_eq(ns, 0);
	if (++polls != signal_at)
		return 0;
	*signal_number = SIGTERM;
	return -EINTR;
}

static void begin(void)
{
	static const struct clock_ops clock = {
		.now = read_clock, .wall = read_wall, .sleep_until = poll_signal};
	static const struct platform_ops ops = {.clock = &clock, .processes = &linux_processes};

	now = 0;
	step = 0;
	polls = 0;
	signal_at = 0;
	machine = (struct linux_platform){.base = {.ops = &ops}, .root = (char *)tree_root()};
	watch = (struct who_watch){.platform = &machine.base,
				   .root = tree_root(),
				   .nodes = &nodes,
				   .with_threads = true};
}

static void end(void)
{
	who_watch_free(&watch);
	linux_users_free(&machine.users);
}

/* Writes a process with MiB on nodes 0, 1 and 3, and one thread. */
static void process(unsigned pid, const char *name, unsigned started, unsigned n0, unsigned n1,
		    unsigned n3)
{
	tree_file(tree_name("proc/%u/status", pid), "Name:\t%s\nUid:\t0\t0\t0\t0\nVmRSS:\t%u kB\n",
		  name, (n0 + n1 + n3) << 10);
	tree_file(tree_name("proc/%u/comm", pid), "%s\n", name);
	tree_file(tree_name("proc/%u/numa_maps", pid),
		  "7f0 default N0=%u N1=%u kernelpagesize_kB=4\n"
		  "7f8 bind:3 N3=%u kernelpagesize_kB=1024\n",
		  256 * n0, 256 * n1, n3);
	tree_file(tree_name("proc/%u/stat", pid),
		  "%u (%s) S 1 1 1 1 1 1 1 1 1 1 0 0 1 1 1 1 1 1 %u 1\n", pid, name, started);
}

static void thread(unsigned pid, unsigned tid, unsigned started, unsigned ticks, unsigned cpu)
{
	tree_file(tree_name("proc/%u/task/%u/stat", pid, tid),
		  "%u (x) S 1 1 1 1 1 1 1 1 1 1 %u 1 1 1 1 1 1 1 %u 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
		  "1 %u 1\n",
		  tid, ticks - 1, started, cpu);
}

static const struct who_scan *scan(void)
{
	struct error err = {0};

	ck_assert_msg(!who_watch_scan(&watch, &err), "%s", err.text);
	return &watch.scan;
}

TREE_FIXTURE(begin, end)

TEST(test_the_process_with_the_most_is_first)
{
	process(7, "none", 1, 500, 0, 0);
	process(8, "small", 1, 30, 0, 10);
	process(9, "large", 1, 0, 256, 1);
	process(10, "same", 1, 0, 10, 0);
	ck_assert_uint_eq(scan()->processes.count, 3);
	const struct process_row *p = watch.scan.processes.at;
	ck_assert_str_eq(p[0].name, "large");
	ck_assert_str_eq(p[0].is.user, "root");
	ck_assert(p[0].memory.cxl == 257 << 20);
	ck_assert_uint_eq(p[0].memory.bytes[0], 256 << 20);
	ck_assert_uint_eq(p[0].memory.bytes[1], 1 << 20);
	ck_assert_uint_eq(p[1].is.pid, 8);
	ck_assert(p[1].memory.cxl + p[1].memory.dram == 40 << 20);
	ck_assert_uint_eq(p[2].is.pid, 10);
	ck_assert_uint_eq(watch.scan.seen, 4);
}

TEST(test_nodes_beyond_those_of_a_row_count_in_its_sum)
{
	unsigned all[SCAN_NODES_MOST + 1];
	const struct who_nodes many = {.numa = {all, SCAN_NODES_MOST + 1}};

	for (unsigned i = 0; i <= SCAN_NODES_MOST; i++)
		all[i] = i;
	watch.nodes = &many;
	process(7, "many", 1, 0, 2, 0);
	tree_file("proc/7/numa_maps",
		  "7f0 default anon=2 dirty=2 N1=2 kernelpagesize_kB=1024\n"
		  "7f8 default N%d=4 kernelpagesize_kB=1024\n",
		  SCAN_NODES_MOST);
	ck_assert_uint_eq(scan()->processes.count, 1);
	const struct process_memory *memory = &watch.scan.processes.at->memory;
	assert_double(memory->cxl, 6 << 20, 0);
	ck_assert(memory->dram == 0);
	ck_assert_uint_eq(memory->bytes[1], 2 << 20);
	ck_assert(!who_memory_is_shown(watch.scan.processes.at, SCAN_NODES_MOST - 1));
}

TEST(test_no_process_is_an_error)
{
	struct error err = {0};

	ck_assert_int_eq(who_watch_scan(&watch, &err), -ENOENT);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, "no process is seen in ");
}

TEST(test_growth_is_since_the_last_scan)
{
	process(7, "grows", 1, 0, 10, 1);
	process(8, "shrinks", 1, 0, 20, 2);
	ck_assert(isnan(scan()->processes.at[0].growth));
	ck_assert(isnan(watch.scan.interval_s));
	process(7, "grows", 1, 0, 15, 1);
	process(8, "shrinks", 1, 0, 10, 0);
	process(9, "new", 5, 0, 3, 0);
	now += 1500000000;
	ck_assert_uint_eq(scan()->processes.count, 3);
	const struct process_row *p = watch.scan.processes.at;
	ck_assert(watch.scan.interval_s == 1.5);
	ck_assert(p[0].growth == 5 * MIB);
	ck_assert(p[0].node_growth[0] == 5 * MIB);
	ck_assert(p[0].node_growth[1] == 0);
	ck_assert(p[1].growth == -12 * MIB);
	ck_assert(p[2].growth == 3 * MIB);
}

TEST(test_a_pid_used_again_is_another_process)
{
	process(7, "first", 1, 0, 10, 0);
	scan();
	process(7, "second", 2, 0, 12, 0);
	ck_assert(scan()->processes.at[0].growth == 12 * MIB);
	ck_assert(!watch.scan.processes.at[0].threads.known);
}

TEST(test_a_scan_ends_in_time_and_leaves_out_the_smallest)
{
	process(7, "small", 1, 0, 0, 1);
	process(8, "large", 1, 0, 9, 0);
	watch.with_threads = false;
	/* the clock is read at the beginning, before each process and after each line */
	step = WHO_SCAN_MOST_NS / 6 + 1;
	ck_assert_uint_eq(scan()->processes.count, 1);
	ck_assert_str_eq(watch.scan.processes.at[0].name, "large");
	ck_assert_uint_eq(watch.scan.late, 1);
	ck_assert_uint_eq(watch.scan.late_resident, 1 << 20);
	ck_assert_uint_eq(watch.scan.read, 1);
	step = 0;
	/* the process left out may have been there before */
	ck_assert(isnan(scan()->processes.at[1].growth));
	ck_assert(watch.scan.processes.at[0].growth == 0);
}

/* Writes a process of 20 mappings with 1 MiB on node 1 each. */
static void many_mappings(unsigned pid)
{
	char text[1024] = "";

	process(pid, "many", 1, 0, 20, 0);
	for (unsigned i = 0; i < 20; i++)
		strcat(text, "7f0 default N1=256 kernelpagesize_kB=4\n");
	tree_file(tree_name("proc/%u/numa_maps", pid), "%s", text);
}

TEST(test_a_process_has_half_of_the_time_that_is_left)
{
	many_mappings(7);
	process(8, "small", 1, 0, 1, 0);
	watch.with_threads = false;
	step = WHO_SCAN_MOST_NS / 16;
	ck_assert_uint_eq(scan()->processes.count, 2);
	const struct process_row *p = watch.scan.processes.at;
	ck_assert(p[0].memory.partial && !p[1].memory.partial);
	ck_assert(p[0].memory.cxl == 8 << 20); /* 16 steps: one before, and 7 of its own */
	ck_assert(p[1].memory.cxl == 1 << 20);
	ck_assert_uint_eq(watch.scan.partial, 1);
	ck_assert_uint_eq(watch.scan.read, 2);
	ck_assert_uint_eq(watch.scan.late, 0);
	/* growth is unknown in this scan and in the next */
	scan();
	ck_assert(isnan(watch.scan.processes.at[0].growth));
	ck_assert(watch.scan.processes.at[1].growth == 0);
	step = 0;
	scan();
	ck_assert(!watch.scan.processes.at[0].memory.partial);
	ck_assert(isnan(watch.scan.processes.at[0].growth));
	ck_assert(isnan(watch.scan.processes.at[0].node_growth[0]));
	ck_assert(scan()->processes.at[0].growth == 0);
}

TEST(test_what_a_process_has_mapped_in_devdax_mode_is_known_without_time_for_its_memory)
{
	static struct devdax dax[] = {{"dax0.0", 1}};
	static const struct who_nodes with_dax = {.numa = {numbers, 2}, .dax = dax, .dax_count = 1};

	watch.nodes = &with_dax;
	watch.with_threads = false;
	many_mappings(7);
	tree_file("proc/7/maps", "7f0000000000-7f0040000000 rw-s 00000000 00:06 3 /dev/dax0.0\n");
	step = WHO_SCAN_MOST_NS / 16;
	ck_assert_uint_eq(scan()->processes.count, 1);
	ck_assert(watch.scan.processes.at[0].memory.partial);
	ck_assert_uint_eq(watch.scan.processes.at[0].dax_sum, 1 << 30);
}

TEST(test_a_signal_ends_the_reading_of_a_process)
{
	struct error err = {0};
	sigset_t wake;

	sigemptyset(&wake);
	watch.wake = &wake;
	many_mappings(7);
	signal_at = 3; /* before the process, and after each line */
	ck_assert_int_eq(who_watch_scan(&watch, &err), -EINTR);
	ck_assert_int_eq(watch.signal_number, SIGTERM);
	ck_assert_uint_eq(polls, 3);
	watch.wake = NULL;
}

TEST(test_growth_is_not_known_after_a_scan_that_was_refused)
{
	process(7, "seen", 1, 0, 1, 0);
	/* an unreadable file, as if the process refused to be asked */
	tree_directory("proc/8/status");
	ck_assert_uint_eq(scan()->processes.count, 1);
	ck_assert_uint_eq(watch.scan.refused, 1);
	ck_assert(!rmdir(tree_path("proc/8/status")));
	process(8, "let in", 1, 0, 2, 0);
	ck_assert_uint_eq(scan()->processes.count, 2);
	ck_assert(isnan(watch.scan.processes.at[0].growth));
	ck_assert(watch.scan.processes.at[1].growth == 0);
}

TEST(test_what_gave_back_all_is_there_once_more)
{
	process(7, "gives", 1, 1, 8, 2);
	process(8, "ends", 1, 1, 4, 0);
	process(9, "never", 1, 1, 0, 0);
	scan();
	process(7, "gives", 1, 1, 0, 0);
	ck_assert(!truncate(tree_path("proc/7/numa_maps"), 0));
	process(8, "another", 2, 1, 0, 0);
	ck_assert(!truncate(tree_path("proc/8/numa_maps"), 0));
	ck_assert_uint_eq(scan()->processes.count, 1);
	const struct process_row *p = watch.scan.processes.at;
	ck_assert_uint_eq(p->is.pid, 7);
	ck_assert(p->memory.cxl == 0);
	ck_assert(p->growth == -10 * MIB);
	ck_assert(p->node_growth[0] == -8 * MIB);
	ck_assert(p->node_growth[1] == -2 * MIB);
	ck_assert_uint_eq(scan()->processes.count, 0);
}

TEST(test_what_is_not_understood_is_left_out_and_counted)
{
	process(7, "good", 1, 0, 1, 0);
	process(8, "broken", 1, 0, 1, 0);
	tree_file("proc/8/numa_maps", "7f0 default N1=1 kernelpagesize_kB=4\nnonsense\n");
	ck_assert_uint_eq(scan()->processes.count, 1);
	ck_assert_uint_eq(watch.scan.unclear, 1);
	ck_assert_uint_eq(watch.scan.read, 1);
}

TEST(test_a_process_that_ends_meanwhile_is_left_out)
{
	process(7, "good", 1, 0, 1, 0);
	tree_file("proc/8/status", "VmRSS: 9 kB\n");
	tree_file("proc/9/status", "VmRSS: 9 kB\n");
	tree_file("proc/9/numa_maps", "7f0 default N1=1 kernelpagesize_kB=4\n");
	ck_assert_uint_eq(scan()->processes.count, 1);
	ck_assert_uint_eq(watch.scan.unclear + watch.scan.refused + watch.scan.late, 0);
}

TEST(test_a_kernel_without_nodes_is_an_error)
{
	struct error err = {0};

	tree_file("proc/8/status", "VmRSS: 9 kB\n");
	ck_assert_int_eq(who_watch_scan(&watch, &err), -ENOTSUP);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, "no NUMA support");
}

TEST(test_threads_have_run_since_the_last_scan)
{
	process(7, "threads", 1, 0, 1, 0);
	thread(7, 7, 1, 100, 0);
	thread(7, 9, 1, 50, 1);
	ck_assert(!scan()->processes.at[0].threads.known);
	thread(7, 7, 1, 130, 2);
	thread(7, 8, 5, 4, 3);
	thread(7, 9, 6, 5, 70000);
	ck_assert(scan()->processes.at[0].threads.known);
	ck_assert_uint_eq(watch.scan.processes.at->threads.count, 3);
	const struct row_thread *t = watch.scan.processes.at->threads.at;
	ck_assert_uint_eq(t[0].ran, 30);
	ck_assert_uint_eq(t[0].cpu, 2);
	ck_assert_uint_eq(t[1].ran, 4);
	ck_assert_uint_eq(t[1].cpu, 3);
	ck_assert_uint_eq(t[2].ran, 5); /* another thread with the same number */
}

TEST(test_many_processes_are_found_again)
{
	for (unsigned pid = 1; pid <= 100; pid++)
		process(pid, "many", pid, 0, pid, 0);
	scan();
	for (unsigned pid = 1; pid <= 100; pid++)
		process(pid, "many", pid, 0, 2 * pid, 0);
	ck_assert_uint_eq(scan()->processes.count, 100);
	for (unsigned i = 0; i < 100; i++) {
		ck_assert_uint_eq(watch.scan.processes.at[i].is.pid, 100 - i);
		ck_assert(watch.scan.processes.at[i].growth == (100 - i) * MIB);
	}
}

TEST(test_processes_that_have_mapped_memory_in_devdax_mode_are_listed)
{
	static struct devdax dax[] = {{"dax0.0", 1}, {"dax1.0", 3}};
	static const struct who_nodes with_dax = {.numa = {numbers, 2}, .dax = dax, .dax_count = 2};

	watch.nodes = &with_dax;
	process(7, "none", 1, 5, 0, 0);
	tree_file("proc/7/maps", "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n");
	process(8, "maps", 1, 5, 0, 0);
	tree_file("proc/8/maps", "7f0000000000-7f0040000000 rw-s 00000000 00:06 3 /dev/dax0.0\n"
				 "7f1000000000-7f1000200000 rw-s 00000000 00:06 3 /dev/dax1.0\n");
	process(9, "both", 1, 5, 3, 0);
	tree_file("proc/9/maps", "7f0000000000-7f0000100000 rw-s 00000000 00:06 3 /dev/dax1.0\n");
	process(10, "ended", 1, 5, 9, 0); /* its maps are gone */
	ck_assert_uint_eq(scan()->processes.count, 2);
	const struct process_row *p = watch.scan.processes.at;
	ck_assert_str_eq(p[0].name, "both");
	ck_assert(p[0].memory.cxl == 3 << 20);
	ck_assert_uint_eq(p[0].dax_sum, 1 << 20);
	ck_assert_str_eq(p[1].name, "maps");
	ck_assert(p[1].memory.cxl == 0);
	ck_assert(p[1].memory.cxl + p[1].memory.dram == 5 << 20);
	ck_assert_uint_eq(p[1].dax[0], 1 << 30);
	ck_assert_uint_eq(p[1].dax[1], 2 << 20);
	/* a user's devices are added up */
	watch.by = BY_USER;
	const struct who_scan *by_user = scan();
	ck_assert_uint_eq(by_user->groups.count, 1);
	ck_assert_uint_eq(by_user->groups.at[0].dax_sum, (1 << 30) + (3 << 20));
	ck_assert_uint_eq(by_user->groups.at[0].dax[1], 3 << 20);
}
