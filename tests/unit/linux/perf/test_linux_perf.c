/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of this machine's kernel, through the platform: software events, which every kernel has.
 * If it does not let this user open them, the tests say so and do nothing.
 */
#include "linux/perf/perf.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/linux.h"
#include "platform/clock.h"
#include "platform/perf.h"
#include "unit.h"

static struct platform *p;
static struct error err;

static void set_up(void)
{
	ck_assert_int_eq(platform_linux("/", &(struct log){0}, &p, &err), 0);
}

static void tear_down(void)
{
	platform_destroy(p);
}

static struct perf_event software(uint64_t config, int leader)
{
	return (struct perf_event){
		.type = PERF_TYPE_SOFTWARE, .config = {config}, .leader = leader};
}

static int open_event(struct perf_event event)
{
	return close_at_end(p->ops->perf->open(p, &event));
}

/* Opens a group of two clocks of CPU 0, in ns; -1: not permitted. */
static int open_group(const char *test)
{
	const int leader = open_event(software(PERF_COUNT_SW_CPU_CLOCK, -1));
	struct error reason;

	if (leader == -EACCES || leader == -EPERM) {
		p->ops->perf->explain(p, leader, &reason);
		fprintf(stderr, "%s: skipped: %s\n", test, reason.text);
		return -1;
	}
	ck_assert_int_ge(leader, 0);
	ck_assert_int_ge(open_event(software(PERF_COUNT_SW_CPU_CLOCK, leader)), 0);
	return leader;
}

static struct perf_reading read_group(int leader)
{
	struct perf_reading reading;

	ck_assert_int_eq(p->ops->perf->read(p, leader, &reading), 0);
	ck_assert_uint_eq(reading.count, 2);
	return reading;
}

static void pass_time(void)
{
	p->ops->clock->sleep_until(p, p->ops->clock->now(p) + 1000000, NULL, NULL);
}

TREE_FIXTURE(set_up, tear_down)

TEST(test_a_group_does_not_count_before_it_is_enabled)
{
	const int leader = open_group(__func__);

	if (leader < 0)
		return;
	pass_time();
	const struct perf_reading reading = read_group(leader);
	ck_assert_uint_eq(reading.enabled_ns, 0);
	ck_assert_uint_eq(reading.running_ns, 0);
	ck_assert_uint_eq(reading.values[0], 0);
	ck_assert_uint_eq(reading.values[1], 0);
}

#define PAGES 64

/* Makes a child with a page fault for each page that it writes. */
static void write_pages_in_a_child(void)
{
	const size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	const pid_t child = fork();

	if (!child) {
		char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				   -1, 0);
		madvise(pages, size, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < size; i += size / PAGES)
			((volatile char *)pages)[i] = 1;
		_exit(0);
	}
	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

TEST_LOOP(test_an_event_of_a_thread_counts_what_it_starts_once_it_is_enabled, 2)
{
	struct perf_event event = software(PERF_COUNT_SW_PAGE_FAULTS, -1);
	struct perf_reading reading;

	event.thread = (unsigned)getpid();
	event.exclude_kernel = true;
	const int leader = open_event(event);
	if (leader == -EACCES || leader == -EPERM) {
		fprintf(stderr, "%s: skipped: events of the own process are not permitted\n",
			__func__);
		return;
	}
	ck_assert_int_ge(leader, 0);
	if (_i)
		ck_assert_int_eq(p->ops->perf->enable(p, leader, true), 0);
	write_pages_in_a_child();
	ck_assert_int_eq(p->ops->perf->read(p, leader, &reading), 0);
	ck_assert_uint_eq(reading.count, 1);
	if (_i)
		ck_assert_uint_ge(reading.values[0], PAGES);
	else
		ck_assert_uint_eq(reading.values[0], 0);
}

TEST(test_threads_of_a_process_are_listed)
{
	unsigned *threads;
	size_t count;

	ck_assert_int_eq(p->ops->perf->threads(p, (unsigned)getpid(), &threads, &count, &err), 0);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(threads[0], (unsigned)getpid());
	free(threads);
	/* above the highest PID */
	ck_assert_int_eq(p->ops->perf->threads(p, INT_MAX, &threads, &count, &err), -ESRCH);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	ck_assert_str_eq(err.text, "process 2147483647 does not exist");
}

TEST(test_enabling_the_leader_starts_and_disabling_stops_the_group)
{
	const int leader = open_group(__func__);

	if (leader < 0)
		return;
	ck_assert_int_eq(p->ops->perf->enable(p, leader, true), 0);
	pass_time();
	const struct perf_reading running = read_group(leader);
	ck_assert_uint_ge(running.enabled_ns, 1000000);
	ck_assert_uint_eq(running.running_ns, running.enabled_ns);
	ck_assert_uint_gt(running.values[0], 0);
	ck_assert_uint_gt(running.values[1], 0);
	ck_assert_int_eq(p->ops->perf->enable(p, leader, false), 0);
	const struct perf_reading stopped = read_group(leader);
	pass_time();
	const struct perf_reading after = read_group(leader);
	ck_assert_uint_ge(stopped.values[0], running.values[0]);
	ck_assert_mem_eq(&after, &stopped, 8 * (3 + 2));
}

TEST(test_a_group_counts_on_after_a_pause)
{
	const int leader = open_group(__func__);

	if (leader < 0)
		return;
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(p->ops->perf->enable(p, leader, true), 0);
		pass_time();
		ck_assert_int_eq(p->ops->perf->enable(p, leader, false), 0);
		pass_time();
	}
	ck_assert_uint_ge(read_group(leader).enabled_ns, 2000000);
}

TEST(test_programs_that_are_started_do_not_inherit_events)
{
	const int leader = open_group(__func__);

	if (leader < 0)
		return;
	ck_assert_int_eq(fcntl(leader, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(fcntl(leader + 1, F_GETFD), FD_CLOEXEC);
}

TEST(test_a_closed_event_cannot_be_read)
{
	const int leader = open_group(__func__);
	struct perf_reading reading;

	if (leader < 0)
		return;
	p->ops->perf->close(p, leader);
	ck_assert_int_eq(p->ops->perf->read(p, leader, &reading), -EBADF);
	ck_assert_int_eq(p->ops->perf->enable(p, leader, true), -EBADF);
}

TEST(test_what_the_kernel_does_not_know_is_refused)
{
	const int leader = open_group(__func__);
	struct perf_event event = software(PERF_COUNT_SW_CPU_CLOCK, -1);

	if (leader < 0)
		return;
	event.type = UINT32_MAX - 1;
	ck_assert_int_eq(open_event(event), -ENOENT);
	event = software(PERF_COUNT_SW_CPU_CLOCK, 1 << 20);
	ck_assert_int_eq(open_event(event), -EBADF);
	event = software(PERF_COUNT_SW_CPU_CLOCK, -1);
	event.cpu = 1 << 20;
	ck_assert_int_lt(open_event(event), 0);
}

/* Reads files that are not events. */
static int read_bytes(const uint64_t *words, size_t count, struct perf_reading *out)
{
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
	ck_assert_int_eq(write(ends[1], words, count), (ssize_t)count);
	close(ends[1]);
	const int rc = linux_perf_read(NULL, ends[0], out);
	close(ends[0]);
	return rc;
}

TEST(test_a_group_is_read_whole_or_not_at_all)
{
	const uint64_t words[3 + PERF_GROUP_MAX] = {2, 100, 50, 7, 8};
	const uint64_t many[3 + PERF_GROUP_MAX] = {PERF_GROUP_MAX};
	const uint64_t too_many[3 + PERF_GROUP_MAX] = {PERF_GROUP_MAX + 1};
	const uint64_t endless[3 + PERF_GROUP_MAX] = {UINT64_MAX / 8};
	struct perf_reading reading;

	ck_assert_int_eq(read_bytes(words, 40, &reading), 0);
	ck_assert_uint_eq(reading.count, 2);
	ck_assert_uint_eq(reading.enabled_ns, 100);
	ck_assert_uint_eq(reading.running_ns, 50);
	ck_assert_uint_eq(reading.values[1], 8);
	for (size_t bytes = 0; bytes < 48; bytes++)
		if (bytes != 40)
			ck_assert_int_eq(read_bytes(words, bytes, &reading), -EIO);
	ck_assert_int_eq(read_bytes(many, sizeof(many), &reading), 0);
	ck_assert_int_eq(read_bytes(too_many, sizeof(too_many), &reading), -EIO);
	ck_assert_int_eq(read_bytes(endless, sizeof(endless), &reading), -EIO);
}

/* Opens an event of the PMU "msr", which may be absent. Returns its handle, or a negative errno. */
static int open_time_stamp_counter(void)
{
	struct perf_event event = {.leader = -1};
	struct perf_pmus pmus;
	int handle = -ENODEV;

	ck_assert_int_eq(p->ops->perf->pmus(p, &pmus, &err), 0);
	const struct perf_pmu *msr = perf_find_pmu(&pmus, "msr");
	if (msr) {
		event.type = msr->type;
		ck_assert_int_eq(perf_set_field(msr, "event", 0, &event, &err), 0);
		handle = open_event(event);
	}
	perf_pmus_free(&pmus);
	return handle;
}

TEST(test_the_time_stamp_counter_counts)
{
	const int handle = open_time_stamp_counter();
	struct perf_reading reading;

	if (handle < 0) {
		fprintf(stderr, "%s: skipped: %s\n", __func__, strerror(-handle));
		return;
	}
	ck_assert_int_eq(p->ops->perf->enable(p, handle, true), 0);
	pass_time();
	ck_assert_int_eq(p->ops->perf->read(p, handle, &reading), 0);
	ck_assert_uint_eq(reading.count, 1);
	ck_assert_uint_gt(reading.values[0], 0);
}

static void open_machine_of_files(void)
{
	platform_destroy(p);
	ck_assert_int_eq(platform_linux(tree_root(), &(struct log){0}, &p, &err), 0);
}

TEST(test_a_machine_of_files_has_pmus_but_does_not_count)
{
	struct perf_pmus pmus;
	struct error reason;

	open_machine_of_files();
	tree_file("sys/bus/event_source/devices/software/type", "1\n");
	ck_assert_int_eq(p->ops->perf->pmus(p, &pmus, &err), 0);
	ck_assert_uint_eq(pmus.count, 1);
	perf_pmus_free(&pmus);
	ck_assert_int_eq(open_event(software(PERF_COUNT_SW_CPU_CLOCK, -1)), -EOPNOTSUPP);
	p->ops->perf->explain(p, -EOPNOTSUPP, &reason);
	ck_assert_int_eq(reason.kind, ERROR_NO_UNIT);
	ck_assert_str_eq(reason.text, "a machine of files (--root) has no kernel that counts");
	ck_assert_str_eq(reason.command, "");
}

TEST(test_the_root_may_be_written_in_several_ways)
{
	platform_destroy(p);
	ck_assert_int_eq(platform_linux("//", &(struct log){0}, &p, &err), 0);
	ck_assert_int_ne(open_event(software(PERF_COUNT_SW_CPU_CLOCK, -1)), -EOPNOTSUPP);
	platform_destroy(p);
	ck_assert_int_eq(platform_linux("/usr/..", &(struct log){0}, &p, &err), 0);
	ck_assert_int_ne(open_event(software(PERF_COUNT_SW_CPU_CLOCK, -1)), -EOPNOTSUPP);
}

TEST(test_the_level_is_that_of_the_machine)
{
	open_machine_of_files();
	ck_assert_int_eq(linux_perf_rights(tree_root()).paranoid, -2);
	ck_assert(!linux_perf_rights(tree_root()).container);
	tree_file("proc/sys/kernel/perf_event_paranoid", "4\n");
	ck_assert_int_eq(linux_perf_rights(tree_root()).paranoid, 4);
	tree_file("proc/sys/kernel/perf_event_paranoid", "-1\n");
	ck_assert_int_eq(linux_perf_rights(tree_root()).paranoid, -1);
	tree_file(".dockerenv", "%s", "");
	ck_assert(linux_perf_rights(tree_root()).container);
}
