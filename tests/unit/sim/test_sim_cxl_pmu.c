/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver cxl_pmu of a simulated kernel: its PMUs, writes and counts. */

#include "platform/perf.h"
#include "sim/sim.h"
#include "sim_events.h"
#include "sim_registers.h"
#include "unit.h"

#define MACHINE "spr,cpus=2,ports=2,read=6.4,write=3.2,clock=virtual,cpmu=1"
#define REAL	MACHINE ",cxl_pmu=1,kernel=6.12"
#define MENDED	MACHINE ",cxl_pmu=1,kernel=7.3"
#define PMU	"cxl_pmu_mem1.0"
#define BLOCK	UINT64_C(0x2800120000) /* the first block of mem1 */
#define READS	UINT64_C(100000000)    /* lines per second */
#define WRITES	UINT64_C(50000000)

#define MEM_DATA "vid=1e98,gid=25,mask=1" /* the event of the fixed counter */
#define MEM_RD	 "vid=1e98,gid=20,mask=2"
#define MEM_WR	 "vid=1e98,gid=21,mask=2"
#define CAS	 "vid=1e98,gid=8000,mask=c"

static struct platform *p;

static int try_open(const char *fields, int leader)
{
	const struct perf_event event = sim_event_of(p, PMU, fields, 0, leader);

	return p->ops->perf->open(p, &event);
}

static int open_event(const char *fields, int leader)
{
	const int handle = try_open(fields, leader);

	ck_assert_msg(handle >= 0, "%s: %d", fields, handle);
	return handle;
}

static void enable(int leader, bool on)
{
	ck_assert_int_eq(p->ops->perf->enable(p, leader, on), 0);
}

static uint64_t configuration(unsigned i)
{
	return memory_peek(p, BLOCK + 0x200 + 8 * i, 8);
}

TEST(test_the_kernel_shows_a_pmu_of_each_device_if_its_driver_is_loaded)
{
	struct perf_pmus pmus;

	p = sim_make(MACHINE);
	pmus = sim_events_pmus(p);
	ck_assert_ptr_null(perf_find_pmu(&pmus, PMU));
	perf_pmus_free(&pmus);
	p = sim_make(REAL);
	pmus = sim_events_pmus(p);
	ck_assert_uint_eq(pmus.kernel, PERF_KERNEL(6, 12));
	ck_assert_ptr_nonnull(perf_find_pmu(&pmus, "cxl_pmu_mem0.0"));
	const struct perf_pmu *pmu = perf_find_pmu(&pmus, PMU);
	ck_assert_uint_eq(pmu->cpu_count, 1);
	ck_assert_uint_eq(perf_find_format(pmu, "gid")->bits, UINT64_C(0xFFFF) << 32);
	ck_assert_uint_eq(pmu->alias_count, 24);
	ck_assert_str_eq(pmu->aliases[0].name, "clock_ticks");
	ck_assert_uint_eq(pmu->aliases[0].config[0], UINT64_C(0x1E98000000000001));
	perf_pmus_free(&pmus);
}

TEST(test_what_the_device_cannot_count_is_refused)
{
	p = sim_make(REAL);
	ck_assert_int_eq(try_open("vid=1e98,gid=20,mask=20", -1), -EINVAL);
	ck_assert_int_eq(try_open("vid=1e98,gid=8001,mask=1", -1), -EINVAL);
	ck_assert_int_eq(try_open("vid=8086,gid=20,mask=2", -1), -EINVAL);
}

static const struct {
	const char *spec, *fields;
	uint64_t a_second;
} events[] = {{MENDED, MEM_DATA, READS},
	      {MENDED, MEM_RD, READS},
	      {MENDED, MEM_WR, WRITES},
	      {MENDED, CAS, READS + WRITES},
	      {REAL, MEM_DATA, READS}};

TEST_LOOP(test_a_mended_driver_and_a_counter_of_fixed_function_count_what_is_asked_for,
	  COUNT_OF(events))
{
	p = sim_make(events[_i].spec);
	/* any event that was counted there before */
	const int before = open_event(MEM_WR, -1);
	enable(before, true);
	p->ops->perf->close(p, before);
	const int leader = open_event(events[_i].fields, -1);
	enable(leader, true);
	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).values[0], events[_i].a_second);
	enable(leader, false);
	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).values[0], events[_i].a_second);
}

TEST(test_the_real_driver_takes_every_event_for_one_of_the_first_group)
{
	p = sim_make(REAL);
	const int leader = open_event(MEM_RD, -1);
	enable(leader, true);
	ck_assert_uint_eq(configuration(2), UINT64_C(0x02000702));
	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).values[0], 0);
	enable(leader, false);
	ck_assert_uint_eq(configuration(2), UINT64_C(0x02000402));
	/* adds events to those that it left there */
	const int next = open_event(CAS, -1);
	enable(next, true);
	ck_assert_uint_eq(configuration(2), UINT64_C(0x0E000702));
}

/* 5 events on 4 configurable counters. */
TEST(test_a_group_that_does_not_fit_is_not_refused_and_never_counts)
{
	p = sim_make(MENDED);
	const int leader = open_event(MEM_RD, -1);
	for (unsigned i = 0; i < 4; i++)
		open_event(MEM_WR, leader);
	enable(leader, true);
	pass_time(p, SECOND);
	const struct perf_reading reading = sim_events_read(p, leader);
	ck_assert_uint_eq(reading.enabled_ns, SECOND);
	ck_assert_uint_eq(reading.running_ns, 0);
}
