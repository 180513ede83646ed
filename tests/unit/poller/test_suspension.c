/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine that is suspended in mid-run, which clears its registers. */
#include "sim_monitor.h"
#include "unit.h"

#define SECOND UINT64_C(1000000000)
#define SPEC   "spr,cpus=4,chas=2,clock=virtual,latency=400,read=10,write=4"

static struct sim_monitor m;

static const enum freeze_policy policies[] = {FREEZE_AUTO, FREEZE_ALWAYS, FREEZE_NEVER};

static void start(enum freeze_policy freeze)
{
	sim_monitor_start(&m, .spec = SPEC, .view = {.groups = "cxl,latency,core"},
			  .freeze = freeze);
	sim_monitor_sample(&m);
}

static void assert_whole(void)
{
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, 1, "cxl_mem_read_MBps"), 10000, 0.1);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"), 400, 0.1);
	ck_assert(sim_monitor_value(&m, 0, -1, "ipc") > 0);
}

TEST_LOOP(test_the_sample_of_a_suspension_is_empty_and_the_next_is_complete, COUNT_OF(policies))
{
	start(policies[_i]);
	assert_whole();
	const unsigned before = m.warnings;

	sim_suspend(m.sim, 90 * SECOND);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.lost_readings, m.plan.unit_count);
	ck_assert_double_nan(sim_monitor_value(&m, 0, 1, "cxl_mem_read_MBps"));
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"));
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, "ipc"));
	ck_assert_uint_eq(m.warnings, before + 1);
	assert_contains(m.warning, "suspended for 90.0 s");
	sim_monitor_sample(&m);
	assert_whole();
	ck_assert_uint_eq(m.warnings, before + 1);
}

/* CLOCK_MONOTONIC does not run meanwhile. */
TEST(test_a_suspension_misses_no_deadline)
{
	start(FREEZE_AUTO);
	sim_suspend(m.sim, 3600 * SECOND);
	for (unsigned i = 0; i < 3; i++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.missed, 0);
	}
}

TEST(test_after_a_suspension_everything_is_restored)
{
	sim_monitor_open(&m, .spec = SPEC, .view = {.groups = "cxl,latency,core"});
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	sim_suspend(m.sim, SECOND);
	sim_monitor_sample(&m);
	ck_assert_msg(!poller_stop(m.poller, &m.err), "%s", m.err.text);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}
