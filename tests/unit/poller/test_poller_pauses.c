/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampling thread is held up between an access to a register and the clock. */
#include "poller/poller.h"

#include <inttypes.h>
#include <math.h>

#include "sim_monitor.h"
#include "unit.h"

#define MS UINT64_C(1000000) /* ns */

/*
 * A port of GNR: a CXLCM with three counters, and then a CXLDP with one. Where they run, these are
 * the accesses of a sample; where they are frozen, each unit has three more: its control is read,
 * and written before and after its counters.
 */
#define ONE_PORT "gnr,ports=1,read=32,write=16,clock=virtual"
#define ACCESSES 4

static struct sim_monitor m;

static const struct count *read_count(void)
{
	return sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLCM, 0), "MEM_DATA");
}

static const struct count *write_count(void)
{
	return sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLDP, 0), "M2S_DATA");
}

static void assert_exact(const struct count *count, uint64_t events_a_s)
{
	ck_assert(count->known && !count->estimate);
	ck_assert_double_eq_tol((double)count->events,
				(double)events_a_s * (double)count->time_running / SECOND, 1);
}

/* Takes samples at the start, and after one second. */
static void start(const char *spec, const char *groups, enum freeze_policy freeze)
{
	sim_monitor_start(&m, .spec = spec, .view.groups = groups, .freeze = freeze, .start_ns = 1);
	sim_monitor_sample(&m);
}

TEST_LOOP(test_counters_that_run_are_read_again_at_once_after_a_pause, ACCESSES)
{
	start(ONE_PORT, NULL, FREEZE_NEVER);
	sim_set_pauses(m.sim, (uint64_t)_i + 1, 1, 400 * MS);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		assert_exact(read_count(), 500000000);
		assert_exact(write_count(), 250000000);
	}
}

/* Pauses after every access: the values read last are as uncertain as each pause is long. */
static const struct {
	uint64_t pause_ns;
	bool known, estimate;
} lasting[] = {
	{8 * MS, true, false},
	{20 * MS, true, true},
	{300 * MS, false, false},
};

TEST_LOOP(test_what_remains_uncertain_is_an_estimate_or_empty_until_an_interval_begins_well,
	  COUNT(lasting))
{
	start(ONE_PORT, NULL, FREEZE_NEVER);
	/* each unit is read four times */
	sim_set_pauses(m.sim, 1, 4 * ACCESSES, lasting[_i].pause_ns);
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample(&m);
		ck_assert_int_eq(read_count()->known, lasting[_i].known);
		ck_assert_int_eq(write_count()->known, lasting[_i].known);
		ck_assert_int_eq(read_count()->estimate, lasting[_i].estimate);
		ck_assert_int_eq(write_count()->estimate, lasting[_i].estimate);
	}
	ck_assert_uint_eq(sim_pauses_left(m.sim), 0);
	sim_monitor_sample(&m);
	assert_exact(read_count(), 500000000);
	assert_exact(write_count(), 250000000);
}

/*
 * Accesses of a reading with freezes. A pause costs only time while counters are frozen. Before
 * they are stopped, the clock may have been read long ago.
 */
static const struct {
	uint64_t access;
	bool first, second; /* intervals of the CXLCM that are uncertain */
} frozen[] = {
	{1, true, false},  {2, true, false},  {3, false, false},
	{4, false, false}, {5, false, false}, {6, false, true},
};

TEST_LOOP(test_a_pause_where_counters_are_stopped_or_started_makes_that_interval_uncertain,
	  COUNT(frozen))
{
	const bool uncertain[] = {frozen[_i].first, frozen[_i].second, false};

	for (unsigned empty = 0; empty < 2; empty++) {
		start(ONE_PORT, NULL, FREEZE_ALWAYS);
		sim_set_pauses(m.sim, frozen[_i].access, 1, (empty ? 60 : 20) * MS);
		for (unsigned k = 0; k < 3; k++) {
			sim_monitor_sample(&m);
			assert_exact(write_count(), 250000000);
			ck_assert_int_eq(read_count()->known, !(uncertain[k] && empty));
			ck_assert_int_eq(read_count()->estimate, uncertain[k] && !empty);
			if (!uncertain[k])
				assert_exact(read_count(), 500000000);
		}
		ck_assert_uint_eq(sim_pauses_left(m.sim), 0);
	}
}

/* Machines that are held up from the start on, and a value of their traffic. */
static const struct {
	const char *spec, *metric;
	enum row_kind kind;
	double value;
} held_up[] = {
	/* counters that run */
	{"genoa,cpus=1,ports=1,imcs=1,read=3,clock=virtual", "cxl_read_latency_ns", ROW_SOCKET,
	 320},
	/* a PMU that is stopped and started */
	{"arm,cpus=1,ports=4,cpmu_kind=fixed,read=25.25,clock=virtual", "cxl_mem_read_MBps",
	 ROW_DEVICE, 25250},
	/* CPUs without time for a round of events: the others do not stand for them */
	{"turin,cpus=4,read=25.25,ddr_latency=80,clock=virtual", "fill_l2_pct", ROW_SOCKET, 3.89},
};

static void assert_none_is_wrong(size_t i, uint64_t every)
{
	for (size_t r = 0; r < m.view.table.row_count; r++) {
		const struct row *row = &m.view.table.rows[r];
		const struct value *value = sim_monitor_cell(&m, row, held_up[i].metric);

		if (row->place.kind == held_up[i].kind && !isnan(value->number))
			ck_assert_msg(fabs(value->number / held_up[i].value - 1) < 0.053,
				      "%g, with a pause every %" PRIu64 " accesses", value->number,
				      every);
	}
}

/* Readings have the same number of accesses: a pause may be at the same one of several. */
TEST_LOOP(test_pauses_from_the_start_on_make_no_value_wrong, COUNT(held_up))
{
	for (uint64_t every = 12; every < 120; every++) {
		sim_monitor_open(&m, .spec = held_up[_i].spec, .view.groups = "all",
				 .interval_ns = 10 * MS);
		sim_set_pauses(m.sim, every, UINT64_MAX, 4 * MS);
		ck_assert_int_eq(sim_monitor_begin(&m), 0);
		for (unsigned k = 0; k < 4; k++) {
			sim_monitor_sample(&m);
			assert_none_is_wrong((size_t)_i, every);
		}
	}
}

/* Machines whose counters run or are frozen. Turin's and Venice's run; Venice's rotate. */
static const struct {
	const char *spec, *groups;
	enum freeze_policy freeze;
	bool runs;
} machines[] = {
	{"turin,read=12.8,write=6.4,dram_read=20,imcs=1,clock=virtual", "cxl,dram", FREEZE_AUTO,
	 true},
	{"venice,cpus=4,read=12.8,clock=virtual", "cxl", FREEZE_AUTO, true},
	{"spr,chas=4,imcs=1,read=12.8,dram_read=20,clock=virtual", "cxl,latency", FREEZE_NEVER,
	 true},
	{"spr,chas=4,imcs=1,read=12.8,dram_read=20,clock=virtual", "cxl,latency", FREEZE_AUTO,
	 false},
	{"gnr,ports=1,chas=4,imcs=1,read=12.8,clock=virtual", "cxl,latency", FREEZE_AUTO, false},
	/* the TSC, which runs while the others are frozen */
	{"spr,cpus=2,clock=virtual", "core", FREEZE_ALWAYS, false},
};

/* Finds the counts per second of each counter; NAN if it has not counted. */
static void find_rates(double *rates)
{
	for (size_t s = 0; s < m.plan.counter_count; s++)
		rates[s] = NAN;
	for (unsigned k = 0; k < 4; k++) {
		sim_monitor_sample(&m);
		for (size_t s = 0; s < m.plan.counter_count; s++)
			if (m.sample.counts[s].known)
				rates[s] = (double)m.sample.counts[s].events * SECOND /
					   (double)m.sample.counts[s].time_running;
	}
}

static void assert_rates(const double *rates)
{
	for (size_t s = 0; s < m.plan.counter_count; s++) {
		const struct count *count = &m.sample.counts[s];
		const double expected = rates[s] * (double)count->time_running / SECOND;

		if (count->known && !isnan(expected))
			ck_assert_double_eq_tol((double)count->events, expected,
						(count->estimate ? 0.0527 : 0.0102) * expected +
							100);
	}
}

TEST_LOOP(test_wherever_a_pause_is_no_value_is_wrong, COUNT(machines))
{
	double rates[1024];

	for (uint64_t access = 1; access < 120; access++) {
		start(machines[_i].spec, machines[_i].groups, machines[_i].freeze);
		ck_assert_uint_le(m.plan.counter_count, COUNT(rates));
		find_rates(rates);
		sim_set_pauses(m.sim, access, 1, 70 * MS);
		for (unsigned k = 0; k < 4; k++) {
			sim_monitor_sample(&m);
			assert_rates(rates);
			ck_assert_str_eq(m.trouble.text, "");
		}
	}
}

TEST(test_that_values_are_uncertain_is_said_once)
{
	start(ONE_PORT, NULL, FREEZE_ALWAYS);
	for (unsigned k = 0; k < 3; k++) {
		sim_set_pauses(m.sim, 2, 1, 20 * MS);
		sim_monitor_sample(&m);
	}
	ck_assert_uint_eq(m.warnings, 1);
	ck_assert_ptr_nonnull(strstr(m.warning, "took longer to read than usual"));
}

TEST(test_a_value_of_an_uncertain_time_is_an_estimate)
{
	start(ONE_PORT, NULL, FREEZE_ALWAYS);
	for (unsigned k = 0; k < 3; k++) {
		const struct value *value =
			sim_monitor_cell(&m, sim_monitor_row(&m, 0, 0), "cxl_mem_read_MBps");
		ck_assert_int_eq(value->scaled, k == 1);
		ck_assert_double_eq_tol(value->number, k == 1 ? 32000 / 1.02 : 32000, 1e-3);
		sim_set_pauses(m.sim, 2, !k, 20 * MS);
		sim_monitor_sample(&m);
	}
}

/* Slow accesses are usual there. */
TEST_LOOP(test_a_thousand_times_a_second_nothing_is_uncertain_without_a_pause, COUNT(machines))
{
	sim_monitor_start(&m, .spec = machines[_i].spec, .view.groups = machines[_i].groups,
			  .freeze = machines[_i].freeze, .interval_ns = MS, .start_ns = 1,
			  .access_ns = 1500);
	for (unsigned k = 0; k < 2000; k++) {
		sim_monitor_sample(&m);
		for (size_t s = 0; s < m.plan.counter_count; s++)
			ck_assert(!m.sample.counts[s].estimate && !m.sample.counts[s].uncertain_ns);
	}
}
