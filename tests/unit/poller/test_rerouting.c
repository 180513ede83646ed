/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUs that go offline while the MSRs of their socket are accessed through them. */
#include <math.h>

#include "sim_monitor.h"
#include "unit.h"

#define SPEC "spr,sockets=2,cpus=4,chas=2,clock=virtual,latency=400,read=10"

static struct sim_monitor m;

static void start(enum freeze_policy freeze)
{
	sim_monitor_start(&m, .spec = SPEC, .view = {.groups = "cxl,latency"}, .freeze = freeze);
	sim_monitor_sample(&m);
}

static const enum freeze_policy policies[] = {FREEZE_AUTO, FREEZE_NEVER, FREEZE_UNITS};

static void assert_whole(void)
{
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"), 400, 1);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 1, -1, "cxl_read_latency_ns"), 400, 1);
}

TEST_LOOP(test_a_socket_is_read_through_another_of_its_cpus_and_nothing_is_lost, COUNT_OF(policies))
{
	start(policies[_i]);
	const unsigned before = m.warnings;

	sim_set_cpu_online(m.sim, 0, false);
	sim_monitor_sample(&m);
	assert_whole();
	ck_assert_uint_eq(m.warnings, before + 1);
	assert_contains(m.warning, "CPU 0 has gone offline; MSRs are accessed through CPU 1");
	sim_monitor_sample(&m);
	assert_whole();
	ck_assert_uint_eq(m.warnings, before + 1);
}

TEST(test_an_isolated_cpu_is_the_last_that_replaces_another)
{
	sim_monitor_start(&m, .spec = SPEC ",isolated=2", .view = {.groups = "cxl,latency"});
	sim_monitor_sample(&m);
	sim_set_cpu_online(m.sim, 2, false);
	sim_monitor_sample(&m);
	assert_whole();
	assert_contains(m.warning, "CPU 2 has gone offline; MSRs are accessed through CPU 3");
	sim_set_cpu_online(m.sim, 3, false);
	sim_monitor_sample(&m);
	assert_whole();
	assert_contains(m.warning, "CPU 3 has gone offline; MSRs are accessed through CPU 0");
}

TEST_LOOP(test_cpus_may_go_offline_one_after_the_other, COUNT_OF(policies))
{
	start(policies[_i]);
	for (unsigned cpu = 0; cpu < 3; cpu++) {
		sim_set_cpu_online(m.sim, cpu, false);
		sim_monitor_sample(&m);
		assert_whole();
	}
	sim_set_cpu_online(m.sim, 0, true);
	sim_set_cpu_online(m.sim, 3, false);
	sim_monitor_sample(&m);
	assert_whole();
}

TEST_LOOP(test_registers_are_restored_through_the_remaining_cpus, COUNT_OF(policies))
{
	sim_monitor_open(&m, .spec = SPEC, .view = {.groups = "cxl,latency"},
			 .freeze = policies[_i]);
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	sim_set_cpu_online(m.sim, 4, false);
	sim_monitor_sample(&m);
	sim_set_cpu_online(m.sim, 5, false);
	ck_assert_msg(!poller_stop(m.poller, &m.err), "%s", m.err.text);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST_LOOP(test_without_any_cpu_a_socket_has_no_values_until_one_comes_online, COUNT_OF(policies))
{
	start(policies[_i]);
	unsigned warnings = 0;

	for (unsigned cpu = 0; cpu < 4; cpu++)
		sim_set_cpu_online(m.sim, cpu, false);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_gt(m.sample.lost_readings, 0);
		warnings += m.new_warning;
		ck_assert(isnan(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns")));
		ck_assert_double_eq_tol(sim_monitor_value(&m, 1, -1, "cxl_read_latency_ns"), 400,
					1);
	}
	ck_assert_uint_eq(warnings, 1);
	sim_set_cpu_online(m.sim, 2, true);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	assert_whole();
}

TEST_RANGE(test_a_freeze_by_another_program_is_seen_through_the_cpu_that_replaces, 1,
	   COUNT_OF(policies))
{
	start(policies[_i]);
	sim_set_cpu_online(m.sim, 0, false);
	sim_monitor_sample(&m);
	assert_whole();
	msr_poke(m.platform, 1, SIM_FREEZE_MSR, 1);
	sim_monitor_sample(&m);
	assert_contains(m.trouble.text, ": frozen by another program after ");
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"));
	msr_poke(m.platform, 1, SIM_FREEZE_MSR, 0);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	assert_whole();
}

/* Four CPUs share an L3: 0-3 and 4-7 of socket 0, 8-11 and 12-15 of socket 1. */
#define TURIN "turin,sockets=2,cpus=8,clock=virtual,latency=400,read=10,dram_read=5"

static void start_turin(void)
{
	sim_monitor_start(&m, .spec = TURIN, .view = {.groups = "cxl,latency,dram"});
	sim_monitor_sample(&m);
}

static void assert_turin_whole(void)
{
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	for (int socket = 0; socket < 2; socket++) {
		ck_assert_double_eq_tol(sim_monitor_value(&m, socket, -1, "cxl_read_latency_ns"),
					400, 1);
		ck_assert_double_eq_tol(sim_monitor_value(&m, socket, 0, "cxl_mem_read_MBps"), 10e3,
					1);
		ck_assert_double_eq_tol(sim_monitor_value(&m, socket, -1, "dram_read_MBps"), 5e3,
					1);
	}
}

static unsigned cpu_of(int socket, uint16_t type, unsigned id)
{
	return sim_monitor_unit(&m, socket, type, id)->cpu;
}

TEST(test_a_lost_cpu_of_an_l3_is_replaced_by_one_of_the_same_l3)
{
	start_turin();
	ck_assert_uint_eq(cpu_of(0, PMU_L3, 1), 4);
	sim_set_cpu_online(m.sim, 4, false);
	sim_monitor_sample(&m);
	assert_turin_whole();
	ck_assert_uint_eq(cpu_of(0, PMU_L3, 1), 5);
	ck_assert_uint_eq(cpu_of(0, PMU_L3, 0), 0);
	ck_assert_uint_eq(cpu_of(1, PMU_L3, 1), 12);
	ck_assert_uint_eq(cpu_of(0, PMU_DF, 0), 0);
}

/* The data fabric and the memory controllers are the socket's, its first L3 is not. */
TEST(test_a_cpu_that_reaches_several_kinds_of_units_is_replaced_for_all_of_them)
{
	start_turin();
	sim_set_cpu_online(m.sim, 0, false);
	sim_monitor_sample(&m);
	assert_turin_whole();
	for (unsigned cpu = 1; cpu < 4; cpu++) {
		ck_assert_uint_eq(cpu_of(0, PMU_L3, 0), cpu);
		ck_assert_uint_eq(cpu_of(0, PMU_DF, 0), cpu);
		ck_assert_uint_eq(cpu_of(0, PMU_UMC, 1), cpu);
		if (cpu == 3)
			break;
		sim_set_cpu_online(m.sim, cpu, false);
		sim_monitor_sample(&m);
		assert_turin_whole();
	}
	ck_assert_uint_eq(cpu_of(1, PMU_DF, 0), 8);
}

TEST(test_an_l3_without_cpus_is_never_read_through_those_of_another)
{
	start_turin();
	for (unsigned cpu = 0; cpu < 4; cpu++)
		sim_set_cpu_online(m.sim, cpu, false);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		/* units of the whole socket are read through the other L3's CPUs */
		ck_assert_double_eq_tol(sim_monitor_value(&m, 0, 0, "cxl_mem_read_MBps"), 10e3, 1);
		ck_assert_uint_gt(m.sample.lost_readings, 0);
		ck_assert_uint_lt(cpu_of(0, PMU_L3, 0), 4);
		ck_assert_uint_eq(cpu_of(0, PMU_DF, 0), 4);
	}
	sim_set_cpu_online(m.sim, 2, true);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	assert_turin_whole();
	ck_assert_uint_eq(cpu_of(0, PMU_L3, 0), 2);
}

TEST(test_the_registers_of_an_l3_are_restored_through_its_remaining_cpus)
{
	sim_monitor_open(&m, .spec = TURIN, .view = {.groups = "cxl,latency,dram"});
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	sim_set_cpu_online(m.sim, 0, false);
	sim_monitor_sample(&m);
	sim_set_cpu_online(m.sim, 1, false);
	sim_set_cpu_online(m.sim, 4, false);
	ck_assert_msg(!poller_stop(m.poller, &m.err), "%s", m.err.text);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}
