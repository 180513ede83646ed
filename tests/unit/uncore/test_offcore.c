/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of CXL memory by CPU: registers that the threads of a core share with each other, and with
 * other programs.
 */
#include "uncore/offcore.h"
#include "uncore/units/core_unit.h"

#include "msr/core_pmu.h"
#include "sim_monitor.h"
#include "unit.h"

#define SPEC   "gnr,sockets=2,cpus=4,threads=2,ports=1,read=6.4,clock=virtual"
#define LOCAL  UINT64_C(0x700C04477)
#define REMOTE UINT64_C(0x703004477)
#define OTHER  UINT64_C(0x10001)
#define RSP_0  IA32_OFFCORE_RSP_0
#define RSP_1  (IA32_OFFCORE_RSP_0 + 1)

static struct sim_monitor m;

static void set_up(void)
{
	sim_monitor_machine(&m, SPEC);
}

/* Starts -m core --per=cpu on the machine, and takes a sample. */
static void measure(void)
{
	sim_monitor_measure(&m, .view.groups = "core");
	sim_monitor_sample(&m);
}

static double local_of(const struct row *row)
{
	return sim_monitor_cell(&m, row, "cxl_read_local_MBps")->number;
}

static double remote_of(const struct row *row)
{
	return sim_monitor_cell(&m, row, "cxl_read_remote_MBps")->number;
}

/*
 * Checks a CPU's reads: each socket reads 6400 MB/s, CPU 0 a tenth of it, CPU 3 four tenths; a
 * quarter is remote.
 */
static void assert_cpu_reads(unsigned cpu)
{
	const struct row *row = sim_monitor_cpu_row(&m, (int)cpu);

	ck_assert_double_eq_tol(local_of(row), 480 * (cpu % 4 + 1), 1e-6);
	ck_assert_double_eq_tol(remote_of(row), 160 * (cpu % 4 + 1), 1e-6);
}

FIXTURE(set_up, NULL)

TEST(test_reads_of_cxl_memory_are_shown_by_cpu_and_summed)
{
	const uint64_t hash = sim_state_hash(m.sim);

	measure();
	for (unsigned cpu = 0; cpu < 8; cpu++)
		assert_cpu_reads(cpu);
	for (int socket = -1; socket < 2; socket++) {
		const struct row *row = sim_monitor_row(&m, socket, -1);

		ck_assert_double_eq_tol(local_of(row), socket < 0 ? 9600 : 4800, 1e-6);
		ck_assert_double_eq_tol(remote_of(row), socket < 0 ? 3200 : 1600, 1e-6);
		ck_assert_double_eq(row->counted_pct, 100);
	}
	ck_assert_uint_eq(m.warnings, 0);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST_LOOP(test_a_register_that_somebody_else_has_set_is_left_alone_and_the_other_one_is_used, 2)
{
	const bool second = _i;
	static const struct event only_local = {.offcore_rsp = LOCAL};

	msr_poke(m.platform, 2, RSP_0 + second, OTHER);
	ck_assert_int_eq(unit_open(m.platform, &m.machine.cpus[3], &m.err), 0);
	ck_assert_int_eq(offcore_claim(&m.machine, &m.machine.cpus[3], &only_local, &m.err), 0);
	ck_assert_uint_eq(m.machine.cpus[3].core->offcore[!second], LOCAL);
	ck_assert_uint_eq(m.machine.cpus[3].core->offcore[second], 0);
}

TEST(test_where_one_register_is_left_the_second_value_is_empty_and_said_so)
{
	msr_poke(m.platform, 2, RSP_0, OTHER);
	const uint64_t hash = sim_state_hash(m.sim);

	measure();
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		const struct row *row = sim_monitor_cpu_row(&m, (int)cpu);

		if (cpu / 2 != 1) {
			assert_cpu_reads(cpu);
			continue;
		}
		/* both threads, by the second register */
		ck_assert_double_eq_tol(local_of(row), 480 * (cpu + 1), 1e-6);
		ck_assert_double_nan(remote_of(row));
		ck_assert_double_eq(sim_monitor_cell(&m, row, "ipc")->number, 1.25);
	}
	/* a sum without them would be too small */
	ck_assert_double_nan(remote_of(sim_monitor_row(&m, 0, -1)));
	ck_assert_double_eq_tol(remote_of(sim_monitor_row(&m, 1, -1)), 1600, 1e-6);
	ck_assert_uint_eq(m.warnings, 1);
	assert_contains(m.warning, "2 values cannot be counted");
	assert_contains(m.warning, "IA32_OFFCORE_RSP_0 holds 0x10001");
	ck_assert_uint_eq(msr_peek(m.platform, 3, RSP_0), OTHER);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST(test_a_register_that_holds_the_value_already_is_used_as_it_is)
{
	msr_poke(m.platform, 0, RSP_1, LOCAL);
	const uint64_t hash = sim_state_hash(m.sim);

	measure();
	for (unsigned cpu = 0; cpu < 8; cpu++)
		assert_cpu_reads(cpu);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST(test_with_force_what_others_have_set_is_taken_and_put_back)
{
	machine_set_ownership(&m.machine, OWNERSHIP_FORCE);
	msr_poke(m.platform, 2, RSP_0, OTHER);
	msr_poke(m.platform, 2, RSP_1, OTHER + 1);
	const uint64_t hash = sim_state_hash(m.sim);

	measure();
	for (unsigned cpu = 0; cpu < 8; cpu++)
		assert_cpu_reads(cpu);
	assert_contains(m.warning, "IA32_OFFCORE_RSP_0 is in use (it holds 0x10001)");
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST(test_a_thread_takes_nothing_that_the_other_one_plans_to_use)
{
	static const struct event events[] = {{.name = "a", .offcore_rsp = LOCAL},
					      {.name = "b", .offcore_rsp = REMOTE},
					      {.name = "c", .offcore_rsp = OTHER}};
	struct unit *cpus = m.machine.cpus;

	machine_set_ownership(&m.machine, OWNERSHIP_FORCE);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(unit_open(m.platform, &cpus[i], &m.err), 0);
	ck_assert_int_eq(offcore_claim(&m.machine, &cpus[0], &events[0], &m.err), 0);
	ck_assert_int_eq(offcore_claim(&m.machine, &cpus[1], &events[1], &m.err), 0);
	ck_assert_uint_eq(cpus[0].core->offcore[0], LOCAL);
	ck_assert_uint_eq(cpus[1].core->offcore[1], REMOTE);
	ck_assert_int_eq(offcore_claim(&m.machine, &cpus[0], &events[2], &m.err), -ENOSPC);
	ck_assert_int_eq(m.err.kind, ERROR_USAGE);
	/* another core has its own */
	ck_assert_int_eq(offcore_claim(&m.machine, &cpus[2], &events[2], &m.err), 0);
	/* the same value is shared, and the event has the register's number */
	ck_assert_int_eq(offcore_claim(&m.machine, &cpus[0], &events[1], &m.err), 0);
	ck_assert_uint_eq(cpus[0].core->offcore[1], REMOTE);
	ck_assert_uint_eq(
		unit_event_control(
			&cpus[0], &(struct event){.code = 0x2A, .umask = 1, .offcore_rsp = REMOTE}),
		0x12B);
	ck_assert_uint_eq(
		unit_event_control(&cpus[0],
				   &(struct event){.code = 0x2A, .umask = 1, .offcore_rsp = LOCAL}),
		0x12A);
}

TEST(test_a_register_that_is_changed_in_a_run_is_noticed)
{
	measure();
	const struct unit *unit = &m.machine.cpus[0];
	const struct plan_unit *pu = m.plan.units;

	while (pu->unit != unit)
		pu++;
	const uint64_t *controls = m.plan.rounds[pu->first_round].controls;

	ck_assert(unit_controls_intact(m.platform, unit, controls));
	msr_poke(m.platform, 1, RSP_1, OTHER);
	ck_assert(!unit_controls_intact(m.platform, unit, controls));
}

TEST(test_without_such_registers_the_rest_is_measured)
{
	sim_set_msr_fault(m.sim, RSP_0, -EIO);
	measure();
	const struct row *row = sim_monitor_cpu_row(&m, 0);

	ck_assert_double_nan(local_of(row));
	ck_assert_double_nan(remote_of(row));
	ck_assert_double_eq(sim_monitor_cell(&m, row, "ipc")->number, 1.25);
	ck_assert_uint_eq(m.warnings, 1);
}
