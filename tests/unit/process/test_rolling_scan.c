/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes in files, whose memory is read by a clock that the test sets. */
#include "process/rolling_scan.h"

#include "base/text.h"
#include "linux/system/linux_platform.h"
#include "unit.h"

#define MS (NS_PER_S / 1000)

static uint64_t now, step; /* the clock advances by a step each time it is read */
static unsigned numbers[] = {1};
static const struct cxl_nodes nodes = {.numbers = numbers, .count = 1};
static struct linux_platform machine;
static struct rolling_scan all;

static uint64_t read_clock(struct platform *p)
{
	(void)p;
	now += step;
	return now;
}

static void begin(void)
{
	static const struct clock_ops clock = {.now = read_clock};
	static const struct platform_ops ops = {.clock = &clock, .processes = &linux_processes};

	now = NS_PER_S;
	step = 0;
	machine = (struct linux_platform){.base = {.ops = &ops}, .root = (char *)tree_root()};
	all = (struct rolling_scan){.platform = &machine.base, .nodes = &nodes};
}

static void end(void)
{
	rolling_scan_free(&all);
	linux_users_free(&machine.users);
}

/* Writes a process with MiB on nodes 0 and 1. */
static void process(unsigned pid, const char *name, unsigned started, unsigned n0, unsigned n1)
{
	const unsigned kib = (n0 + n1) << 10;

	tree_file(tree_name("proc/%u/status", pid), "Uid:\t0\t0\t0\t0\nVmRSS:\t%u kB\n", kib);
	tree_file(tree_name("proc/%u/comm", pid), "%s\n", name);
	tree_file(tree_name("proc/%u/cgroup", pid), "0::/work/%s\n", name);
	tree_file(tree_name("proc/%u/numa_maps", pid),
		  "7f0 default N0=%u N1=%u kernelpagesize_kB=1024\n", n0, n1);
	tree_file(tree_name("proc/%u/stat", pid),
		  "%u (%s) S 1 1 1 1 1 1 1 1 1 1 0 0 1 1 1 1 1 1 %u 1\n", pid, name, started);
}

static void update(void)
{
	ck_assert_int_eq(rolling_scan_update(&all), 0);
}

static const struct scanned_process *find(unsigned pid)
{
	const struct scanned_process *found = rolling_scan_find(&all, pid);

	ck_assert_msg(found != NULL, "no process %u", pid);
	return found;
}

TREE_FIXTURE(begin, end)

TEST(test_memory_is_that_of_each_node)
{
	process(7, "both", 70, 3, 5);
	update();
	const struct scanned_process *p = find(7);
	ck_assert_str_eq(p->is.name, "both");
	ck_assert_str_eq(p->is.user, "root");
	ck_assert_str_eq(p->is.cgroup, "/work/both");
	ck_assert_uint_eq(p->is.started, 70);
	ck_assert(p->state == MEMORY_COUNTED && !p->memory.partial);
	ck_assert_double_eq(p->memory.cxl, 5 << 20);
	ck_assert_double_eq(p->memory.dram, 3 << 20);
	/* watched nodes come first */
	ck_assert_uint_eq(all.number_count, 2);
	ck_assert_uint_eq(all.numbers[0], 1);
	ck_assert_uint_eq(p->memory.bytes[0], 5 << 20);
	ck_assert_uint_eq(p->memory.bytes[1], 3 << 20);
}

/* Two sockets with eight CXL devices each, and four nodes of DRAM. */
TEST(test_a_large_machine_has_a_sum_for_each_node)
{
	char text[1024] = "7f0 default";

	process(7, "wide", 70, 1, 1);
	for (unsigned n = 0; n < 24; n++)
		text_append(text, sizeof(text), " N%u=%u", n, n + 1);
	text_append(text, sizeof(text), " kernelpagesize_kB=1024\n");
	tree_file("proc/7/numa_maps", "%s", text);
	update();
	const struct process_memory *memory = &find(7)->memory;
	ck_assert_uint_eq(all.number_count, 24);
	for (size_t i = 0; i < 24; i++)
		ck_assert_uint_eq(memory->bytes[i], (uint64_t)(all.numbers[i] + 1) << 20);
	ck_assert_double_eq(memory->cxl + memory->dram, 300 << 20);
}

TEST(test_a_thread_of_the_kernel_has_no_memory)
{
	process(2, "kthreadd", 1, 0, 0);
	tree_file("proc/2/status", "Uid:\t0\t0\t0\t0\n");
	update();
	ck_assert_uint_eq(find(2)->is.resident, 0);
	ck_assert(!memory_is_known(find(2)->state) && !find(2)->read_ns);
}

TEST(test_memory_that_is_not_understood_is_not_known)
{
	process(7, "odd", 1, 1, 1);
	tree_file("proc/7/numa_maps", "what is this\n");
	update();
	ck_assert(!memory_is_known(find(7)->state));
	ck_assert_uint_gt(find(7)->read_ns, 0);
}

TEST(test_a_process_that_ended_goes_with_the_next_list)
{
	process(7, "first", 1, 1, 1);
	process(8, "second", 1, 1, 1);
	update();
	tree_link("proc/gone", "/");
	ck_assert_int_eq(rename(tree_path("proc/7"), tree_path("proc/x7")), 0);
	update();
	ck_assert_uint_eq(all.count, 2); /* the list is still fresh */
	now += SCAN_LIST_NS;
	update();
	ck_assert_uint_eq(all.count, 1);
	ck_assert(!rolling_scan_find(&all, 7));
	ck_assert(memory_is_known(find(8)->state));
}

TEST(test_memory_is_read_again_after_a_second)
{
	process(7, "grows", 1, 0, 1);
	update();
	process(7, "grows", 1, 0, 9);
	now += SCAN_FRESH_NS - 1;
	update();
	ck_assert_double_eq(find(7)->memory.cxl, 1 << 20);
	now += 1;
	update();
	ck_assert_double_eq(find(7)->memory.cxl, 9 << 20);
}

/* A pid is reused, or a process executes another program. */
TEST(test_names_are_those_of_when_memory_was_read)
{
	process(7, "sh", 70, 0, 1);
	update();
	process(7, "work", 90, 0, 1);
	now += SCAN_FRESH_NS;
	update();
	ck_assert_str_eq(find(7)->is.name, "work");
	ck_assert_uint_eq(find(7)->is.started, 90);
}

static void end_process(unsigned pid)
{
	ck_assert_int_eq(rename(tree_path(tree_name("proc/%u", pid)),
				tree_path(tree_name("proc/ended-%u", pid))),
			 0);
}

/* A process ends after it was listed, and another one has its pid before the next list. */
TEST(test_one_that_has_ended_leaves_no_memory_to_the_next_of_its_pid)
{
	process(7, "old", 70, 0, 4);
	update();
	now += SCAN_LIST_NS - 1;
	update(); /* neither lists processes nor reads memory */
	end_process(7);
	all.listed_ns = now;
	now += 1;
	update();
	ck_assert(!memory_is_known(find(7)->state));
	ck_assert_double_eq(find(7)->memory.cxl, 0);
	process(7, "new", 90, 0, 1);
	now += SCAN_LIST_NS;
	update();
	ck_assert_str_eq(find(7)->is.name, "new");
	ck_assert_double_eq(find(7)->memory.cxl, 1 << 20);
}

/* Another process has the pid when it is listed again, before its turn comes. */
TEST(test_one_with_a_pid_that_is_used_again_is_not_taken_for_the_old_one)
{
	process(7, "old", 70, 0, 4);
	update();
	process(7, "new", 90, 0, 1);
	now += SCAN_LIST_NS;
	all.updated_ns = now; /* leaves no time for memory */
	all.allowed_ns = 0;
	update();
	ck_assert_str_eq(find(7)->is.name, "new");
	ck_assert_uint_eq(find(7)->is.started, 90);
	ck_assert(!memory_is_known(find(7)->state));
	ck_assert_double_eq(find(7)->memory.cxl, 0);
}

/* The old process has read no CXL memory, so that samples are the first sign of the new one. */
TEST(test_a_check_forgets_only_one_whose_pid_is_used_again)
{
	process(7, "old", 70, 4, 0);
	update();
	struct scanned_process *found = rolling_scan_find(&all, 7);
	rolling_scan_check(&all, found);
	ck_assert(memory_is_known(found->state));
	ck_assert_double_eq(found->memory.dram, 4 << 20);
	end_process(7); /* a process keeps its memory after its end */
	rolling_scan_check(&all, found);
	ck_assert_str_eq(found->is.name, "old");
	process(7, "new", 90, 0, 1);
	rolling_scan_check(&all, found);
	ck_assert_str_eq(found->is.name, "new");
	ck_assert(!memory_is_known(found->state) && !found->memory.dram);
	update();
	ck_assert_double_eq(find(7)->memory.cxl, 1 << 20);
}

/* Otherwise a process could hide by the pid of a zombie or a kernel thread. */
TEST(test_a_pid_of_one_without_memory_is_looked_at_again)
{
	process(7, "zombie", 70, 0, 0);
	update();
	end_process(7);
	process(7, "new", 90, 0, 1);
	now += SCAN_LIST_NS;
	update();
	ck_assert(!memory_is_known(find(7)->state));
	now += (SCAN_EMPTY_TURNS - 1) * SCAN_FRESH_NS;
	update();
	ck_assert_str_eq(find(7)->is.name, "new");
	ck_assert_double_eq(find(7)->memory.cxl, 1 << 20);
}

/*
 * Each reading of the clock takes 50 ms: the largest are read first, until the first 250 ms are
 * over.
 */
TEST(test_the_largest_are_read_first_while_there_is_time)
{
	for (unsigned pid = 1; pid <= 5; pid++)
		process(pid, "p", 1, 0, pid);
	step = 20 * MS;
	update();
	ck_assert(memory_is_known(find(5)->state) && memory_is_known(find(4)->state) &&
		  memory_is_known(find(3)->state));
	ck_assert(!memory_is_known(find(2)->state) && !memory_is_known(find(1)->state));
}

static unsigned known_of(unsigned count)
{
	unsigned known = 0;

	for (unsigned pid = 1; pid <= count; pid++)
		known += memory_is_known(find(pid)->state);
	return known;
}

/* A reading takes 100 ms: after the first 250 ms, overdrawn by 50 ms, one follows every 10 s. */
TEST(test_reading_takes_a_hundredth_of_the_time)
{
	for (unsigned pid = 1; pid <= 40; pid++)
		process(pid, "p", 1, 0, 1);
	step = 20 * MS;
	update();
	ck_assert_uint_eq(known_of(40), 3);
	for (unsigned i = 0; i < 95; i++) {
		now += NS_PER_S - 20 * MS; /* time at which an update begins to read */
		update();
	}
	ck_assert_uint_eq(known_of(40), 3 + 10);
}

/* A reading takes 10 ms. */
TEST(test_aside_it_takes_less_of_the_time)
{
	for (unsigned pid = 1; pid <= 80; pid++)
		process(pid, "p", 1, 0, 1);
	step = 2 * MS;
	all.aside = true;
	update();
	const unsigned first = known_of(80);
	for (unsigned i = 0; i < 100; i++) {
		now += NS_PER_S - 2 * MS;
		update();
	}
	ck_assert_uint_ge(known_of(80), first + 28);
	ck_assert_uint_le(known_of(80), first + 31);
}

/* 1000 s would allow 10 s of reading. */
TEST(test_after_a_pause_reading_takes_no_longer_than_at_first)
{
	for (unsigned pid = 1; pid <= 40; pid++)
		process(pid, "p", 1, 0, 1);
	step = 20 * MS;
	update();
	now += 1000 * NS_PER_S;
	update();
	ck_assert_uint_eq(known_of(40), 3 + 3);
}

/* There is time for one reading per second. */
TEST(test_one_that_reads_has_more_turns)
{
	unsigned turns[3] = {0};

	process(1, "reads", 1, 0, 1);
	process(2, "idle", 1, 0, 2);
	update();
	rolling_scan_find(&all, 1)->reads = true;
	for (unsigned i = 0; i < 20; i++) {
		all.allowed_ns = 0;
		now += SCAN_FRESH_NS;
		step = 5 * MS;
		update();
		step = 0;
		for (unsigned pid = 1; pid <= 2; pid++)
			turns[pid] += now - find(pid)->read_ns < SCAN_FRESH_NS;
	}
	ck_assert_uint_eq(turns[1], 15);
	ck_assert_uint_eq(turns[2], 5);
}

/* Two processes come each second, live for two, and have most turns, but not all. */
TEST(test_those_that_come_and_go_leave_turns_to_others)
{
	unsigned turns = 0;

	process(1, "stays", 1, 0, 1);
	update();
	for (unsigned pid = 100; pid < 160; pid += 2) {
		process(pid, "new", 1, 0, 9);
		process(pid + 1, "new", 1, 0, 9);
		all.allowed_ns = 0;
		now += SCAN_LIST_NS;
		step = 5 * MS;
		update();
		step = 0;
		turns += now - find(1)->read_ns < SCAN_FRESH_NS;
		for (unsigned old = pid - 2; old < pid && pid > 100; old++)
			end_process(old);
	}
	ck_assert_uint_eq(turns, 4);
}

static unsigned calls;

static int count(void *context)
{
	ck_assert_ptr_eq(context, &calls);
	calls++;
	return 0;
}

TEST(test_something_else_is_done_meanwhile)
{
	calls = 0;
	process(7, "p", 1, 1, 1);
	all.meanwhile = count;
	all.context = &calls;
	update();
	ck_assert_uint_ge(calls, 1);
}

static int reuse_pid(void *context)
{
	(void)context;
	process(7, "new", 90, 0, 1);
	return 0;
}

static int end_it(void *context)
{
	(void)context;
	end_process(7);
	return 0;
}

TEST(test_what_was_read_while_a_pid_was_used_again_is_nobodys)
{
	process(7, "old", 70, 0, 4);
	all.meanwhile = reuse_pid;
	step = SCAN_FIRST_NS; /* time for one reading */
	update();
	ck_assert_str_eq(find(7)->is.name, "new");
	ck_assert_uint_eq(find(7)->is.started, 90);
	ck_assert_int_eq(find(7)->state, MEMORY_UNREAD);
	ck_assert_double_eq(find(7)->memory.cxl, 0);
	step = 0;
	all.meanwhile = NULL;
	all.allowed_ns = 1;
	update();
	ck_assert_double_eq(find(7)->memory.cxl, 1 << 20);
}

TEST(test_one_that_ends_while_it_is_read_has_no_memory)
{
	process(7, "old", 70, 0, 4);
	all.meanwhile = end_it;
	update();
	ck_assert(find(7)->is.ended);
	ck_assert_int_eq(find(7)->state, MEMORY_NONE);
	ck_assert_double_eq(find(7)->memory.cxl, 0);
}

/* The clock is two seconds later after the first mapping. */
TEST(test_of_a_process_that_takes_long_a_part_is_known)
{
	process(7, "huge", 1, 0, 1);
	tree_file("proc/7/numa_maps", "7f0 default N1=4 kernelpagesize_kB=1024\n"
				      "7f8 default N1=8 kernelpagesize_kB=1024\n");
	step = SCAN_PROCESS_NS;
	update();
	ck_assert(find(7)->state == MEMORY_PARTIAL && find(7)->memory.partial);
	ck_assert_double_eq(find(7)->memory.cxl, 4 << 20);
}
