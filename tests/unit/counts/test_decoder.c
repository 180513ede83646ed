/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames of a running machine, at a tenth of a second because controls are compared once per
 * second, and frames made by hand.
 */
#include "counts/decoder.h"

#include <errno.h>

#include "platform/clock.h"
#include "poller/poller.h"
#include "sim_monitor.h"
#include "spy.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define TENTH	    (SECOND / 10)
#define MS	    (SECOND / 1000)
#define SAMPLES_A_S 10
#define COUNTER_48  ((UINT64_C(1) << 48) - 1)
#define TRAFFIC	    "read=12.8,write=6.4,cache_d2h=0.64,cache_h2d=0.32,clock=virtual"
#define READS	    20000000 /* lines in a tenth of a second */
#define READ_EVENT  "RxC_PACK_BUF_INSERTS.MEM_DATA"

static struct sim_monitor m;

static void start(const struct sim_setup *setup)
{
	struct sim_setup s = *setup;

	s.interval_ns = s.interval_ns ? s.interval_ns : TENTH;
	s.start_ns = 1;
	sim_monitor_start_as(&m, &s);
}

/* Starts a GNR with traffic. */
static void start_gnr(void)
{
	start(&(struct sim_setup){.spec = "gnr," TRAFFIC});
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
}

static void stop(void)
{
	sim_monitor_close(&m);
}

/* Waits for the next deadline, and reads a frame without decoding it. */
static const struct frame *read_frame(void)
{
	enum read_reason due;
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	ck_assert_int_eq(poller_wait(m.poller, &none, &signal_number, &due, &m.err), 0);
	ck_assert_int_eq(due, READ_SAMPLE);
	ck_assert_msg(!poller_read(m.poller, due, &m.err), "%s", m.err.text);
	return poller_frame(m.poller);
}

static void assert_count(const struct count *count, uint64_t events, uint64_t time_running)
{
	ck_assert(count->known);
	ck_assert_uint_eq(count->events, events);
	ck_assert_uint_eq(count->time_running, time_running);
}

static const struct sim_setup usual[] = {
	{.spec = "spr,sockets=2," TRAFFIC, .view = {.groups = "cxl,latency,dram"}},
	{.spec = "emr," TRAFFIC, .view = {.groups = "cxl,latency,dram"}},
	{.spec = "gnr,sockets=2," TRAFFIC, .view = {.groups = "cxl,latency,dram"}},
	{.spec = "srf," TRAFFIC, .view = {.groups = "cxl,latency,dram"}},
	{.spec = "spr," TRAFFIC, .view = {.groups = "link"}},
	{.spec = "spr," TRAFFIC, .freeze = FREEZE_NEVER},
	{.spec = "gnr,cpus=2," TRAFFIC, .view = {.groups = "cxl,core"}},
};

/* Sums up the samples of a second and a half, one of which rotates. */
static void sum_up(struct count *sums, size_t room)
{
	ck_assert_uint_le(m.plan.counter_count, room);
	for (unsigned k = 0; k < 15; k++) {
		sim_monitor_sample(&m);
		for (size_t s = 0; s < m.plan.counter_count; s++) {
			sums[s].events += m.sample.counts[s].events;
			sums[s].time_running += m.sample.counts[s].time_running;
			sums[s].time_enabled += m.sample.counts[s].time_enabled;
		}
	}
}

/* Staggered units rotate once per second, so equally often in long and in short samples. */
TEST_LOOP(test_short_samples_count_what_long_samples_count, COUNT(usual))
{
	static struct count sums[1024];
	struct sim_setup setup = usual[_i];

	start(&setup);
	memset(sums, 0, sizeof(sums));
	sum_up(sums, COUNT(sums));
	stop();

	setup.interval_ns = SECOND;
	start(&setup);
	const uint64_t end = m.platform->ops->clock->now(m.platform) + 3 * SECOND / 2;

	sim_monitor_sample(&m);
	for (size_t s = 0; s < m.plan.counter_count; s++) {
		sums[s].events -= m.sample.counts[s].events;
		sums[s].time_running -= m.sample.counts[s].time_running;
		sums[s].time_enabled -= m.sample.counts[s].time_enabled;
	}
	pass_time(m.platform, end - m.platform->ops->clock->now(m.platform));
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	for (size_t s = 0; s < m.plan.counter_count; s++) {
		ck_assert_uint_eq(sums[s].events, m.sample.counts[s].events);
		ck_assert_uint_eq(sums[s].time_running, m.sample.counts[s].time_running);
		ck_assert_uint_eq(sums[s].time_enabled, m.sample.counts[s].time_enabled);
	}
}

TEST(test_frozen_time_is_in_no_count_where_a_unit_can_not_be_read)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC,
				  .view = {.groups = "latency"},
				  .freeze = FREEZE_ALWAYS,
				  .access_ns = 1000});
	sim_monitor_sample(&m);
	for (unsigned k = 0; k < 4; k++) {
		const uint64_t frozen_before = m.sample.frozen_ns;

		sim_set_msr_fault(m.sim, SIM_CHA(3) + 8, k == 1 || k == 2 ? -EIO : 0);
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.lost_readings, k == 1 || k == 2);
		for (size_t s = 0; s < m.plan.counter_count; s++)
			if (m.sample.counts[s].known && k < 3)
				ck_assert_uint_eq(m.sample.counts[s].time_running,
						  TENTH - frozen_before);
	}
}

TEST(test_counts_of_a_unit_that_read_all_ones_come_with_its_next_good_read)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);

	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, true);
	sim_monitor_sample_failing(&m, 1);
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	ck_assert(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLCM, 0), READ_EVENT)->known);

	/* its next value covers two intervals */
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, false);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 2 * READS, 2 * TENTH);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
}

TEST(test_a_counter_that_was_set_back_has_no_value_in_one_sample)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLDP, 1);

	sim_set_counter(m.sim, 0, unit->type, unit->id, 0, 0);
	/* a tenth of a second later it holds the count of that time */
	sim_monitor_sample_failing(&m, 1);
	ck_assert_int_eq(m.trouble.code, -EBUSY);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
}

TEST(test_a_counter_that_wraps_loses_nothing)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLDP, 1);

	/* the distance is more than a counter can count, and lost */
	sim_set_counter(m.sim, 0, unit->type, unit->id, 0, COUNTER_48 - READS / 2 - 9);
	sim_monitor_sample_failing(&m, 1);
	sim_monitor_sample_failing(&m, 0);
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
}

/*
 * Writes by another program that leaves the controls unchanged: on each kind of unit, to all
 * counters.
 */
static const struct {
	const char *spec, *groups;
	uint16_t type;
	bool perf;
} written[] = {
	{"gnr,dram_read=12.8,clock=virtual", "dram", PMU_IMC, false},
	{"gnr,dram_read=12.8,clock=virtual", "dram", PMU_IMC, true},
	{"spr,hbms=4,hbm_read=12.8,clock=virtual", "dram", PMU_HBM, false},
	{"spr," TRAFFIC, "latency", PMU_CHA, false},
	{"spr," TRAFFIC, "latency", PMU_CHA, true},
	{"spr," TRAFFIC, "cxl,queue", PMU_CXLCM, false},
	{"gnr," TRAFFIC, "cxl", PMU_CXLDP, false},
	{"turin,dram_read=12.8,clock=virtual", "dram", PMU_UMC, false},
	{"turin," TRAFFIC, "cxl", PMU_DF, false},
};

static struct unit *written_unit(int i)
{
	return sim_monitor_unit(&m, 0, written[i].type, 0);
}

static void start_written(int i)
{
	start(&(struct sim_setup){.spec = written[i].spec,
				  .view = {.groups = written[i].groups, .finest = SCOPE_PORT},
				  .perf = written[i].perf});
	sim_monitor_sample(&m);
}

/* Asserts that all counters used in the round are known, or none. */
static void assert_known(const struct unit *unit, bool known)
{
	size_t used = 0;

	for (size_t s = 0; s < m.plan.counter_count; s++) {
		if (m.plan.units[m.plan.counters[s].unit].unit != unit)
			continue;
		used += m.sample.counts[s].known;
	}
	ck_assert_int_eq(used > 0, known);
}

#define MOVED ": a counter moved by more than it can count in that time"

TEST_LOOP(test_a_counter_that_another_program_has_written_has_no_value_in_one_sample,
	  COUNT(written))
{
	/*
	 * the second is half of the range, for which a delta is ambiguous; the last is a wrap
	 * before 0
	 */
	static const uint64_t values[] = {UINT64_C(1) << 41, COUNTER_48 / 2 - 5000,
					  COUNTER_48 - (UINT64_C(1) << 44) - 5000, 77};

	start_written(_i);
	const struct unit *unit = written_unit(_i);
	assert_known(unit, true);
	/* counters that must not wrap were set to 0 before they are written with 77 */
	const size_t least = COUNT(values) - unit->pmu_type->no_wrap;
	size_t used = 0;
	for (unsigned counter = 0; counter < unit->counters; counter++) {
		size_t noticed = 0;

		for (size_t k = 0; k < COUNT(values); k++) {
			sim_set_counter(m.sim, 0, unit->type, unit->id, counter, values[k]);
			sim_monitor_sample(&m);
			if (!m.sample.lost_readings)
				continue; /* nothing is counted there */
			noticed++;
			assert_known(unit, false);
			assert_contains(m.trouble.text, MOVED);
			sim_monitor_sample_failing(&m, 0);
			assert_known(unit, true);
		}
		ck_assert(!noticed || noticed >= least);
		used += noticed > 0;
	}
	ck_assert_uint_gt(used, 0);
}

/* Limits: half of the range and the fastest clock; the counted clock allows less. */
TEST_LOOP(test_an_occupancy_is_no_more_than_its_queue_holds_in_these_clocks, 2)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC,
				  .view = {.groups = "latency"},
				  .perf = _i,
				  .interval_ns = SECOND});
	sim_monitor_sample(&m);
	const double latency = sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns");

	ck_assert_double_gt(latency, 0);
	for (unsigned cha = 0; cha < 8; cha++)
		sim_set_counter(m.sim, 0, PMU_CHA, cha, 0, UINT64_C(1) << 40);
	sim_monitor_sample_failing(&m, 8);
	assert_contains(m.trouble.text, "socket 0 cha 0-7" MOVED);
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"));
	sim_monitor_sample_failing(&m, 0);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"), latency, 0.01);
}

TEST(test_no_more_requests_enter_a_queue_than_there_are_clocks)
{
	start(&(struct sim_setup){
		.spec = "spr," TRAFFIC, .view = {.groups = "latency"}, .interval_ns = SECOND});
	sim_monitor_sample(&m);
	size_t jumps = 0;

	for (size_t s = 0; s < m.plan.counter_count; s++) {
		const struct reg *reg = &m.plan.counters[s].reg;
		uint64_t value;

		if (strncmp(m.plan.counters[s].event->name, "UNC_CHA_TOR_INSERTS", 19) != 0)
			continue;
		ck_assert_int_eq(raw_msr_read(m.platform, reg->cpu, (uint32_t)reg->address, &value),
				 0);
		ck_assert_int_eq(raw_msr_write(m.platform, reg->cpu, (uint32_t)reg->address,
					       value + UINT64_C(4000000000)),
				 0);
		jumps++;
	}
	ck_assert_uint_gt(jumps, 0);
	sim_monitor_sample_failing(&m, 8);
	assert_contains(m.trouble.text, "socket 0 cha 0-7" MOVED);
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"));
	sim_monitor_sample_failing(&m, 0);
}

TEST(test_of_a_counter_that_was_written_no_metric_is_shown)
{
	start(&(struct sim_setup){.spec = "gnr,dram_read=12.8,clock=virtual",
				  .view = {.groups = "dram"}});
	sim_monitor_sample(&m);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "dram_read_MBps"), 12800, 0.01);
	sim_set_counter(m.sim, 0, PMU_IMC, 1, 0, COUNTER_48 / 2 - 5000);
	sim_monitor_sample_failing(&m, 1);
	assert_contains(m.trouble.text, "socket 0 imc 1" MOVED);
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, "dram_read_MBps"));
	sim_monitor_sample_failing(&m, 0);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "dram_read_MBps"), 12800, 0.01);
}

/* The limit depends on the time since the previous frame, however long the run is. */
TEST(test_a_jump_late_in_a_run_is_noticed_as_one_at_its_beginning)
{
	start(&(struct sim_setup){.spec = "gnr,dram_read=12.8,clock=virtual",
				  .view = {.groups = "dram"}});
	for (unsigned k = 0; k < 30; k++)
		sim_monitor_sample(&m);
	const struct counter *counter = m.plan.counters;
	const uint64_t value = memory_peek(m.platform, counter->reg.address, 8);

	ck_assert_int_eq(counter->reg.space, REG_MMIO);
	memory_poke(m.platform, counter->reg.address, 8,
		    value + (uint64_t)counter->max_rate.per_s / 2);
	sim_monitor_sample_failing(&m, 1);
	assert_contains(m.trouble.text, MOVED);
	sim_monitor_sample_failing(&m, 0);
}

/* The reads of a channel with the fastest memory are not too many. */
TEST_LOOP(test_as_much_as_hardware_can_count_is_shown, 3)
{
	static const char *const specs[] = {"gnr,imcs=4,dram_read=400,clock=virtual",
					    "spr,imcs=4,dram_read=400,clock=virtual",
					    "turin,imcs=4,dram_read=400,clock=virtual"};

	start(&(struct sim_setup){.spec = specs[_i], .view = {.groups = "dram"}});
	sim_monitor_sample_failing(&m, 0);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "dram_read_MBps"), 400000, 0.01);
}

/* Units with a stopped clock, one of those of a type: by registers, and by the kernel. */
static const struct {
	const char *spec, *groups, *metric;
	uint16_t type;
	bool perf;
} still[] = {
	{"spr,dram_read=12.8,clock=virtual", "dram", "dram_read_MBps", PMU_IMC, false},
	{"spr,dram_read=12.8,clock=virtual", "dram", "dram_read_MBps", PMU_IMC, true},
	{"spr," TRAFFIC, "cxl", "cxl_mem_read_MBps", PMU_CXLDP, false},
	{"spr," TRAFFIC, "cxl", "cxl_mem_read_MBps", PMU_CXLDP, true},
	{"spr," TRAFFIC, "cxl,queue", "cxl_mem_write_MBps", PMU_CXLCM, false},
};

#define STANDS_ALONE ": the clock stands still, while others of its kind run: frozen"

/* Stops the clock from the start, or later; then it runs. */
TEST_LOOP(test_a_sum_of_units_is_not_known_where_the_clock_of_one_stands_still, 2 * COUNT(still))
{
	const size_t i = _i / 2;
	const bool later = _i % 2;

	start(&(struct sim_setup){
		.spec = still[i].spec,
		.view = {.groups = still[i].groups, .finest = SCOPE_PORT},
		.perf = still[i].perf,
	});
	const struct unit *unit = sim_monitor_unit(&m, 0, still[i].type, 1);
	if (later)
		sim_monitor_sample_failing(&m, 0);
	sim_set_unit_still(m.sim, 0, unit->type, unit->id, true);
	if (later) /* it has run for a part of the interval */
		sim_monitor_sample(&m);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample_failing(&m, 1);
		ck_assert_int_eq(m.new_warning, !k && !(later && still[i].perf));
		assert_contains(m.trouble.text, STANDS_ALONE);
		ck_assert_int_eq(strstr(m.trouble.text, "the kernel's driver") != NULL,
				 still[i].perf);
		ck_assert_int_eq(strstr(m.trouble.text, "until it runs again") != NULL, later);
		assert_known(unit, false);
		ck_assert_double_nan(sim_monitor_value(&m, 0, -1, still[i].metric));
		ck_assert_double_nan(sim_monitor_value(&m, -1, -1, still[i].metric));
	}
	sim_set_unit_still(m.sim, 0, unit->type, unit->id, false);
	sim_monitor_sample(&m);
	sim_monitor_sample_failing(&m, 0);
	ck_assert_double_gt(sim_monitor_value(&m, 0, -1, still[i].metric), 0);
}

/* Some of its rounds have four events and no counter left for the clock. */
TEST(test_a_unit_whose_clock_stands_does_not_count_in_a_round_without_clock)
{
	start(&(struct sim_setup){.spec = "emr," TRAFFIC,
				  .view = {.groups = "cxl,latency", .finest = SCOPE_PORT},
				  .interval_ns = SECOND});
	size_t clocks = 0, rounds = m.plan.units[0].round_count;
	for (size_t g = 0; g < rounds; g++)
		clocks += m.plan.rounds[m.plan.units[0].first_round + g].clock_counter !=
			  PLAN_NO_CLOCK;
	ck_assert_uint_gt(clocks, 0);
	ck_assert_uint_lt(clocks, rounds);
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CHA, 0);

	sim_set_unit_still(m.sim, 0, unit->type, unit->id, true);
	for (size_t k = 0; k < 3 * rounds; k++) {
		sim_monitor_sample(&m);
		assert_known(unit, false);
		ck_assert_int_eq(m.new_warning, !k);
		ck_assert_ptr_null(m.sample.note);
	}
}

/* A unit that stops counting may have been stopped by another program. */
TEST(test_a_unit_whose_controls_were_cleared_has_no_value_instead_of_zero)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);

	for (unsigned i = 0; i < 8; i++)
		memory_poke(m.platform, SIM_CXLCM(0, 1) + CXL_CONTROL(i), 8, 0);
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample_failing(&m, 1);
		ck_assert_int_eq(m.new_warning, !k);
		ck_assert_int_eq(m.trouble.code, -EBUSY);
		ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	}
	/* they are free, so the unit was programmed again */
	assert_contains(m.sample.note, "socket 0 cxlcm 4: the controls are free again");
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	ck_assert_ptr_null(m.sample.note);
}

#define FOREIGN_EVENT 0x0841 /* RxC_PACK_BUF_INSERTS.MEM_REQ */

/* perf takes one counter of a unit that goes on counting. */
TEST(test_a_unit_with_a_counter_of_another_program_is_empty_and_left_alone)
{
	const uint64_t control = SIM_CXLCM(0, 1) + CXL_CONTROL(4);

	start(&(struct sim_setup){.spec = "gnr," TRAFFIC, .interval_ns = SECOND});
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);
	sim_monitor_sample(&m);
	const uint64_t ours = memory_peek(m.platform, control, 8);
	ck_assert(ours && ours != FOREIGN_EVENT);

	pass_time(m.platform, SECOND / 2);
	memory_poke(m.platform, control, 8, FOREIGN_EVENT);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
		ck_assert_int_eq(m.new_warning, !k);
		assert_contains(
			m.trouble.text,
			"socket 0 cxlcm 4: reset, frozen or reprogrammed by another program after "
			"00:00:01 UTC");
		ck_assert_uint_eq(memory_peek(m.platform, control, 8), FOREIGN_EVENT);
	}
	memory_poke(m.platform, control, 8, 0);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	ck_assert_ptr_nonnull(m.sample.note);
	ck_assert_uint_eq(memory_peek(m.platform, control, 8), ours);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 10 * READS, SECOND);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
}

/* The kernel's driver resets every unit when it loads. */
TEST(test_units_that_were_reset_are_named_together_and_count_again)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC, .interval_ns = SECOND});
	const uint64_t hash = sim_state_hash(m.sim);
	sim_monitor_sample(&m);
	pass_time(m.platform, SECOND / 4);
	for (unsigned port = 0; port < 2; port++) {
		memory_poke(m.platform, SIM_CXLCM(0, port), 4, 0x300);
		memory_poke(m.platform, SIM_CXLDP(0, port), 4, 0x300);
	}
	sim_monitor_sample_failing(&m, 4);
	assert_contains(m.trouble.text, "socket 0 cxlcm 2, 4, socket 0 cxldp 3, 5: reset");
	sim_monitor_sample(&m);
	assert_contains(m.sample.note,
			"socket 0 cxlcm 2, 4, socket 0 cxldp 3, 5: the controls are free");
	sim_monitor_sample_failing(&m, 0);
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLDP, 1), "M2S_REQ"),
		     10 * READS, SECOND);
	ck_assert_uint_ne(sim_state_hash(m.sim), hash);
}

static void set_freeze_register(uint64_t value)
{
	msr_poke(m.platform, 0, SIM_FREEZE_MSR, value);
}

#define CLOCK_STANDS "the clock stands still: frozen by another program, or powered down"
#define FROZEN	     ": frozen by another program after 00:00:0"

/*
 * Freezes of sockets: by the socket's register, which is read if it can stop counters, or by
 * clocks.
 */
static const struct {
	const char *spec, *groups, *event;
	uint16_t type;
	enum freeze_policy policy;
	const char *message;
} freezable[] = {
	{"spr," TRAFFIC, "cxl", "M2S_REQ", PMU_CXLDP, FREEZE_AUTO, CLOCK_STANDS},
	{"spr," TRAFFIC, "cxl", "TxC_PACK_BUF_INSERTS.MEM_DATA", PMU_CXLCM, FREEZE_NEVER,
	 CLOCK_STANDS},
	{"spr,dram_read=12.8,clock=virtual", "dram", "CAS_COUNT.RD", PMU_IMC, FREEZE_AUTO,
	 CLOCK_STANDS},
	{"spr," TRAFFIC, "cxl,queue", "M2S_REQ", PMU_CXLDP, FREEZE_AUTO, CLOCK_STANDS},
	{"spr," TRAFFIC, "cxl,latency", "M2S_REQ", PMU_CXLDP, FREEZE_AUTO, FROZEN},
	{"spr," TRAFFIC, "cxl,latency", "M2S_REQ", PMU_CXLDP, FREEZE_NEVER, FROZEN},
	{"spr," TRAFFIC, "cxl,latency", "M2S_REQ", PMU_CXLDP, FREEZE_UNITS, FROZEN},
	{"emr," TRAFFIC, "cxl,latency", "M2S_REQ", PMU_CXLDP, FREEZE_AUTO, FROZEN},
	{"gnr," TRAFFIC, "cxl", READ_EVENT, PMU_CXLCM, FREEZE_AUTO, FROZEN},
	{"gnr," TRAFFIC, "cxl,latency", READ_EVENT, PMU_CXLCM, FREEZE_NEVER, FROZEN},
	{"srf," TRAFFIC, "cxl,latency", READ_EVENT, PMU_CXLCM, FREEZE_AUTO, FROZEN},
	{"gnr,dram_read=12.8,clock=virtual", "dram", "CAS_COUNT_SCH0.RD", PMU_IMC, FREEZE_AUTO,
	 FROZEN},
};

static const struct count *count_of_freezable(int i)
{
	return sim_monitor_count(&m, sim_monitor_unit(&m, 0, freezable[i].type, 0),
				 freezable[i].event);
}

static void start_freezable(int i)
{
	start(&(struct sim_setup){.spec = freezable[i].spec,
				  .view = {.groups = freezable[i].groups, .finest = SCOPE_PORT},
				  .freeze = freezable[i].policy,
				  .interval_ns = SECOND});
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
}

/* The freeze comes in the middle of an interval: a count of a part is not the interval's value. */
TEST_LOOP(test_a_socket_that_another_program_freezes_has_no_values_and_stays_frozen,
	  COUNT(freezable))
{
	start_freezable(_i);
	const uint64_t before = count_of_freezable(_i)->events;
	ck_assert(count_of_freezable(_i)->known && before);
	pass_time(m.platform, SECOND / 2);
	set_freeze_register(1);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert(!count_of_freezable(_i)->known);
		ck_assert_uint_gt(m.sample.lost_readings, 0);
		ck_assert_int_eq(m.new_warning, !k);
		assert_contains(m.trouble.text, freezable[_i].message);
		ck_assert_ptr_null(m.sample.note);
		ck_assert_uint_eq(msr_peek(m.platform, 0, SIM_FREEZE_MSR), 1);
	}
	pass_time(m.platform, SECOND / 2);
	set_freeze_register(0);
	sim_monitor_sample(&m);
	ck_assert(!count_of_freezable(_i)->known);
	assert_contains(m.sample.note, "runs again, and counts");
	sim_monitor_sample(&m);
	assert_count(count_of_freezable(_i), before, SECOND);
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	ck_assert_ptr_null(m.sample.note);
	set_freeze_register(1);
	sim_monitor_sample(&m);
	ck_assert(m.new_warning);
}

TEST_LOOP(test_a_socket_that_another_program_has_frozen_is_left_so_at_the_end, COUNT(freezable))
{
	start_freezable(_i);
	set_freeze_register(1);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(msr_peek(m.platform, 0, SIM_FREEZE_MSR), 1);
}

/* The killed run was in progress when this one began, and had its registers. */
TEST(test_what_a_killed_run_has_left_frozen_runs_again_at_the_end)
{
	struct undo killed = {.count = 0};

	start(&(struct sim_setup){
		.spec = "spr,chas=1," TRAFFIC, .view = {.groups = "cxl"}, .interval_ns = SECOND});
	ck_assert_int_eq(undo_append(&killed, &m.pmu.undo, &m.err), 0);
	m.pmu.undo.others = &killed;
	sim_monitor_sample(&m);
	const struct reg control = unit_control(sim_monitor_unit(&m, 0, PMU_CXLCM, 0));
	ck_assert_int_eq(reg_write(m.platform, &control, UNIT_CTL_FREEZE, &m.err), 0);
	sim_monitor_sample(&m);
	ck_assert_ptr_nonnull(m.sample.warning);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	uint64_t value = 1;
	ck_assert_int_eq(reg_read(m.platform, &control, &value, &m.err), 0);
	ck_assert_uint_eq(value, 0);
	stop();
	undo_free(&killed);
}

/* Its own control is not the one by which this run freezes it. */
TEST(test_a_unit_of_a_socket_that_is_frozen_as_a_whole_has_no_values_when_frozen_alone)
{
	start(&(struct sim_setup){.spec = "spr,chas=1," TRAFFIC,
				  .view = {.groups = "cxl,latency"},
				  .interval_ns = SECOND});
	sim_monitor_sample(&m);
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CHA, 0);
	const struct reg control = unit_control(unit);
	ck_assert(m.pmu.global_freeze);

	msr_poke(m.platform, 0, (uint32_t)control.address, 1);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert(!sim_monitor_count(&m, unit, "CLOCKTICKS")->known);
		ck_assert_int_eq(m.new_warning, !k);
		assert_contains(m.trouble.text, "socket 0 cha 0" FROZEN);
	}
	ck_assert_uint_eq(msr_peek(m.platform, 0, (uint32_t)control.address), 1);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(msr_peek(m.platform, 0, (uint32_t)control.address), 1);
	ck_assert_str_eq(m.warning,
			 "1 control register not restored, because another program has set it; "
			 "first: cpu 0 msr 0x2000, which holds 0x1");
}

/*
 * Intervals, and the samples that may be wrong. At 10 ms controls are compared in one of ten
 * samples: samples since the last comparison may be wrong. At 100 ms controls are compared in each.
 */
static const struct {
	uint64_t interval_ns;
	unsigned samples; /* samples before one that is certainly wrong */
} intervals[] = {{10 * MS, 5}, {100 * MS, 0}, {300 * MS, 0}, {SECOND, 0}};

TEST_LOOP(test_no_value_is_shown_after_a_unit_was_taken_but_between_two_checks, COUNT(intervals))
{
	start(&(struct sim_setup){.spec = "gnr," TRAFFIC,
				  .interval_ns = intervals[_i].interval_ns});
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 0);
	uint64_t checked = 0;

	for (unsigned k = 1; k <= 24; k++) {
		sim_monitor_sample(&m);
		checked = !intervals[_i].samples || k % 10 == 0 ? m.sample.wall_ns : checked;
	}
	/* flits instead of reads: many times as many */
	memory_poke(m.platform, SIM_CXLCM(0, 0) + CXL_CONTROL(4), 8, 0x2043);
	for (unsigned k = 0; k < intervals[_i].samples; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.doubtful_since_ns, 0);
	}
	sim_monitor_sample(&m);
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	ck_assert(m.new_warning);
	assert_contains(m.trouble.text, "socket 0 cxlcm 2: reset, frozen or reprogrammed");
	ck_assert_int_eq(strstr(m.trouble.text, "and values shown since then may be wrong") != NULL,
			 intervals[_i].samples > 0);
	ck_assert_uint_eq(m.sample.doubtful_since_ns, intervals[_i].samples ? checked : 0);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.doubtful_since_ns, 0);
}

/* Values are awaited for 50 ms before a message, and come with the next good frame. */
TEST(test_a_clock_that_was_not_seen_to_tick_for_a_moment_loses_no_count)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC, .interval_ns = 10 * MS});
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLDP, 0);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	set_freeze_register(1);
	sim_monitor_sample(&m);
	ck_assert(!sim_monitor_count(&m, unit, "M2S_REQ")->known);
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	ck_assert_ptr_null(m.sample.warning);
	set_freeze_register(0);
	sim_monitor_sample(&m);
	const struct count *count = sim_monitor_count(&m, unit, "M2S_REQ");
	ck_assert(count->known);
	ck_assert_uint_eq(count->time_running, 20 * MS);
}

/* Frozen by the unit's own control: the program that has frozen it lets it run again. */
TEST_LOOP(test_a_unit_that_another_program_has_frozen_has_no_values_and_stays_frozen, 2)
{
	start(&(struct sim_setup){.spec = "gnr," TRAFFIC,
				  .interval_ns = SECOND,
				  .freeze = _i ? FREEZE_NEVER : FREEZE_ALWAYS});
	sim_monitor_sample(&m);
	memory_poke(m.platform, SIM_CXLCM(0, 0), 8, 1);
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 0);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
		ck_assert_int_eq(m.new_warning, !k);
		assert_contains(m.trouble.text, "socket 0 cxlcm 2: frozen by another program");
		ck_assert(unit_is_frozen(m.platform, unit));
	}
	memory_poke(m.platform, SIM_CXLCM(0, 0), 8, 0);
	sim_monitor_sample(&m);
	assert_contains(m.sample.note, "socket 0 cxlcm 2: runs again, and counts");
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 10 * READS, SECOND);
}

TEST(test_each_unit_is_reported_when_its_trouble_begins_while_another_has_trouble)
{
	start(&(struct sim_setup){.spec = "gnr," TRAFFIC});
	sim_monitor_sample(&m);
	memory_poke(m.platform, SIM_CXLCM(0, 0), 8, 1);
	sim_monitor_sample(&m);
	assert_contains(m.warning, "socket 0 cxlcm 2: frozen by another program");
	const struct unit *other = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);
	for (unsigned counter = 0; counter < other->counters; counter++)
		sim_set_counter(m.sim, 0, PMU_CXLCM, other->id, counter, UINT64_C(1) << 41);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.warnings, 2);
	assert_contains(m.warning, "socket 0 cxlcm 4" MOVED);
	assert_contains(m.trouble.text, "socket 0 cxlcm 2: frozen by another program");
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.warnings, 2);
}

TEST(test_an_idle_unit_counts_zero)
{
	start(&(struct sim_setup){.spec = "gnr,read=0,clock=virtual"});
	sim_monitor_sample(&m);
	for (unsigned k = 0; k < 5; k++) {
		sim_monitor_sample(&m);
		assert_count(
			sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLCM, 1), READ_EVENT), 0,
			TENTH);
	}
}

TEST(test_frames_that_are_left_out_are_part_of_the_next)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);

	for (unsigned k = 0; k < 3; k++)
		ck_assert(read_frame()->sample);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 4 * READS, 4 * TENTH);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
}

/* The epoch of the next frame shows that counting began again. */
TEST(test_the_first_frame_of_an_epoch_may_be_left_out)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);

	sim_suspend(m.sim, SECOND);
	read_frame();
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.lost_readings, m.plan.unit_count);
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
}

/* Frames made by hand: one unit of a GNR, and the value of its first counter. */

static struct frame frame;
static struct decoder *decoder;
static struct sample sample;

static void begin_by_hand(void)
{
	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC});
	const struct frame_size size = poller_frame_size(&m.plan);
	void *arrays = calloc(1, frame_bytes(size));

	ck_assert_ptr_nonnull(arrays);
	frame_lay_out(&frame, arrays, size);
	decoder = decoder_new(&m.plan);
	frame.epoch = 1;
	ck_assert(!decoder_add(decoder, &frame, &sample));
}

/* Adds a frame in which every counter has this value, ns later. */
static bool add_by_hand(uint64_t value, uint64_t ns, bool ends)
{
	for (size_t r = 0; r < m.plan.read_count; r++)
		frame.raw[r] = value;
	for (size_t d = 0; d < m.plan.domain_count; d++)
		frame.running_ns[d] += ns;
	frame.sample = ends;
	return decoder_add(decoder, &frame, &sample);
}

static void end_by_hand(void)
{
	decoder_free(decoder);
	free(frame.running_ns);
	stop();
}

static void set_uncertain(uint64_t ns)
{
	for (size_t d = 0; d < m.plan.domain_count; d++)
		frame.uncertain_ns[d] += ns;
}

/* Values in two readings, 1000 ns apart. */
static const struct {
	uint64_t within, end;
	bool known, estimate;
} uncertain[] = {
	{0, 10, true, false}, {10, 0, true, false},  {5, 6, true, true},
	{0, 50, true, true},  {51, 0, false, false}, {20, 31, false, false},
};

TEST_LOOP(test_a_count_of_an_uncertain_time_is_an_estimate_or_not_known, COUNT(uncertain))
{
	begin_by_hand();
	set_uncertain(uncertain[_i].within);
	ck_assert(!add_by_hand(100, 400, false));
	set_uncertain(uncertain[_i].end);
	ck_assert(add_by_hand(200, 600, true));
	for (size_t s = 0; s < m.plan.counter_count; s++) {
		ck_assert_int_eq(sample.counts[s].known, uncertain[_i].known);
		ck_assert_int_eq(sample.counts[s].estimate, uncertain[_i].estimate);
		ck_assert_uint_eq(sample.counts[s].time_running, uncertain[_i].known ? 1000 : 0);
		ck_assert_uint_eq(sample.counts[s].time_enabled, 1000);
	}
	ck_assert(add_by_hand(300, 500, true));
	for (size_t s = 0; s < m.plan.counter_count; s++) {
		assert_count(&sample.counts[s], 100, 500);
		ck_assert(!sample.counts[s].estimate);
	}
	end_by_hand();
}

TEST(test_a_failed_read_leaves_its_uncertain_time_to_the_next_one)
{
	begin_by_hand();
	set_uncertain(30);
	for (size_t u = 0; u < m.plan.unit_count; u++)
		frame.units[u].error = -EIO;
	ck_assert(add_by_hand(100, 1000, true));
	for (size_t u = 0; u < m.plan.unit_count; u++)
		frame.units[u].error = 0;
	ck_assert(add_by_hand(200, 1000, true));
	for (size_t s = 0; s < m.plan.counter_count; s++) {
		assert_count(&sample.counts[s], 200, 2000);
		ck_assert(sample.counts[s].estimate);
		ck_assert_uint_eq(sample.counts[s].uncertain_ns, 30);
	}
	end_by_hand();
}

/* For half of the time, the kernel has counted other events on each unit. */
TEST(test_time_that_a_unit_waits_is_enabled_and_not_running)
{
	begin_by_hand();
	frame.multiplexed = true;
	for (unsigned i = 1; i <= 2; i++) {
		for (size_t d = 0; d < m.plan.domain_count; d++)
			frame.waited_ns[d] += 300;
		ck_assert(add_by_hand(45 * i, 300, true));
		for (size_t s = 0; s < m.plan.counter_count; s++) {
			assert_count(&sample.counts[s], 45, 300);
			ck_assert_uint_eq(sample.counts[s].time_enabled, 600);
		}
	}
	end_by_hand();
}

TEST(test_a_sample_is_made_of_all_frames_since_the_one_before)
{
	begin_by_hand();
	ck_assert(!add_by_hand(10, 100, false));
	ck_assert(!add_by_hand(25, 200, false));
	ck_assert(add_by_hand(45, 300, true));
	for (size_t s = 0; s < m.plan.counter_count; s++) {
		assert_count(&sample.counts[s], 45, 600);
		ck_assert_uint_eq(sample.counts[s].time_enabled, 600);
	}
	ck_assert(add_by_hand(46, 10, true));
	for (size_t s = 0; s < m.plan.counter_count; s++)
		assert_count(&sample.counts[s], 1, 10);
	end_by_hand();
}

TEST(test_totals_of_frames_become_those_of_samples)
{
	begin_by_hand();
	frame.missed = 3, frame.frozen_ns = 50;
	ck_assert(!add_by_hand(1, 1, false));
	frame.missed = 4, frame.frozen_ns = 80, frame.skipped = 2;
	ck_assert(add_by_hand(2, 1, true));
	ck_assert_uint_eq(sample.missed, 4);
	ck_assert_uint_eq(sample.frozen_ns, 80);
	ck_assert_uint_eq(sample.skipped, 2);
	frame.missed = 4, frame.frozen_ns = 85;
	ck_assert(add_by_hand(3, 1, true));
	ck_assert_uint_eq(sample.missed, 0);
	ck_assert_uint_eq(sample.frozen_ns, 5);
	ck_assert_uint_eq(sample.skipped, 2);
	end_by_hand();
}

TEST(test_a_clobbered_unit_has_no_values_and_its_time_is_not_counted_later)
{
	begin_by_hand();
	frame.units[0].clobbered = true;
	ck_assert(add_by_hand(1000, 500, true));
	ck_assert(!sample.counts[0].known);
	ck_assert_uint_eq(sample.counts[0].time_running, 0);
	ck_assert_uint_eq(sample.counts[0].time_enabled, 500);
	ck_assert_uint_eq(sample.lost_readings, 1);
	ck_assert_int_eq(sample.warning->code, -EBUSY);
	/* its controls were foreign when this interval began */
	frame.units[0].clobbered = false;
	ck_assert(add_by_hand(1007, 20, true));
	ck_assert(!sample.counts[0].known);
	ck_assert(add_by_hand(1014, 20, true));
	assert_count(&sample.counts[0], 7, 20);
	ck_assert_ptr_null(sample.warning);
	end_by_hand();
}

/* Units of a type are in one line, each once, and again only after they were back for 10 s. */
TEST(test_each_unit_that_is_lost_is_named_once_and_when_it_is_back)
{
	start(&(struct sim_setup){.spec = "spr,chas=16,ports=2," TRAFFIC,
				  .view = {.groups = "cxl,latency", .finest = SCOPE_PORT},
				  .interval_ns = SECOND});
	sim_monitor_sample(&m);
	for (unsigned cha = 0; cha < 16; cha++)
		sim_set_unit_dead(m.sim, 0, PMU_CHA, cha, cha != 7);
	sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 4, true);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.warnings, 2);
	assert_contains(m.warning, "socket 0 cxlcm 4: no response");
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 4, false);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.warnings, 3);
	assert_contains(m.warning, "socket 0 cxldp 3: no response");
	/* it fails now and then */
	sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 4, true);
	sim_monitor_sample(&m);
	for (unsigned cha = 0; cha < 16; cha++)
		sim_set_unit_dead(m.sim, 0, PMU_CHA, cha, false);
	for (unsigned k = 0; k < 9; k++)
		sim_monitor_sample(&m);
	ck_assert_uint_eq(m.notes, 0);
	sim_monitor_sample(&m);
	ck_assert_str_eq(m.note, "socket 0 cha 0-6, 8-15: can be read again");
	ck_assert_uint_eq(m.warnings, 3);
}

TEST(test_a_counter_that_could_not_be_read_is_named_by_its_error)
{
	char name[REG_NAME_SIZE];

	begin_by_hand();
	frame.units[0].error = -EIO;
	frame.units[0].failed_read = 1;
	ck_assert(add_by_hand(9, 100, true));
	ck_assert_int_eq(sample.warning->code, -EIO);
	assert_contains(sample.warning->text, reg_name(&m.plan.counters[1].reg, name));
	frame.units[0].failed_read = FRAME_NO_READ;
	ck_assert(add_by_hand(9, 100, true));
	assert_contains(sample.warning->text, "programmed");
	frame.units[0].error = 0;
	ck_assert(add_by_hand(27, 100, true));
	assert_count(&sample.counts[0], 27, 300);
	end_by_hand();
}
