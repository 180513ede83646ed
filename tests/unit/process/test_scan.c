/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans of processes that take as much time as the test sets. */
#include "process/scan.h"

#include <errno.h>
#include <stdlib.h>

#include "platform/clock.h"
#include "platform/platform.h"
#include "unit.h"

#define WHOLE_NS UINT64_C(1000)
#define MOST	 64

/* Processes with pids from 1 on. */
static struct simulated {
	uint64_t resident, takes_ns;
	uid_t owner;
	/* result of reading its memory; -EPERM: its status is also refused */
	int rc;
} processes[MOST];
static size_t process_count;

static uint64_t now;
static unsigned calls, stops_at; /* call of go_on() that stops; 0: none */
static struct {
	unsigned pid;
	enum memory_state state;
} visited[MOST];
static size_t visited_count;

static uint64_t read_clock(struct platform *p)
{
	(void)p;
	return now;
}

static int list_pids(struct platform *p, unsigned **pids, size_t *count)
{
	(void)p;
	*count = process_count;
	*pids = calloc(process_count + 1, sizeof(**pids));
	ck_assert_ptr_nonnull(*pids);
	for (unsigned i = 0; i < process_count; i++)
		(*pids)[i] = i + 1;
	return 0;
}

static int read_status(struct platform *p, unsigned pid, struct listed_process *out)
{
	const struct simulated *process = &processes[pid - 1];

	(void)p;
	if (process->rc == -EPERM)
		return -EPERM;
	*out = (struct listed_process){.pid = pid, .resident = process->resident};
	return process->resident > 0;
}

static uid_t owner_of(struct platform *p, unsigned pid)
{
	(void)p;
	return processes[pid - 1].owner;
}

static bool read_stat(struct platform *p, unsigned pid, unsigned tid, struct process_stat *out)
{
	(void)p;
	ck_assert_uint_eq(tid, 0);
	*out = (struct process_stat){.started = 70 + pid};
	return true;
}

static int read_memory(struct platform *p, unsigned pid, int (*go_on)(void *context), void *context,
		       uint64_t bytes[NUMA_NODES_MOST])
{
	(void)p;
	memset(bytes, 0, NUMA_NODES_MOST * sizeof(*bytes));
	for (uint64_t taken = 0; taken < processes[pid - 1].takes_ns; taken++) {
		const int rc = go_on(context);

		if (rc)
			return rc;
		now++;
		bytes[1]++;
	}
	return processes[pid - 1].rc;
}

static int go_on(void *context)
{
	ck_assert_ptr_eq(context, &now);
	return ++calls == stops_at ? -EINTR : 0;
}

static unsigned unwanted;

static bool wants(void *context, unsigned pid)
{
	ck_assert_ptr_eq(context, &now);
	return pid != unwanted;
}

static int visit(void *context, const struct scanned_memory *memory)
{
	ck_assert_ptr_eq(context, &now);
	ck_assert_uint_eq(memory->started,
			  memory->state == MEMORY_LATE ? 0 : 70 + memory->process->pid);
	if (memory->state == MEMORY_COUNTED)
		ck_assert_uint_eq(memory->bytes[1], processes[memory->process->pid - 1].takes_ns);
	visited[visited_count].pid = memory->process->pid;
	visited[visited_count++].state = memory->state;
	return 0;
}

static struct whole_scan scan;

static void begin(void)
{
	process_count = visited_count = 0;
	calls = stops_at = unwanted = 0;
	now = 0;
}

FIXTURE(begin, NULL)

static int take(void)
{
	static const struct clock_ops clock = {.now = read_clock};
	static const struct process_ops ops_of_processes = {.pids = list_pids,
							    .status = read_status,
							    .stat = read_stat,
							    .owner = owner_of,
							    .memory = read_memory};
	static const struct platform_ops ops = {.clock = &clock, .processes = &ops_of_processes};
	static struct platform p = {.ops = &ops};

	scan = (struct whole_scan){.platform = &p,
				   .until_ns = WHOLE_NS,
				   .go_on = go_on,
				   .wants = wants,
				   .visit = visit,
				   .context = &now};
	return whole_scan_take(&scan);
}

static void add(uint64_t resident, uint64_t takes_ns, uid_t owner)
{
	processes[process_count++] = (struct simulated){resident, takes_ns, owner, 0};
}

TEST(test_the_largest_process_is_read_first)
{
	const unsigned expected[] = {3, 1, 2, 5};

	add(20, 1, 0);
	add(10, 1, 0);
	add(30, 1, 0);
	add(0, 1, 0); /* a process without memory */
	add(10, 1, 0);
	ck_assert_int_eq(take(), 0);
	ck_assert_uint_eq(scan.seen, 4);
	ck_assert_uint_eq(visited_count, 4);
	for (size_t i = 0; i < COUNT(expected); i++) {
		ck_assert_uint_eq(visited[i].pid, expected[i]);
		ck_assert_int_eq(visited[i].state, MEMORY_COUNTED);
	}
}

TEST(test_a_process_that_is_not_wanted_is_not_seen)
{
	add(20, 1, 0);
	add(10, 1, 0);
	unwanted = 1;
	ck_assert_int_eq(take(), 0);
	ck_assert_uint_eq(scan.seen, 1);
	ck_assert_uint_eq(visited_count, 1);
	ck_assert_uint_eq(visited[0].pid, 2);
}

TEST(test_each_process_has_half_of_the_time_that_is_left)
{
	add(3, 2000, 0);
	add(2, 250, 0);
	add(1, 2000, 0);
	ck_assert_int_eq(take(), 0);
	ck_assert_int_eq(visited[0].state, MEMORY_PARTIAL);
	ck_assert_int_eq(visited[1].state, MEMORY_COUNTED);
	ck_assert_int_eq(visited[2].state, MEMORY_PARTIAL);
	ck_assert_uint_eq(now, 875);
}

/* Each of 40 large processes of a user could take all of the time. */
TEST(test_many_large_processes_of_a_user_do_not_leave_out_those_of_others)
{
	for (unsigned i = 0; i < 40; i++)
		add(1000 - i, 2000, 1000);
	add(7, 5, 1001);
	add(9, 5, 1002);
	add(8, 5, 1002);
	ck_assert_int_eq(take(), 0);
	ck_assert_uint_eq(visited_count, 43);
	ck_assert_uint_eq(visited[0].pid, 1);
	/* order after half of the time: each user's largest, then each user's second */
	const unsigned expected[] = {2, 42, 41, 3, 43, 4};
	for (size_t i = 0; i < COUNT(expected); i++) {
		ck_assert_uint_eq(visited[i + 1].pid, expected[i]);
		ck_assert_int_eq(visited[i + 1].state,
				 expected[i] > 40 ? MEMORY_COUNTED : MEMORY_PARTIAL);
	}
	ck_assert_int_eq(visited[42].state, MEMORY_LATE);
}

TEST(test_no_time_is_left_after_the_whole)
{
	add(3, 1, 0);
	add(2, 1, 0);
	now = WHOLE_NS;
	ck_assert_int_eq(take(), 0);
	ck_assert_uint_eq(visited_count, 2);
	ck_assert_int_eq(visited[0].state, MEMORY_LATE);
	ck_assert_int_eq(visited[1].state, MEMORY_LATE);
	ck_assert_uint_eq(calls, 0);
}

static const struct {
	int rc;
	enum memory_state state;
} states[] = {
	{0, MEMORY_COUNTED},	    {-ETIME, MEMORY_PARTIAL}, {-EACCES, MEMORY_REFUSED},
	{-EPERM, MEMORY_REFUSED},   {-ENOENT, MEMORY_NONE},   {-ESRCH, MEMORY_NONE},
	{-EBADMSG, MEMORY_UNCLEAR}, {-EIO, MEMORY_UNCLEAR},
};

TEST_LOOP(test_states_say_why_memory_is_not_known, COUNT(states))
{
	ck_assert_int_eq(memory_state_of(states[_i].rc), states[_i].state);
	if (states[_i].rc == -EPERM)
		return;
	add(3, 0, 0);
	processes[0].rc = states[_i].rc;
	ck_assert_int_eq(take(), 0);
	ck_assert_int_eq(visited[0].state, states[_i].state);
}

TEST(test_processes_that_may_not_be_asked_are_counted)
{
	add(3, 1, 0);
	add(2, 1, 0);
	processes[1].rc = -EPERM;
	ck_assert_int_eq(take(), 0);
	ck_assert_uint_eq(scan.seen, 1);
	ck_assert_uint_eq(scan.refused, 1);
	ck_assert_uint_eq(visited_count, 1);
}

/* A scan can stop before a process, or between its mappings. */
TEST_RANGE(test_a_scan_ends_where_it_is_told_to, 1, 6)
{
	add(3, 3, 0);
	add(2, 3, 0);
	stops_at = (unsigned)_i;
	ck_assert_int_eq(take(), -EINTR);
	ck_assert_uint_eq(calls, _i);
	ck_assert_uint_eq(visited_count, _i > 4);
}
