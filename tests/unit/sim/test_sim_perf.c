/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting through the kernel of a simulated machine: platform/perf.h. */
#include "platform/perf.h"

#include "allocations.h"
#include "msr/core_pmu.h"
#include "platform/reg.h"
#include "sim_events.h"
#include "sim_registers.h"
#include "unit.h"

#define SPEC	    "spr,sockets=2,read=20,write=8,dram_read=64,clock=virtual"
#define MILLISECOND UINT64_C(1000000) /* ns */
#define ROTATION    (4 * MILLISECOND)
#define ALONE	    (-1)

#define REQUESTS_A_SECOND 312500000	       /* M2S requests of a port with 20 GB/s */
#define CYCLES_A_SECOND	  UINT64_C(3000000000) /* cycles of a core */
#define TSC_A_SECOND	  UINT64_C(2000000000)

#define REQUESTS  "event=02,umask=08"	      /* an event of a CXLCM, on counters 0-3 */
#define LINK	  "event=01,umask=02"	      /* its clock, on any */
#define RX_DATA	  "event=41,umask=10"	      /* an event on counters 4-7 */
#define OCCUPANCY "event=36,umask=10c8178201" /* an event of a CHA, on counter 0 */
#define INSERTS	  "event=35,umask=10c8178201"
#define CHA_CLOCK "event=01,umask=0"

static struct platform *p;

static void tear_down(void)
{
	p = NULL;
}

static void set_up(void)
{
	p = sim_make(SPEC);
}

static int try_open(const char *name, const char *fields, unsigned cpu, int leader)
{
	const struct perf_event event = sim_event_of(p, name, fields, cpu, leader);

	return p->ops->perf->open(p, &event);
}

static int open_event(const char *name, const char *fields, unsigned cpu, int leader)
{
	const int handle = try_open(name, fields, cpu, leader);

	ck_assert_msg(handle >= 0, "%s/%s/: %d", name, fields, handle);
	return handle;
}

static void enable(int leader)
{
	ck_assert_int_eq(p->ops->perf->enable(p, leader, true), 0);
}

static uint64_t count_of(int leader)
{
	return sim_events_read(p, leader).values[0];
}

static void assert_times(int leader, uint64_t enabled, uint64_t running)
{
	const struct perf_reading reading = sim_events_read(p, leader);

	ck_assert_uint_eq(reading.enabled_ns, enabled);
	ck_assert_uint_eq(reading.running_ns, running);
}

/* Counting */

/* Events on each kind of unit, with their control and the first counter that takes it. */
static const struct {
	const char *spec, *name, *fields;
	int kind;
	uint64_t unit; /* address */
	unsigned counter;
	uint64_t control;
} events[] = {
	{SPEC, "uncore_cxlcm_2", REQUESTS, KIND_CXLCM, SIM_CXLCM(0, 0), 0, 0x0802},
	{SPEC, "uncore_cxlcm_4", "event=52,umask=8", KIND_CXLCM, SIM_CXLCM(0, 1), 4, 0x0852},
	{SPEC, "uncore_cxldp_3", "event=2,umask=20", KIND_CXLDP, SIM_CXLDP(0, 0), 0, 0x2002},
	{SPEC, "uncore_cha_5", INSERTS, KIND_CHA, SIM_CHA(5), 0, UINT64_C(0x10c8178200000135)},
	{SPEC, "uncore_imc_1", "event=5,umask=cf", KIND_IMC, SIM_IMC(1), 0, 0xCF05},
	{"spr,read=20,wave=1,clock=virtual", "uncore_cxldp_3", "event=2,umask=10", KIND_CXLDP,
	 SIM_CXLDP(0, 0), 0, 0x1002},
};

FIXTURE(NULL, tear_down)

TEST_LOOP(test_event_counts_what_its_registers_would, COUNT_OF(events))
{
	struct platform *raw = sim_make(events[_i].spec);
	struct register_kind kind = register_kinds[events[_i].kind];
	int leader;

	kind.unit.address = events[_i].unit;
	kind.unit.cpu = 0;
	const struct reg control = kind_control(&kind, events[_i].counter),
			 counter = kind_counter(&kind, events[_i].counter);
	p = sim_make(events[_i].spec);
	leader = open_event(events[_i].name, events[_i].fields, 0, ALONE);
	pass_time(p, SECOND);
	pass_time(raw, SECOND);
	ck_assert_uint_eq(count_of(leader), 0);
	assert_times(leader, 0, 0);
	register_poke(raw, control, events[_i].control);
	enable(leader);
	ck_assert_uint_eq(register_peek(p, control), events[_i].control);
	for (unsigned i = 0; i < 3; i++) {
		pass_time(p, SECOND / 3);
		pass_time(raw, SECOND / 3);
		ck_assert_uint_eq(count_of(leader), register_peek(raw, counter));
		assert_times(leader, (i + 1) * (SECOND / 3), (i + 1) * (SECOND / 3));
	}
	ck_assert_uint_eq(sim_events_read(p, leader).count, 1);
	p->ops->perf->close(p, leader);
	ck_assert_uint_eq(register_peek(p, control), 0);
}

FIXTURE(set_up, tear_down)

TEST(test_unit_is_that_of_the_cpus_socket)
{
	const int first = open_event("uncore_cxlcm_2", REQUESTS, 3, ALONE);
	const int second = open_event("uncore_cxlcm_2", LINK, 8, ALONE);

	enable(first);
	enable(second);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8), 0x0802);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(1, 0) + CXL_CONTROL(0), 8), 0x0201);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(first), REQUESTS_A_SECOND);
	ck_assert_uint_eq(count_of(second), SECOND);
}

FIXTURE(NULL, tear_down)

TEST(test_unit_is_that_of_the_cpus_die)
{
	p = sim_make("gnr,dies=2,read=6.4,clock=virtual");
	const int leader = open_event("uncore_cha_4", CHA_CLOCK, 5, ALONE);

	ck_assert_int_eq(try_open("uncore_cha_4", CHA_CLOCK, 0, ALONE), -EINVAL);
	enable(leader);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_CHA(4) + 2), 0x0001);
}

FIXTURE(set_up, tear_down)

TEST(test_events_of_a_group_count_the_same_time)
{
	const int leader = open_event("uncore_cxlcm_2", REQUESTS, 0, ALONE);

	open_event("uncore_cxlcm_2", "event=02,umask=10", 0, leader);
	open_event("uncore_cxlcm_2", "event=52,umask=8", 0, leader);
	open_event("uncore_cxlcm_2", LINK, 0, leader);
	enable(leader);
	/* the clock counts anywhere, and gets the first counter that the others leave */
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8), 0x0802);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(1), 8), 0x1002);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(2), 8), 0x0201);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(4), 8), 0x0852);
	pass_time(p, SECOND);
	const struct perf_reading reading = sim_events_read(p, leader);
	ck_assert_uint_eq(reading.count, 4);
	ck_assert_uint_eq(reading.values[0], REQUESTS_A_SECOND);
	ck_assert_uint_eq(reading.values[1], 250000000); /* half lines of 8 GB/s */
	ck_assert_uint_eq(reading.values[2], 0);
	ck_assert_uint_eq(reading.values[3], SECOND);
	assert_times(leader, SECOND, SECOND);
}

TEST(test_event_with_one_counter_drives_another_from_it_but_not_its_like)
{
	const int clock = open_event("uncore_cha_0", CHA_CLOCK, 0, ALONE);

	open_event("uncore_cha_0", OCCUPANCY, 0, clock);
	ck_assert_int_eq(try_open("uncore_cha_0", OCCUPANCY, 0, clock), -EINVAL);
	enable(clock);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_CHA(0) + 2), UINT64_C(0x10c8178200000136));
	ck_assert_uint_eq(msr_peek(p, 0, SIM_CHA(0) + 3), 0x0001);
}

TEST(test_disabled_group_keeps_its_counts_and_times)
{
	const int leader = open_event("uncore_cxlcm_2", REQUESTS, 0, ALONE);

	enable(leader);
	pass_time(p, SECOND);
	ck_assert_int_eq(p->ops->perf->enable(p, leader, false), 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), REQUESTS_A_SECOND);
	assert_times(leader, SECOND, SECOND);
	enable(leader);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), 2 * REQUESTS_A_SECOND);
	assert_times(leader, 2 * SECOND, 2 * SECOND);
}

TEST(test_group_that_cannot_fit_is_refused_where_it_does_not)
{
	const int leader = open_event("uncore_cxlcm_2", RX_DATA, 0, ALONE);

	for (unsigned i = 1; i < 4; i++)
		open_event("uncore_cxlcm_2", RX_DATA, 0, leader);
	ck_assert_int_eq(try_open("uncore_cxlcm_2", RX_DATA, 0, leader), -EINVAL);
	open_event("uncore_cxlcm_2", REQUESTS, 0, leader);
	enable(leader);
	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).count, 5);
	ck_assert_uint_eq(sim_events_read(p, leader).values[4], REQUESTS_A_SECOND);
}

TEST(test_group_is_of_one_unit)
{
	const int leader = open_event("uncore_cha_0", CHA_CLOCK, 0, ALONE);

	ck_assert_int_eq(try_open("uncore_cha_1", CHA_CLOCK, 0, leader), -EINVAL);
	ck_assert_int_eq(try_open("uncore_cha_0", CHA_CLOCK, 8, leader), -EINVAL);
	ck_assert_int_eq(try_open("cpu", "event=c0", 0, leader), -EINVAL);
}

TEST(test_wrong_events_are_refused_as_the_kernel_does)
{
	const int leader = open_event("uncore_cha_0", CHA_CLOCK, 0, ALONE);
	const int sibling = open_event("uncore_cha_0", CHA_CLOCK, 0, leader);
	struct perf_event event = sim_event_of(p, "uncore_cha_0", CHA_CLOCK, 0, ALONE);
	struct perf_reading reading;

	event.exclude_user = true;
	ck_assert_int_eq(p->ops->perf->open(p, &event), -EINVAL);
	event = (struct perf_event){.type = 99999, .leader = ALONE};
	ck_assert_int_eq(p->ops->perf->open(p, &event), -ENOENT);
	ck_assert_int_eq(try_open("uncore_cha_0", CHA_CLOCK, 16, ALONE), -EINVAL);
	ck_assert_int_eq(try_open("uncore_cha_0", CHA_CLOCK, 0, 12345), -EBADF);
	ck_assert_int_eq(try_open("uncore_cha_0", CHA_CLOCK, 0, sibling), -EINVAL);
	sim_set_cpu_online(sim_of(p), 1, false);
	ck_assert_int_eq(try_open("uncore_cha_0", CHA_CLOCK, 1, ALONE), -ENODEV);
	ck_assert_int_eq(p->ops->perf->read(p, sibling, &reading), -EINVAL);
	ck_assert_int_eq(p->ops->perf->read(p, 12345, &reading), -EBADF);
	ck_assert_int_eq(p->ops->perf->enable(p, -1, true), -EBADF);
	p->ops->perf->close(p, -1);
	enable(leader);
	ck_assert_int_eq(try_open("uncore_cha_0", CHA_CLOCK, 0, leader), -EINVAL);
}

/* Multiplexing: counter 0 of a CHA cannot count two groups at once. */

static int open_occupancy(const char *cha)
{
	const int leader = open_event(cha, OCCUPANCY, 0, ALONE);

	open_event(cha, INSERTS, 0, leader);
	return leader;
}

#define INSERTS_A_SECOND 78125000 /* inserts per CHA: 20 GB/s on two ports, eight CHAs */

TEST(test_two_groups_of_a_unit_take_turns_at_multiples_of_4_milliseconds)
{
	const int a = open_occupancy("uncore_cha_0"), b = open_occupancy("uncore_cha_0");
	const int other = open_occupancy("uncore_cha_1");

	pass_time(p, SECOND + MILLISECOND);
	enable(a);
	enable(b);
	enable(other);
	pass_time(p, ROTATION - MILLISECOND - 1);
	assert_times(a, ROTATION - MILLISECOND - 1, ROTATION - MILLISECOND - 1);
	assert_times(b, ROTATION - MILLISECOND - 1, 0);
	pass_time(p, 2);
	assert_times(a, ROTATION - MILLISECOND + 1, ROTATION - MILLISECOND);
	assert_times(b, ROTATION - MILLISECOND + 1, 1);
	pass_time(p, SECOND - ROTATION + MILLISECOND - 1);
	assert_times(other, SECOND, SECOND);
	assert_times(a, SECOND, SECOND / 2);
	assert_times(b, SECOND, SECOND / 2);
	ck_assert_uint_eq(sim_events_read(p, a).values[1], INSERTS_A_SECOND / 2);
	ck_assert_uint_eq(sim_events_read(p, b).values[1], INSERTS_A_SECOND / 2);
	/* 320 ns at 2 GHz */
	ck_assert_uint_eq(count_of(a), UINT64_C(640) * INSERTS_A_SECOND / 2);
}

TEST(test_times_do_not_depend_on_how_often_groups_are_read)
{
	struct platform *const often = p;
	int handles[2][2];
	struct perf_reading readings[2];

	for (unsigned m = 0; m < 2; m++) {
		p = m ? sim_make(SPEC) : often;
		pass_time(p, 12345678);
		for (unsigned i = 0; i < 2; i++) {
			handles[m][i] = open_occupancy("uncore_cha_0");
			enable(handles[m][i]);
		}
		for (unsigned i = 0; !m && i < 1000; i++) {
			pass_time(p, 777777);
			sim_events_read(p, handles[m][i % 2]);
		}
		if (m)
			pass_time(p, 777777000);
		readings[m] = sim_events_read(p, handles[m][1]);
	}
	ck_assert_uint_eq(readings[0].enabled_ns, readings[1].enabled_ns);
	ck_assert_uint_eq(readings[0].running_ns, readings[1].running_ns);
	ck_assert_uint_eq(readings[0].values[0], readings[1].values[0]);
	ck_assert_uint_eq(readings[0].values[1], readings[1].values[1]);
}

TEST(test_groups_that_fit_together_count_at_once)
{
	int groups[3];

	for (unsigned g = 0; g < 3; g++) {
		groups[g] = open_event("uncore_cha_0", CHA_CLOCK, 0, ALONE);
		open_event("uncore_cha_0", INSERTS, 0, groups[g]);
		enable(groups[g]);
	}
	pass_time(p, 12 * ROTATION);
	/* two of three at any time */
	for (unsigned g = 0; g < 3; g++) {
		assert_times(groups[g], 12 * ROTATION, 8 * ROTATION);
		ck_assert_uint_eq(count_of(groups[g]), 2 * 8 * ROTATION);
	}
}

TEST(test_group_counts_all_the_time_once_the_other_is_closed)
{
	const int a = open_event("uncore_cha_0", OCCUPANCY, 0, ALONE);
	const int b = open_event("uncore_cha_0", OCCUPANCY, 0, ALONE);

	enable(a);
	enable(b);
	pass_time(p, 2 * ROTATION); /* a is on again */
	p->ops->perf->close(p, a);
	pass_time(p, 10 * ROTATION);
	/* running again from the next rotation on */
	assert_times(b, 12 * ROTATION, ROTATION + 9 * ROTATION);
}

/* Registers */

TEST(test_running_unit_holds_the_event_and_is_not_frozen)
{
	const int leader = open_event("uncore_cxlcm_2", REQUESTS, 0, ALONE);

	memory_poke(p, SIM_CXLCM(0, 0) + CXL_COUNTER(0), 8, 1000);
	enable(leader);
	/* never set to 0 */
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_COUNTER(0), 8), 1000);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0), 8), 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_COUNTER(0), 8),
			  1000 + REQUESTS_A_SECOND);
	ck_assert_uint_eq(count_of(leader), REQUESTS_A_SECOND);
}

struct controls {
	uint64_t sum;
	unsigned count;
};

static void add_control(void *context, const char *name, uint64_t value)
{
	struct controls *controls = context;

	if (strstr(name, "ctl") || strstr(name, "ctrl") || strstr(name, "control"))
		controls->sum = 31 * (controls->sum + value) + controls->count++;
}

static struct controls controls_of(struct platform *machine)
{
	struct controls controls = {0};

	sim_for_each_state(sim_of(machine), add_control, &controls);
	return controls;
}

TEST(test_controls_are_as_before_once_all_is_closed)
{
	const struct controls before = controls_of(p);
	int handles[6];

	handles[0] = open_event("uncore_cha_0", OCCUPANCY, 0, ALONE);
	handles[1] = open_event("uncore_cha_0", INSERTS, 0, handles[0]);
	handles[2] = open_event("uncore_cha_0", OCCUPANCY, 0, ALONE);
	handles[3] = open_event("uncore_cxlcm_4", RX_DATA, 8, ALONE);
	handles[4] = open_event("cpu", "event=c0", 1, ALONE);
	handles[5] = open_event("cpu", "event=3c", 1, handles[4]);
	for (unsigned i = 0; i < 5; i += 1 + (i == 0))
		enable(handles[i]);
	pass_time(p, SECOND);
	ck_assert_uint_ne(controls_of(p).sum, before.sum);
	for (unsigned i = 6; i--;)
		p->ops->perf->close(p, handles[i]);
	ck_assert_uint_eq(controls_of(p).sum, before.sum);
}

TEST(test_events_of_a_group_go_on_when_one_is_closed)
{
	const int leader = open_event("uncore_cxlcm_2", REQUESTS, 0, ALONE);
	const int second = open_event("uncore_cxlcm_2", REQUESTS, 0, leader);

	open_event("uncore_cxlcm_2", LINK, 0, leader);
	enable(leader);
	pass_time(p, SECOND);
	p->ops->perf->close(p, second);
	pass_time(p, SECOND);
	const struct perf_reading reading = sim_events_read(p, leader);
	ck_assert_uint_eq(reading.count, 2);
	ck_assert_uint_eq(reading.values[0], 2 * REQUESTS_A_SECOND);
	ck_assert_uint_eq(reading.values[1], 2 * SECOND);
	assert_times(leader, 2 * SECOND, 2 * SECOND);
}

TEST(test_counter_that_wraps_often_between_two_reads_loses_nothing)
{
	const uint64_t days = 10 * UINT64_C(86400);
	const int clock = open_event("uncore_cha_0", CHA_CLOCK, 0, ALONE);
	const int cycles = open_event("cpu", "event=3c", 0, ALONE);

	enable(clock);
	enable(cycles);
	pass_time(p, days * SECOND);
	ck_assert_uint_eq(count_of(clock), days * 2 * SECOND); /* more than 2^48 */
	ck_assert_uint_eq(count_of(cycles), days * CYCLES_A_SECOND);
}

TEST(test_frozen_unit_counts_nothing_though_the_event_runs)
{
	const int leader = open_event("uncore_cxlcm_2", REQUESTS, 0, ALONE);

	enable(leader);
	msr_poke(p, 0, SIM_FREEZE_MSR, 1);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), 0);
	assert_times(leader, SECOND, SECOND);
}

FIXTURE(NULL, tear_down)

TEST(test_old_kernel_spaces_the_controls_of_cxl_units_wrongly)
{
	p = sim_make("spr,read=20,kernel=6.10,clock=virtual");
	const int leader = open_event("uncore_type_12_2", REQUESTS, 0, ALONE);

	open_event("uncore_type_12_2", LINK, 0, leader);
	/* nor does it know which counters take which event */
	ck_assert_int_ge(try_open("uncore_type_12_2", RX_DATA, 0, ALONE), 0);
	enable(leader);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), REQUESTS_A_SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).values[1], 0);
}

TEST(test_driver_of_diamond_rapids_has_unfrozen_its_dies)
{
	p = sim_make("dmr,read=6.4,write=3.2,clock=virtual");
	const int cbo = open_event("uncore_cbo_0", "event=21,umask=1", 0, ALONE);
	const int port = open_event("uncore_cxlcm_0", "event=2,umask=1,port_en=1", 0, ALONE);

	enable(cbo);
	enable(port);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(cbo), 200000000 / 8); /* two ports, eight CBOs */
	ck_assert_uint_eq(count_of(port), 50000000);
}

/* CPUs */

FIXTURE(set_up, tear_down)

TEST(test_fixed_counters_and_tsc_count_in_one_group)
{
	const int leader = open_event("cpu", "event=c0", 9, ALONE);

	open_event("cpu", "event=3c", 9, leader);
	open_event("cpu", "event=0,umask=3", 9, leader); /* ref-cycles */
	open_event("msr", "event=0", 9, leader);
	enable(leader);
	ck_assert_uint_eq(msr_peek(p, 9, IA32_FIXED_CTR_CTRL), 0xBBB);
	ck_assert_uint_eq(msr_peek(p, 8, IA32_FIXED_CTR_CTRL), 0);
	pass_time(p, SECOND);
	const struct perf_reading reading = sim_events_read(p, leader);
	ck_assert_uint_eq(reading.count, 4);
	ck_assert_uint_eq(reading.values[0], CYCLES_A_SECOND / 4 * 5);
	ck_assert_uint_eq(reading.values[1], CYCLES_A_SECOND);
	ck_assert_uint_eq(reading.values[2], TSC_A_SECOND);
	ck_assert_uint_eq(reading.values[3], TSC_A_SECOND);
	assert_times(leader, SECOND, SECOND);
}

TEST(test_tsc_may_lead_a_group_and_stand_alone)
{
	const int leader = open_event("msr", "event=0", 0, ALONE);
	const int alone = open_event("msr", "event=0", 0, ALONE);

	open_event("cpu", "event=c0", 0, leader);
	enable(leader);
	enable(alone);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), TSC_A_SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).values[1], CYCLES_A_SECOND / 4 * 5);
	ck_assert_uint_eq(count_of(alone), TSC_A_SECOND);
	ck_assert_int_eq(try_open("msr", "event=1", 0, ALONE), -EINVAL);
}

TEST(test_rings_are_those_that_are_not_excluded)
{
	struct perf_event event = sim_event_of(p, "cpu", "event=3c,cmask=1", 2, ALONE);
	int handle;

	event.exclude_kernel = true;
	handle = p->ops->perf->open(p, &event);
	ck_assert_int_ge(handle, 0);
	enable(handle);
	/* enabled, with an interrupt, in rings 1 to 3; with cmask no fixed counter takes it */
	ck_assert_uint_eq(msr_peek(p, 2, IA32_PERFEVTSEL0), 0x0151003C);
	p->ops->perf->close(p, handle);
	ck_assert_uint_eq(msr_peek(p, 2, IA32_PERFEVTSEL0), 0x0111003C); /* perf leaves it there */
}

/* Eight general-purpose counters. */
TEST(test_ninth_general_event_is_refused_in_a_group_and_multiplexed_outside)
{
	int groups[9];

	groups[0] = open_event("cpu", "event=3c,umask=1", 0, ALONE);
	for (unsigned i = 1; i < 8; i++)
		open_event("cpu", "event=3c,umask=1", 0, groups[0]);
	ck_assert_int_eq(try_open("cpu", "event=3c,umask=1", 0, groups[0]), -EINVAL);
	for (unsigned i = 1; i < 9; i++)
		groups[i] = open_event("cpu", "event=3c,umask=1", 1, ALONE);
	groups[0] = open_event("cpu", "event=3c,umask=1", 1, ALONE);
	for (unsigned i = 0; i < 9; i++)
		enable(groups[i]);
	pass_time(p, 9 * ROTATION);
	for (unsigned i = 0; i < 9; i++) {
		assert_times(groups[i], 9 * ROTATION, 8 * ROTATION);
		ck_assert_uint_eq(count_of(groups[i]), 2 * 8 * ROTATION);
	}
}

TEST(test_instructions_that_find_no_fixed_counter_take_another)
{
	const int first = open_event("cpu", "event=c0", 0, ALONE);
	const int second = open_event("cpu", "event=c0", 0, ALONE);

	enable(first);
	enable(second);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(first), count_of(second));
	assert_times(second, SECOND, SECOND);
}

#define LOCAL_CXL  "event=2a,umask=1,offcore_rsp=700c04477"
#define REMOTE_CXL "event=2a,umask=1,offcore_rsp=703004477"
#define ANY_CXL	   "event=2a,umask=1,offcore_rsp=703c04477"

FIXTURE(NULL, tear_down)

TEST(test_events_find_the_offcore_register_that_is_free)
{
	p = sim_make("gnr,sockets=2,read=6.4,clock=virtual");
	const int local = open_event("cpu", LOCAL_CXL, 0, ALONE);
	const int remote = open_event("cpu", REMOTE_CXL, 0, local);
	const int third = open_event("cpu", ANY_CXL, 0, ALONE);

	(void)remote;
	ck_assert_int_eq(try_open("cpu", ANY_CXL, 0, local), -EINVAL);
	enable(local);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_OFFCORE_RSP_0), UINT64_C(0x700C04477));
	ck_assert_uint_eq(msr_peek(p, 0, IA32_OFFCORE_RSP_0 + 1), UINT64_C(0x703004477));
	pass_time(p, SECOND);
	/* 36 parts of 200 million lines for eight CPUs; a quarter is of the other socket */
	ck_assert_uint_eq(count_of(local), 200000000 / 4 * 3 / 36);
	ck_assert_uint_eq(sim_events_read(p, local).values[1], 200000000 / 4 / 36);
	/* a third value finds no register left */
	enable(third);
	pass_time(p, SECOND);
	assert_times(local, 2 * SECOND, SECOND + SECOND / 2);
	assert_times(third, SECOND, SECOND / 2);
	ck_assert_int_eq(try_open("cpu", "event=2a,umask=1,offcore_rsp=8000000000", 0, ALONE),
			 -EINVAL);
}

/* CPUs that go offline */

FIXTURE(set_up, tear_down)

TEST(test_events_of_a_cpu_are_dropped_when_it_goes_offline)
{
	const int leader = open_event("cpu", "event=c0", 1, ALONE);

	open_event("cpu", "event=3c", 1, leader);
	enable(leader);
	pass_time(p, SECOND);
	sim_set_cpu_online(sim_of(p), 1, false);
	pass_time(p, SECOND);
	sim_set_cpu_online(sim_of(p), 1, true);
	enable(leader);
	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_events_read(p, leader).count,
			  1); /* the kernel has taken the group apart */
	ck_assert_uint_eq(count_of(leader), CYCLES_A_SECOND / 4 * 5);
	assert_times(leader, SECOND, SECOND);
}

TEST(test_events_of_a_unit_move_to_another_cpu_of_the_die)
{
	const int leader = open_event("uncore_cxlcm_2", REQUESTS, 0, ALONE);

	enable(leader);
	pass_time(p, SECOND);
	sim_set_cpu_online(sim_of(p), 0, false);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), 2 * REQUESTS_A_SECOND);
	for (unsigned cpu = 1; cpu < 8; cpu++)
		sim_set_cpu_online(sim_of(p), cpu, false);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), 2 * REQUESTS_A_SECOND);
	assert_times(leader, 2 * SECOND, 2 * SECOND);
}

/* Rights */

#define SETCAP "sudo setcap cap_perfmon+p /usr/bin/cxlmon"
#define SYSCTL "sudo sysctl kernel.perf_event_paranoid=0"

static void assert_denied(const char *text, const char *command)
{
	struct error reason = {0};

	ck_assert_int_eq(try_open("uncore_cha_0", CHA_CLOCK, 0, ALONE), -EACCES);
	p->ops->perf->explain(p, -EACCES, &reason);
	ck_assert_int_eq(reason.kind, ERROR_PERMISSION);
	assert_contains(reason.text, text);
	ck_assert_str_eq(reason.command, command);
}

FIXTURE(NULL, tear_down)

TEST(test_paranoid_kernel_denies_every_event)
{
	p = sim_make("spr,paranoid=1,clock=virtual");
	assert_denied("kernel.perf_event_paranoid is 1: counting on whole CPUs needs CAP_PERFMON",
		      SETCAP);
	p = sim_make("spr,paranoid=4,clock=virtual");
	assert_denied("kernel.perf_event_paranoid is 4: counting on whole CPUs needs CAP_SYS_ADMIN",
		      SYSCTL);
}

FIXTURE(set_up, tear_down)

TEST(test_denial_can_come_and_go)
{
	const int leader = open_event("uncore_cha_0", CHA_CLOCK, 0, ALONE);

	sim_set_perf_denied(sim_of(p), true);
	assert_denied("kernel.perf_event_paranoid is 2", SETCAP);
	enable(leader); /* events that are already open still work */
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), 2 * SECOND);
	sim_set_perf_denied(sim_of(p), false);
	open_event("uncore_cha_0", CHA_CLOCK, 0, ALONE);
}

FIXTURE(NULL, tear_down)

TEST(test_lockdown_forbids_registers_but_not_counting)
{
	p = sim_make("spr,read=20,lockdown=integrity,clock=virtual");
	const int leader = open_event("uncore_cxlcm_2", REQUESTS, 0, ALONE);
	struct mmio_window window;
	struct error err = {0};
	uint64_t value;

	ck_assert_int_eq(p->ops->registers->msr_may_write(p, 0), -EPERM);
	ck_assert_int_eq(raw_msr_write(p, 0, SIM_CHA(0) + 2, 1), -EPERM);
	ck_assert_int_eq(raw_msr_read(p, 0, SIM_CHA(0) + 2, &value), 0);
	ck_assert_int_eq(p->ops->registers->mmio_map(p, SIM_CXLCM(0, 0), 8, false, &window, &err),
			 -EPERM);
	assert_contains(err.text, "kernel lockdown forbids /dev/mem");
	ck_assert_int_eq(
		raw_pci_write(p, (struct pci_location){.bus = 0x1e, .device = 12}, 0x438, 1),
		-EPERM);
	enable(leader);
	pass_time(p, SECOND);
	ck_assert_uint_eq(count_of(leader), REQUESTS_A_SECOND);
}

FIXTURE(set_up, tear_down)

TEST(test_reading_allocates_nothing)
{
	const int a = open_occupancy("uncore_cha_0"), b = open_occupancy("uncore_cha_0");
	struct perf_reading readings[2];
	size_t before;

	enable(a);
	enable(b);
	pass_time(p, SECOND);
	before = allocations_so_far();
	const int rc =
		p->ops->perf->read(p, a, &readings[0]) || p->ops->perf->read(p, b, &readings[1]);
	const size_t after = allocations_so_far();
	ck_assert(!rc);
	ck_assert_uint_eq(after, before);
}
