/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting a process through the kernel: the part of the time that was counted. */
#include "plan/perf_events.h"

#include "platform/clock.h"
#include "sim_monitor.h"
#include "uncore/units/perf_unit.h"
#include "unit.h"

#define MS UINT64_C(1000000)

static struct sim_monitor m;
static struct perf_reading next; /* the kernel's next reading */

static int read_next(struct platform *p, int leader, struct perf_reading *out)
{
	(void)p;
	(void)leader;
	*out = next;
	return 0;
}

/* Plans one group of the thread, or of CPU 0; the kernel returns the test's reading. */
static void start(unsigned thread)
{
	static struct platform_ops ops;
	static struct perf_ops perf;

	sim_monitor_perf_machine(&m, "gnr,cpus=1,clock=virtual");
	if (thread)
		ck_assert_int_eq(machine_use_process(&m.machine, thread, &m.err), 0);
	const struct view_options options = {.groups = "core", .finest = SCOPE_SYSTEM};
	ck_assert_msg(!sim_monitor_view(&m, &options), "%s", m.err.text);
	ck_assert_int_eq(plan_make(&m.machine, m.view.requests, m.view.request_count, FREEZE_NEVER,
				   &m.plan, &m.err),
			 0);
	ck_assert_uint_eq(m.plan.round_count, 1);
	ck_assert_int_eq(perf_events_open(&m.events, &m.plan, &m.err), 0);
	ops = *m.platform->ops;
	perf = *ops.perf;
	perf.read = read_next;
	ops.perf = &perf;
	m.platform->ops = &ops;
	next = (struct perf_reading){.count = m.plan.counter_count};
	ck_assert_int_eq(perf_events_enable(&m.events, 0, true), 0);
}

FIXTURE(NULL, NULL)

static const struct {
	unsigned thread;
	uint64_t enabled_ms, running_ms; /* per second */
	uint64_t counted_ms, waited_ms;
} times[] = {
	{0, 1000, 1000, 1000, 0},
	{0, 1000, 250, 250, 750},
	/* it ran all the time, a quarter of it on counters */
	{7, 1000, 250, 250, 750},
	/* it ran a quarter of the time, always on counters: everything was counted */
	{7, 250, 250, 1000, 0},
	/* it ran a quarter of the time, half of it on counters; and not at all */
	{7, 250, 125, 500, 500},
	{7, 0, 0, 1000, 0},
	/* never on a counter: everything is unknown */
	{7, 400, 0, 0, 1000},
	/* with two threads that it has started */
	{7, 3000, 1500, 500, 500},
};

TEST_LOOP(test_counts_of_a_process_are_of_all_the_time_and_those_of_a_cpu_of_its_own, COUNT(times))
{
	uint64_t counted = 5, waited = 7;

	start(times[_i].thread);
	for (unsigned k = 1; k <= 2; k++) {
		next.enabled_ns = k * times[_i].enabled_ms * MS;
		next.running_ns = k * times[_i].running_ms * MS;
		pass_time(m.platform, 1000 * MS);
		ck_assert_int_eq(perf_events_read(&m.events, 0, &counted, &waited), 0);
		ck_assert_uint_eq(counted, 5 + k * times[_i].counted_ms * MS);
		ck_assert_uint_eq(waited, 7 + k * times[_i].waited_ms * MS);
	}
}

TEST(test_a_thread_is_counted_on_every_cpu_with_what_it_starts)
{
	struct perf_event event;

	start(7);
	ck_assert_uint_eq(m.machine.cpu_count, 1);
	ck_assert_int_eq(
		perf_unit_encode(&m.machine.cpus[0], m.plan.counters[0].event, &event, &m.err), 0);
	ck_assert_uint_eq(event.thread, 7);
}
