/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting through the kernel of a simulated processor of AMD. */

#include "platform/perf.h"
#include "sim_events.h"
#include "sim_registers.h"
#include "unit.h"

#define SPEC  "turin,sockets=2,read=6.4,dram_read=12.8,clock=virtual"
#define ALONE (-1)

#define GLOBAL 0xC0000301
#define ENABLE (UINT64_C(1) << 22)

#define READS	       "event=31f,umask=ffe" /* reads of port 0 */
#define READS_CONTROL  UINT64_C(0x30F00FE1F)
#define READS_A_SECOND UINT64_C(100000000)
#define SAMPLES	       "event=ad,umask=10,enallslices=1,enallcores=1,sliceid=3,threadmask=3"
/* samples of the first of two L3 caches: three quarters of the reads from four ports are near */
#define SAMPLES_A_SECOND (READS_A_SECOND * 4 * 3 / 4 / 64 / 3)

static struct platform *p;

static void set_up(void)
{
	p = sim_make(SPEC);
}

static void tear_down(void)
{
	p = NULL;
}

static int open_event(const char *pmu, const char *fields, unsigned cpu, int leader)
{
	const struct perf_event event = sim_event_of(p, pmu, fields, cpu, leader);
	const int handle = p->ops->perf->open(p, &event);

	ck_assert_msg(handle >= 0, "%s/%s/: %d", pmu, fields, handle);
	return handle;
}

/* Opens a group of so many events on CPU 0. */
static int open_group(const char *pmu, const char *fields, int count)
{
	const int leader = open_event(pmu, fields, 0, ALONE);

	for (int i = 1; i < count; i++)
		open_event(pmu, fields, 0, leader);
	return leader;
}

static void enable(int leader, bool on)
{
	ck_assert_int_eq(p->ops->perf->enable(p, leader, on), 0);
}

static uint64_t count_of(int leader)
{
	return sim_events_read(p, leader).values[0];
}

FIXTURE(set_up, tear_down)

static const struct {
	const char *pmu, *fields;
	unsigned cpu;
	uint64_t a_second;
} events[] = {
	{"amd_df", READS, 0, READS_A_SECOND},
	{"amd_df", READS, 9, READS_A_SECOND},
	{"amd_df", "event=31f", 0, 0},
	{"amd_l3", SAMPLES, 0, SAMPLES_A_SECOND},
	{"amd_l3", SAMPLES, 7, 2 * SAMPLES_A_SECOND},
	{"amd_umc_0", "event=0a,rdwrmask=1", 0, READS_A_SECOND / 2},
	{"amd_umc_5", "event=0", 8, UINT64_C(2400000000)},
	{"cpu", "event=76", 3, UINT64_C(3000000000)},
	{"cpu", "event=120,umask=1", 3, UINT64_C(2000000000)},
	{"cpu", "event=43,umask=80", 0, READS_A_SECOND * 4 / 36}, /* one part of 36 */
	{"msr", "event=0", 5, UINT64_C(2000000000)},
};

TEST_LOOP(test_event_counts_what_its_unit_counts, COUNT(events))
{
	const int handle = open_event(events[_i].pmu, events[_i].fields, events[_i].cpu, ALONE);

	pass_time(p, SECOND);
	enable(handle, true);
	ck_assert_uint_eq(count_of(handle), 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(handle), events[_i].a_second);
	enable(handle, false);
	pass_time(p, SECOND);
	enable(handle, true);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(handle), 2 * events[_i].a_second);
}

TEST(test_memory_controller_of_another_socket_is_refused)
{
	const struct perf_event event = sim_event_of(p, "amd_umc_0", "event=0a", 8, ALONE);

	ck_assert_int_eq(p->ops->perf->open(p, &event), -EINVAL);
}

TEST(test_an_event_s_control_stays_without_its_enable_bit)
{
	const int handle = open_event("amd_df", READS, 0, ALONE);

	msr_poke(p, 0, AMD_DF(0) + 1, 77);
	enable(handle, true);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0)), READS_CONTROL | ENABLE);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0) + 1), 0);
	pass_time(p, SECOND);
	enable(handle, false);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0)), READS_CONTROL);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0) + 1), READS_A_SECOND);
	msr_poke(p, 0, AMD_DF(0) + 1, 77);
	enable(handle, true);
	/* continues from its last value */
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0) + 1), READS_A_SECOND);
	p->ops->perf->close(p, handle);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0)), READS_CONTROL);
	ck_assert_uint_eq(msr_peek(p, 8, AMD_DF(0)), 0);
}

TEST(test_what_else_is_on_the_unit_goes_on)
{
	const int handle = open_event("amd_df", READS, 0, ALONE);

	msr_poke(p, 0, AMD_DF(1), READS_CONTROL | ENABLE);
	pass_time(p, SECOND);
	enable(handle, true);
	pass_time(p, SECOND);
	enable(handle, false);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(1) + 1), 2 * READS_A_SECOND);
}

/* Controls that the driver makes from a selection of threads, cores and slices. */
static const struct {
	const char *fields;
	uint64_t control;
} selections[] = {
	{"event=ac,umask=10", UINT64_C(0x0300C000004010AC)},
	{"event=ac,umask=10,sliceid=3", UINT64_C(0x0300C000004010AC)},
	{"event=ac,umask=10,enallcores=1", UINT64_C(0x0300C000004010AC)},
	{"event=ac,umask=10,threadmask=1", UINT64_C(0x01000000004010AC)},
	{"event=ac,umask=10,threadmask=3,sliceid=3,coreid=5", UINT64_C(0x03031400004010AC)},
	{"event=ac,umask=10,threadmask=3,sliceid=3,enallcores=1,enallslices=1",
	 UINT64_C(0x0303C000004010AC)},
};

TEST_LOOP(test_an_l3_event_that_names_no_threads_means_everything_but_the_slice_id,
	  COUNT(selections))
{
	enable(open_event("amd_l3", selections[_i].fields, 12, ALONE), true);
	ck_assert_uint_eq(msr_peek(p, 12, AMD_L3(0)), selections[_i].control);
	ck_assert_uint_eq(msr_peek(p, 8, AMD_L3(0)), 0);
}

TEST(test_a_umc_event_is_enabled_by_bit_31)
{
	enable(open_event("amd_umc_6", "event=0a,rdwrmask=2", 8, ALONE), true);
	ck_assert_uint_eq(msr_peek(p, 8, AMD_UMC(2, 0)), UINT64_C(0x8000020A));
}

TEST(test_a_umc_s_counter_is_set_to_0_before_it_saturates)
{
	const uint64_t days = 4 * 86400;
	const int handle = open_event("amd_umc_0", "event=0", 0, ALONE);

	enable(handle, true);
	pass_time(p, days * SECOND); /* the bare counter would stop on the second day */
	ck_assert_uint_eq(count_of(handle), days * UINT64_C(2400000000));
	ck_assert_uint_lt(msr_peek(p, 0, AMD_UMC(0, 0) + 1), UINT64_C(1) << 47);
}

TEST(test_a_cpu_s_event_leaves_the_global_control_as_it_was)
{
	const int handle = open_event("cpu", "event=76", 2, ALONE);

	enable(handle, true);
	ck_assert_uint_eq(msr_peek(p, 2, AMD_CORE(0)), UINT64_C(0x530076)); /* with an interrupt */
	ck_assert_uint_eq(msr_peek(p, 2, GLOBAL), 0x3F);
	enable(handle, false);
	ck_assert_uint_eq(msr_peek(p, 2, AMD_CORE(0)), UINT64_C(0x130076));
}

TEST(test_a_cpu_has_six_counters)
{
	const int leader = open_group("cpu", "event=c0", 6);
	const struct perf_event seventh = sim_event_of(p, "cpu", "event=c0", 0, leader);

	ck_assert_int_eq(p->ops->perf->open(p, &seventh), -EINVAL);
	enable(leader, true);
	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).values[5], UINT64_C(3750000000));
}

TEST(test_a_group_that_is_too_large_for_its_unit_never_counts)
{
	const int leader = open_group("amd_l3", SAMPLES, 7);

	enable(leader, true);
	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).count, 7);
	ck_assert_uint_eq(sim_events_read(p, leader).enabled_ns, SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).running_ns, 0);
	ck_assert_uint_eq(count_of(leader), 0);
}

TEST(test_groups_beyond_the_counters_take_turns)
{
	const int leaders[2] = {open_group("amd_df", READS, 9), open_group("amd_df", READS, 9)};

	enable(leaders[0], true);
	enable(leaders[1], true);
	pass_time(p, SECOND);
	for (int group = 0; group < 2; group++) {
		const struct perf_reading reading = sim_events_read(p, leaders[group]);

		ck_assert_uint_eq(reading.running_ns, SECOND / 2);
		ck_assert_uint_eq(reading.values[8], READS_A_SECOND / 2);
	}
}

TEST(test_events_of_a_cache_end_with_its_last_cpu)
{
	const int other = open_event("amd_l3", SAMPLES, 0, ALONE);
	const int handle = open_event("amd_l3", SAMPLES, 4, ALONE);

	enable(handle, true);
	enable(other, true);
	for (unsigned cpu = 5; cpu < 8; cpu++)
		sim_set_cpu_online(sim_of(p), cpu, false);
	pass_time(p, SECOND);
	sim_set_cpu_online(sim_of(p), 4, false);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(handle), 2 * SAMPLES_A_SECOND);
	ck_assert_uint_eq(count_of(other), 2 * SAMPLES_A_SECOND);
}
