/* SPDX-License-Identifier: BSD-3-Clause */
/* Stall cycles of CPUs: by registers and through the kernel, and with missing counters. */
#include "uncore/units/core_unit.h"
#include "view/view.h"

#include <math.h>

#include "msr/core_pmu.h"
#include "sim_monitor.h"
#include "unit.h"

/*
 * Stall cycles of a program in DRAM, with half of it in CXL memory, and all of it: see
 * test_sim_msr.c.
 */
#define PROGRAM                                                                                    \
	"cpus=2,read=1,clock=virtual,ddr_latency=100,latency=300,demand_stall=20,cache_stall=10,"  \
	"store_stall=5,prefetched=25,parallelism=3,overlap=100,cxl_share="

static struct sim_monitor m;

static const char *const metrics[] = {"demand_stall_pct", "cache_stall_pct",  "store_stall_pct",
				      "prefetched_pct",	  "read_parallelism", "read_cost_cycles"};

static const struct {
	const char *share;
	double values[COUNT(metrics)];
} programs[] = {
	{"0", {20, 10, 5, 25, 3, 100}},
	{"50", {3000 / 117.5, 1250 / 117.5, 1000 / 117.5, 25, 4, 150}},
	{"100", {4000. / 135, 1500. / 135, 1500. / 135, 25, 4.5, 200}},
};

static const char *const models[] = {"spr", "emr", "gnr", "gnr-d"};

static double value_of(const struct row *row, int metric)
{
	return sim_monitor_cell(&m, row, metrics[metric])->number;
}

/* Checks a row; counts are whole numbers of at least 2 * 10^6 events. */
static void assert_program(const struct row *row, const double values[COUNT(metrics)])
{
	for (int i = 0; i < COUNT(metrics); i++)
		ck_assert_double_eq_tol(value_of(row, i), values[i], values[i] * 1e-6);
}

FIXTURE(NULL, NULL)

TEST_LOOP(test_stalls_are_those_of_the_program, COUNT(programs) * COUNT(models) * 2)
{
	const int k = _i / 2 / COUNT(models);
	char spec[256];

	snprintf(spec, sizeof(spec), "%s,sockets=2," PROGRAM "%s", models[_i / 2 % COUNT(models)],
		 programs[k].share);
	sim_monitor_start(&m, .spec = spec, .perf = _i % 2,
			  .view = {.groups = "stall", .finest = SCOPE_CPU});
	for (unsigned n = 0; n < 2; n++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.view.table.row_count, 4 + 2 + 1);
		for (size_t r = 0; r < m.view.table.row_count; r++)
			assert_program(&m.view.table.rows[r], programs[k].values);
	}
	ck_assert_uint_eq(m.warnings, 0);
}

/*
 * E-cores count no reads that are outstanding, and Clearwater Forest's list has events of loads
 * that hit the L2, but no sum of those that missed the L3.
 */
static const struct {
	const char *model;
	double values[COUNT(metrics)];
} e_cores[] = {
	{"srf", {4000. / 135, 1500. / 135, 1500. / 135, NAN, NAN, NAN}},
	{"cwf", {NAN, 1500. / 135, NAN, NAN, NAN, NAN}},
};

TEST_LOOP(test_stalls_of_e_cores_are_those_of_the_program_and_unknown_without_an_event,
	  COUNT(e_cores) * 2)
{
	char spec[256];

	snprintf(spec, sizeof(spec), "%s,sockets=2," PROGRAM "100", e_cores[_i / 2].model);
	sim_monitor_start(&m, .spec = spec, .perf = _i % 2,
			  .view = {.groups = "stall", .finest = SCOPE_CPU});
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.table.row_count, 4 + 2 + 1);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		for (int i = 0; i < COUNT(metrics); i++) {
			const double number = value_of(&m.view.table.rows[r], i);

			if (isnan(e_cores[_i / 2].values[i]))
				ck_assert_double_nan(number);
			else
				ck_assert_double_eq_tol(number, e_cores[_i / 2].values[i], 1e-4);
		}
	for (size_t u = 0; u < m.plan.unit_count; u++)
		ck_assert_uint_eq(m.plan.units[u].round_count, 1);
	ck_assert_uint_eq(m.warnings, 0);
}

/* Returns true if a round has the event; it has no counter twice. */
static bool round_has(const struct round *round, const struct event *event)
{
	for (size_t s = round->first_counter; s < round->first_counter + round->counter_count; s++)
		if (m.plan.counters[s].event == event)
			return true;
	return false;
}

/* The first four counters are enough for four of the eight events that no other counts. */
TEST_LOOP(test_two_rounds_have_all_events_and_one_has_all_of_a_formula, 2)
{
	sim_monitor_start(&m, .spec = "gnr," PROGRAM "0", .perf = _i, .view = {.groups = "stall"});
	for (size_t u = 0; u < m.plan.unit_count; u++)
		if (unit_is_cpu(m.plan.units[u].unit))
			ck_assert_uint_eq(m.plan.units[u].round_count, 2);
	for (int i = 0; i < COUNT(metrics); i++) {
		const struct formula *formula = formulas_find(&m.view.formulas, metrics[i], 0);
		bool together = false;

		for (size_t g = 0; g < m.plan.round_count; g++) {
			bool all = true;

			for (unsigned e = 0; formula_event(formula, e); e++)
				all &= round_has(&m.plan.rounds[g], formula_event(formula, e));
			together |= all;
		}
		ck_assert_msg(together, "%s", metrics[i]);
	}
}

/* Controls of registers, from Intel's list. */
TEST(test_controls_have_the_counter_mask_on_one_of_the_first_four_counters)
{
	static const uint64_t expected[] = {0x09430947, 0x05430547, 0x03430347, 0x00430121,
					    0x01430120, 0x00430120, 0x004308D1, 0x004340D1};
	unsigned seen = 0;

	sim_monitor_start(&m, .spec = "gnr," PROGRAM "0", .view = {.groups = "stall"});
	for (unsigned n = 0; n < 2; n++) {
		for (uint32_t x = 0; x < 8; x++) {
			const uint64_t control = msr_peek(m.platform, 0, IA32_PERFEVTSEL0 + x);

			for (int i = 0; i < COUNT(expected); i++)
				if (control == expected[i]) {
					seen |= 1U << i;
					ck_assert_uint_lt(x, 4);
				}
		}
		sim_monitor_sample(&m);
	}
	ck_assert_uint_eq(seen, (1U << COUNT(expected)) - 1);
}

/* Controls of registers, from Intel's list; the last four counters are as good as others. */
TEST(test_controls_of_e_cores_are_on_any_free_counter)
{
	unsigned seen = 0;

	sim_monitor_machine(&m, "srf," PROGRAM "0");
	machine_set_ownership(&m.machine, OWNERSHIP_SHARE);
	for (uint32_t x = 0; x < 5; x++)
		msr_poke(m.platform, 0, IA32_PERFEVTSEL0 + x, PERFEVTSEL_EN | PERFEVTSEL_OS | 0xC0);
	sim_monitor_measure(&m, .view = {.groups = "stall", .finest = SCOPE_CPU});
	for (uint32_t x = 5; x < 8; x++)
		switch (msr_peek(m.platform, 0, IA32_PERFEVTSEL0 + x)) {
		case 0x437834:
			seen |= 1;
			break;
		case 0x430134:
			seen |= 2;
			break;
		case 0x438034:
			seen |= 4;
			break;
		default:
			ck_abort_msg("counter %u", x);
		}
	ck_assert_uint_eq(seen, 7);
	sim_monitor_sample(&m);
	ck_assert_double_eq(value_of(sim_monitor_cpu_row(&m, 0), 0), 20);
}

/*
 * Another program uses three of the four counters of CPU 0: metrics that need two of them are
 * unknown.
 */
TEST(test_what_needs_two_counters_is_empty_where_one_is_left)
{
	sim_monitor_machine(&m, "gnr," PROGRAM "0");
	machine_set_ownership(&m.machine, OWNERSHIP_SHARE);
	for (uint32_t x = 0; x < 3; x++)
		msr_poke(m.platform, 0, IA32_PERFEVTSEL0 + x, PERFEVTSEL_EN | PERFEVTSEL_OS | 0xC0);
	sim_monitor_measure(&m, .view = {.groups = "stall", .finest = SCOPE_CPU});
	sim_monitor_sample(&m);
	const struct row *row = sim_monitor_cpu_row(&m, 0);
	ck_assert_double_eq(value_of(row, 0), 20);
	ck_assert_double_nan(value_of(row, 1));
	ck_assert_double_eq(value_of(row, 2), 5);
	ck_assert_double_nan(value_of(row, 3));
	ck_assert_double_nan(value_of(row, 4));
	ck_assert_double_nan(value_of(row, 5));
	assert_program(sim_monitor_cpu_row(&m, 1), programs[0].values);
	ck_assert_uint_eq(m.warnings, 1);
	assert_contains(m.warning,
			"4 values of CPUs stay empty for lack of counters; first: cpu 0: "
			"too few are free for the 3 events of cache_stall_pct");
}

/*
 * Another program uses every counter of CPU 0 that counts cycles. So ipc is empty, but not because
 * its two events have to be counted at the same time.
 */
TEST(test_where_an_event_has_no_counter_no_group_is_called_too_large)
{
	sim_monitor_machine(&m, "gnr," PROGRAM "0");
	machine_set_ownership(&m.machine, OWNERSHIP_SHARE);
	for (uint32_t x = 0; x < 8; x++)
		msr_poke(m.platform, 0, IA32_PERFEVTSEL0 + x, PERFEVTSEL_EN | PERFEVTSEL_OS | 0xC0);
	msr_poke(m.platform, 0, IA32_FIXED_CTR_CTRL, 0x30);
	sim_monitor_measure(&m, .view = {.groups = "core", .finest = SCOPE_CPU});
	sim_monitor_sample(&m);
	const struct row *row = sim_monitor_cpu_row(&m, 0);
	ck_assert_double_gt(sim_monitor_cell(&m, row, "instructions_per_s")->number, 0);
	ck_assert_double_nan(sim_monitor_cell(&m, row, "cycles_per_s")->number);
	ck_assert_double_nan(sim_monitor_cell(&m, row, "ipc")->number);
	ck_assert_uint_eq(m.warnings, 0);
}
