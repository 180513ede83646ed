/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/poller.h"

#include "allocations.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "sim_monitor.h"
#include "tests/ops_copy.h"
#include "unit.h"

#define MS	   UINT64_C(1000000) /* ns */
#define COUNTER_48 ((UINT64_C(1) << 48) - 1)
#define TRAFFIC	   "read=12.8,write=6.4,cache_d2h=0.64,cache_h2d=0.32,clock=virtual"
#define SPR	   "spr," TRAFFIC
#define GNR	   "gnr," TRAFFIC
#define READS	   200000000 /* lines per second */

static struct sim_monitor m;

/* Events of one second of TRAFFIC on each processor. */
static const struct rate {
	const char *spec;
	uint16_t type;
	const char *event;
	uint64_t events;
} rates[] = {
	{GNR, PMU_CXLCM, "RxC_PACK_BUF_INSERTS.MEM_DATA", READS},
	{GNR, PMU_CXLDP, "TxC_AGF_INSERTS.M2S_DATA", 100000000},
	{GNR, PMU_CXLCM, "RxC_PACK_BUF_INSERTS.CACHE_DATA", 10000000},
	{GNR, PMU_CXLCM, "TxC_PACK_BUF_INSERTS.CACHE_DATA", 5000000},
	{SPR, PMU_CXLDP, "TxC_AGF_INSERTS.M2S_REQ", READS},
	{SPR, PMU_CXLCM, "TxC_PACK_BUF_INSERTS.MEM_DATA", 200000000}, /* half lines */
	{SPR, PMU_CXLCM, "TxC_PACK_BUF_INSERTS.CACHE_DATA", 10000000},
};

static void assert_count(const struct count *count, uint64_t events, uint64_t time_running)
{
	ck_assert(count->known);
	ck_assert_uint_eq(count->events, events);
	ck_assert_uint_eq(count->time_running, time_running);
}

TEST_LOOP(test_sample_has_what_was_counted_since_the_one_before, COUNT(rates))
{
	const struct rate *rate = &rates[_i];

	sim_monitor_start(&m, .spec = rate->spec, .start_ns = 1);
	const struct unit *unit = sim_monitor_unit(&m, 0, rate->type, 1);

	for (unsigned k = 0; k < 5; k++) {
		sim_monitor_sample(&m);
		assert_count(sim_monitor_count(&m, unit, rate->event), rate->events, SECOND);
		ck_assert_uint_eq(m.sample.missed + m.sample.lost_readings + m.sample.frozen_ns, 0);
		ck_assert_int_eq(m.trouble.code, 0);
		ck_assert_str_eq(m.trouble.text, "");
	}
}

TEST(test_sample_carries_the_wall_clocks_time)
{
	sim_monitor_start(&m, .spec = GNR, .interval_ns = 250 * MS);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.wall_ns, UINT64_C(1767225600) * SECOND + 500 * MS);
}

/* The kernel also resets such a counter, which stops at the end of its range. */
TEST(test_counter_that_does_not_wrap_begins_anew_in_the_second_half_of_its_range)
{
	sim_monitor_start(&m, .spec = "turin,imcs=1,dram_read=12.8,clock=virtual",
			  .view.groups = "dram");
	const struct unit *umc = sim_monitor_unit(&m, 0, PMU_UMC, 0);
	const struct plan_unit *pu = &m.plan.units[0];
	const struct reg counter = m.plan.counters[pu->first_counter].reg;
	uint64_t value;

	for (unsigned i = 0; i < 4; i++)
		ck_assert_int_eq(
			sim_set_counter(m.sim, 0, PMU_UMC, 0, i, COUNTER_48 / 2 + 1 - READS / 2),
			0);
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		assert_count(sim_monitor_count(&m, umc, "umc_cas_cmd.rd"), READS, SECOND);
		ck_assert_str_eq(m.trouble.text, "");
	}
	ck_assert_int_eq(reg_read(m.platform, &counter, &value, NULL), 0);
	ck_assert_uint_lt(value, 3 * (uint64_t)READS);
}

/*
 * A counter saturates only while no reading resets it: in long suspensions, or if another program
 * writes it.
 */
TEST(test_a_saturated_counter_is_unknown_until_it_has_been_set_back)
{
	sim_monitor_start(&m, .spec = "turin,imcs=2,dram_read=25.6,clock=virtual",
			  .view.groups = "dram");
	const struct unit *umcs[] = {sim_monitor_unit(&m, 0, PMU_UMC, 0),
				     sim_monitor_unit(&m, 0, PMU_UMC, 1)};

	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, umcs[0], "umc_cas_cmd.rd"), READS, SECOND);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_int_eq(sim_set_counter(m.sim, 0, PMU_UMC, 0, i, COUNTER_48 - READS / 2),
				 0);
	for (unsigned k = 0; k < 4; k++) {
		sim_monitor_sample(&m);
		const bool known =
			k > 1; /* the reading after the first that finds it sets it to 0 */

		ck_assert_int_eq(sim_monitor_count(&m, umcs[0], "umc_cas_cmd.rd")->known, known);
		ck_assert_int_eq(sim_monitor_count(&m, umcs[0], "umc_cas_cmd.wr")->known, known);
		if (known)
			assert_count(sim_monitor_count(&m, umcs[0], "umc_cas_cmd.rd"), READS,
				     SECOND);
		assert_count(sim_monitor_count(&m, umcs[1], "umc_cas_cmd.rd"), READS, SECOND);
		ck_assert_int_eq(m.new_warning, !k);
		if (!k)
			ck_assert_str_eq(m.warning,
					 "socket 0 umc 0: a counter has saturated and "
					 "stopped; no values until it has been set to 0");
	}
}

/* A wrap would leave a bit in PerfCntrGlobalStatus, which the kernel takes for a fault. */
TEST(test_counters_of_amd_cpus_are_set_to_0_before_they_wrap)
{
	const uint64_t hour = 3600 * SECOND;
	uint64_t status, cycles = 0;

	sim_monitor_start(&m, .spec = "turin,cpus=1,clock=virtual", .view.groups = "core",
			  .interval_ns = hour);
	const struct unit *cpu = &m.machine.cpus[0];
	for (unsigned k = 0; k < 40; k++) { /* 48 bits last for 26 hours */
		sim_monitor_sample(&m);
		const struct count *count = sim_monitor_count(&m, cpu, "cycles");

		ck_assert(count->known);
		ck_assert(!cycles || count->events == cycles);
		cycles = count->events;
		ck_assert_str_eq(m.trouble.text, "");
		ck_assert_int_eq(raw_msr_read(m.platform, 0, 0xC0000300, &status), 0);
		ck_assert_uint_eq(status, 0);
	}
}

/* One complex: all of the traffic of two ports, in beats of 32 bytes. */
TEST(test_counters_that_start_one_after_the_other_have_a_time_of_their_own)
{
	const uint64_t beats = 800000000; /* beats per second */

	sim_monitor_start(&m, .spec = "venice,cpus=4,read=12.8,clock=virtual",
			  .interval_ns = 10 * MS, .access_ns = 1000);
	const struct unit *df = sim_monitor_unit(&m, 0, PMU_DF, 0);

	for (unsigned k = 0; k < 5; k++) {
		sim_monitor_sample(&m);
		const struct count *count = sim_monitor_count(&m, df, "ccm_cxl_read_data_beats_0");

		ck_assert(count->known);
		ck_assert_uint_lt(count->time_running, 6 * MS);
		const uint64_t expected = count->time_running * (beats / 1000000) / 1000;
		ck_assert_uint_ge(count->events + 1, expected);
		ck_assert_uint_le(count->events, expected + 1);
	}
}

static void set_dead(const struct unit *unit, bool dead)
{
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, unit->type, unit->id, dead), 0);
}

TEST(test_every_lost_unit_is_counted_and_the_first_named)
{
	sim_monitor_start(&m, .spec = GNR);
	set_dead(sim_monitor_unit(&m, 0, PMU_CXLCM, 0), true);
	set_dead(sim_monitor_unit(&m, 0, PMU_CXLCM, 1), true);
	set_dead(sim_monitor_unit(&m, 0, PMU_CXLDP, 1), true);
	sim_monitor_sample_failing(&m, 3);
	ck_assert_ptr_nonnull(strstr(m.trouble.text, "socket 0 cxlcm 2"));
}

/*
 * A platform whose memory sometimes reads as all ones, but takes writes, and which counts them.
 */
static struct {
	const struct platform_ops *real;
	struct ops_copy ops;
	uint64_t deaf_phys; /* counters of this page read as all ones */
	unsigned frozen;    /* so many reads more find the socket frozen */
	unsigned writes;
} between;

static int deaf_read(struct platform *p, const struct reg *reg, uint64_t *value)
{
	int rc = between.real->registers->read(p, reg, value);

	if (reg->space == REG_MMIO && reg->window->phys == between.deaf_phys &&
	    reg->address - reg->window->phys >= CXL_COUNTER(0))
		*value = UINT64_MAX;
	if (reg->space == REG_MSR && reg->address == SIM_FREEZE_MSR && between.frozen) {
		*value |= UNIT_CTL_FREEZE;
		between.frozen--;
	}
	return rc;
}

static int counted_write(struct platform *p, const struct reg *reg, uint64_t value)
{
	between.writes++;
	return between.real->registers->write(p, reg, value);
}

static void step_between(struct platform *p)
{
	between.real = p->ops;
	ops_copy_init(&between.ops, p->ops);
	between.ops.registers.read = deaf_read;
	between.ops.registers.write = counted_write;
	between.deaf_phys = 0;
	between.frozen = between.writes = 0;
	p->ops = &between.ops.ops;
}

TEST(test_unit_that_can_not_be_read_at_the_start_counts_from_the_start)
{
	sim_monitor_open(&m, .spec = GNR);
	const struct unit *cxlcm = sim_monitor_unit(&m, 0, PMU_CXLCM, 0);

	pass_time(m.platform, 1000 * SECOND); /* the machine has been up for a while */
	step_between(m.platform);
	between.deaf_phys = SIM_CXLCM(0, 0);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	between.deaf_phys = 0;
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, cxlcm, "RxC_PACK_BUF_INSERTS.MEM_DATA"), READS, SECOND);
}

/* Another program that reads counters freezes them for less than a millisecond. */
TEST(test_a_freeze_that_ends_while_it_is_looked_at_is_no_freeze)
{
	sim_monitor_start(&m, .spec = GNR);
	step_between(m.platform);
	between.frozen = 3;
	sim_monitor_sample(&m);
	ck_assert_uint_eq(between.frozen, 0);
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLCM, 0),
				       "RxC_PACK_BUF_INSERTS.MEM_DATA"),
		     READS, SECOND);
}

static const struct {
	const char *spec;
	enum freeze_policy freeze;
	unsigned writes; /* a sample, for two ports of two units */
} policies[] = {
	{GNR, FREEZE_AUTO, 8},	{SPR, FREEZE_AUTO, 8},	{GNR, FREEZE_ALWAYS, 8},
	{GNR, FREEZE_NEVER, 0}, {SPR, FREEZE_NEVER, 0},
};

TEST_LOOP(test_sample_writes_only_what_stops_and_starts_its_units, COUNT(policies))
{
	sim_monitor_start(&m, .spec = policies[_i].spec, .freeze = policies[_i].freeze);
	step_between(m.platform);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(between.writes, policies[_i].writes);
}

/* One port of GNR: a CXLCM with three counters, and a CXLDP with one. */
#define ONE_PORT "gnr,ports=1,read=32,write=16,clock=virtual"

TEST(test_frozen_time_is_reported_and_not_counted)
{
	const uint64_t access = 1000, cm_frozen = 4 * access, dp_frozen = 2 * access;

	sim_monitor_start(&m, .spec = ONE_PORT, .start_ns = 1, .access_ns = access);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.frozen_ns, cm_frozen);
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLCM, 0),
				       "RxC_PACK_BUF_INSERTS.MEM_DATA"),
		     500000000 - cm_frozen / 2, SECOND - cm_frozen);
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLDP, 0), "M2S_DATA"),
		     250000000 - dp_frozen / 4, SECOND - dp_frozen);
}

TEST(test_counters_that_are_never_frozen_count_all_the_time)
{
	sim_monitor_start(&m, .spec = ONE_PORT, .freeze = FREEZE_NEVER, .start_ns = 1,
			  .access_ns = 1000);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.frozen_ns, 0);
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLCM, 0),
				       "RxC_PACK_BUF_INSERTS.MEM_DATA"),
		     500000000, SECOND);
}

/* The time of an access changes when counters are read, but no rate. */
TEST(test_counters_that_run_while_read_have_their_own_times)
{
	sim_monitor_start(&m, .spec = ONE_PORT, .freeze = FREEZE_NEVER, .start_ns = 1,
			  .access_ns = 1000);
	sim_monitor_sample(&m);
	sim_set_access_time(m.sim, 3000);
	sim_monitor_sample(&m);
	for (size_t s = 0; s < 3; s++) {
		ck_assert_uint_eq(m.sample.counts[s].time_running, SECOND + (s + 1) * 2000);
		ck_assert_uint_eq(m.sample.counts[s].time_enabled, m.sample.counts[s].time_running);
	}
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLCM, 0),
				       "RxC_PACK_BUF_INSERTS.MEM_DATA"),
		     m.sample.counts[0].time_running / 2, m.sample.counts[0].time_running);
}

TEST(test_read_skew_survives_a_frame_that_is_left_out)
{
	sim_monitor_start(&m, .spec = ONE_PORT, .freeze = FREEZE_NEVER, .start_ns = 1,
			  .access_ns = 1000);
	sim_monitor_sample(&m);
	sim_set_access_time(m.sim, 3000);
	pass_time(m.platform, SECOND);
	ck_assert_int_eq(poller_read(m.poller, READ_SAMPLE, &m.err), 0);
	sim_monitor_sample(&m);
	for (size_t s = 0; s < 3; s++) {
		ck_assert_uint_eq(m.sample.counts[s].time_running, 2 * SECOND + (s + 1) * 2000);
		ck_assert_uint_eq(m.sample.counts[s].time_enabled, m.sample.counts[s].time_running);
	}
}

/* A CXLCM is frozen for 4 us: a twentieth of 80. */
static const struct {
	enum freeze_policy freeze;
	uint64_t interval_ns, frozen_ns;
} choices[] = {
	{FREEZE_AUTO, 80000, 4000},   {FREEZE_AUTO, 79980, 0},	  {FREEZE_UNITS, 79980, 0},
	{FREEZE_ALWAYS, 79980, 4000}, {FREEZE_NEVER, 10 * MS, 0},
};

TEST_LOOP(test_counters_are_frozen_until_that_takes_a_twentieth_of_an_interval, COUNT(choices))
{
	sim_monitor_start(&m, .spec = ONE_PORT, .freeze = choices[_i].freeze,
			  .interval_ns = choices[_i].interval_ns, .start_ns = 1, .access_ns = 1000);
	const struct unit *cxlcm = sim_monitor_unit(&m, 0, PMU_CXLCM, 0);
	const uint64_t counted = choices[_i].interval_ns - choices[_i].frozen_ns;

	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.frozen_ns, choices[_i].frozen_ns);
	assert_count(sim_monitor_count(&m, cxlcm, "RxC_PACK_BUF_INSERTS.MEM_DATA"), counted / 2,
		     counted);
}

/* A socket that was frozen to be programmed runs, and is restored at the end. */
TEST(test_a_socket_that_is_not_frozen_any_more_is_restored)
{
	sim_monitor_open(&m, .spec = SPR, .view.groups = "cxl,latency", .interval_ns = MS,
			 .access_ns = 10000);
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert(m.plan.global_freeze);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	ck_assert(!m.pmu.global_freeze);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.lost_readings + m.sample.frozen_ns, 0);
	}
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST(test_slow_machine_reports_the_deadlines_it_missed)
{
	/* a reading takes 10 accesses of 1 ms, an interval is 0.1 ms */
	sim_monitor_start(&m, .spec = ONE_PORT, .freeze = FREEZE_ALWAYS, .interval_ns = MS / 10,
			  .access_ns = MS);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 0);
	for (unsigned k = 0; k < 3; k++) {
		/* 100 deadlines later, of which this one serves the first */
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.missed, 99);
	}
}

TEST(test_lateness_does_not_move_later_samples)
{
	sim_monitor_start(&m, .spec = ONE_PORT, .access_ns = 10 * MS);
	const uint64_t start = m.platform->ops->clock->now(m.platform);

	for (uint64_t k = 1; k <= 10; k++) {
		const uint64_t before = start + k * SECOND;
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.missed, 0);
		/* 8 accesses read it, 12 compare the controls, 3 look whether it is frozen */
		ck_assert_uint_eq(m.platform->ops->clock->now(m.platform), before + 230 * MS);
	}
}

TEST(test_pending_signal_ends_the_wait_and_says_which_it_was)
{
	int signal_number = 0;
	sigset_t wake;

	sigemptyset(&wake);
	sigaddset(&wake, SIGUSR2);
	sigprocmask(SIG_BLOCK, &wake, NULL);
	sim_monitor_start(&m, .spec = GNR);
	raise(SIGUSR2);
	ck_assert_int_eq(sim_monitor_wait(&m, &wake, &signal_number), -EINTR);
	ck_assert_int_eq(signal_number, SIGUSR2);
	ck_assert_int_eq(sim_monitor_wait(&m, &wake, &signal_number), 0);
	ck_assert_uint_eq(m.platform->ops->clock->now(m.platform), SECOND);
}

TEST(test_early_sample_does_not_change_the_deadline)
{
	sim_monitor_start(&m, .spec = GNR);
	const struct unit *cxldp = sim_monitor_unit(&m, 0, PMU_CXLDP, 0);

	pass_time(m.platform, 300 * MS);
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	assert_count(sim_monitor_count(&m, cxldp, "M2S_DATA"), 30000000, 300 * MS);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, cxldp, "M2S_DATA"), 70000000, 700 * MS);
	ck_assert_uint_eq(m.sample.missed, 0);
	ck_assert_uint_eq(m.platform->ops->clock->now(m.platform), SECOND);
}

static const char *const machines[] = {SPR, GNR, "spr,sockets=2,ports=4," TRAFFIC, "srf," TRAFFIC};

TEST_LOOP(test_freeing_a_running_poller_restores_registers, COUNT(machines))
{
	sim_monitor_open(&m, .spec = machines[_i]);
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	poller_free(m.poller);
	m.poller = NULL;
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST(test_stopped_poller_can_start_again)
{
	sim_monitor_start(&m, .spec = GNR);
	sim_monitor_sample(&m);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	pass_time(m.platform, 100 * SECOND);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLDP, 0), "M2S_DATA"),
		     100000000, SECOND);
}

TEST(test_unit_in_use_stops_the_start_before_anything_is_written)
{
	sim_monitor_open(&m, .spec = GNR);
	memory_poke(m.platform, SIM_CXLDP(0, 1) + CXL_CONTROL(3), 8, 0x0101);
	step_between(m.platform);
	ck_assert_int_eq(sim_monitor_begin(&m), -EBUSY);
	ck_assert_uint_eq(between.writes, 0);
}

/*
 * Events of a plan that needs MSRs, so that the socket is frozen as a whole: a CHA with a port's
 * units.
 */
static const struct event cha_clock = {"CHA_CLOCKTICKS", PMU_CHA, 0x01, 0, 0, 0xF};
static const struct event reads = {"M2S_REQ", PMU_CXLDP, 0x02, 0x10, 0, 0xF};

static uint64_t open_with_cha(uint64_t access_ns)
{
	sim_monitor_machine(&m, "spr,read=32,clock=virtual");
	const struct request requests[] = {
		{sim_monitor_unit(&m, 0, PMU_CHA, 3), &cha_clock},
		{sim_monitor_unit(&m, 0, PMU_CXLDP, 0), &reads},
	};

	sim_monitor_poller(&m, requests, 2, .access_ns = access_ns);
	ck_assert(m.plan.global_freeze);
	return sim_state_hash(m.sim);
}

TEST(test_units_of_a_socket_are_frozen_together)
{
	const uint64_t frozen = 4000; /* three readings and the write that ends it */

	open_with_cha(1000);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.frozen_ns, frozen);
	assert_count(&m.sample.counts[m.plan.counter_of_request[0]], 2 * (SECOND - frozen),
		     SECOND - frozen);
	assert_count(&m.sample.counts[m.plan.counter_of_request[1]], (SECOND - frozen) / 2,
		     SECOND - frozen);
}

static void break_freeze(struct sim *sim, bool broken)
{
	sim_set_msr_fault(sim, SIM_FREEZE_MSR, broken ? -EIO : 0);
}

TEST(test_writes_that_are_refused_end_the_sampling_and_registers_are_restored)
{
	const uint64_t hash = open_with_cha(0);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_monitor_sample(&m);
	sim_set_writes_refused(m.sim, true);
	ck_assert_int_eq(sim_monitor_take(&m), -EPERM);
	ck_assert_int_eq(m.err.kind, ERROR_PERMISSION);
	ck_assert_ptr_nonnull(strstr(m.err.text, "msr 0x2ff0"));
	sim_set_writes_refused(m.sim, false);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

static void assert_reads(const struct unit *port, double seconds)
{
	const struct count *count = sim_monitor_count(&m, port, "M2S_REQ");

	ck_assert(count->known);
	ck_assert_double_eq_tol((double)count->events / ((double)count->time_running / 1e9),
				(double)SECOND / 2, 10);
	ck_assert_double_eq_tol((double)count->time_running / 1e9, seconds, 0.001);
}

TEST(test_a_passing_fault_of_the_freeze_register_leaves_values_empty_and_loses_none)
{
	const uint64_t hash = open_with_cha(0);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	const struct unit *port = sim_monitor_unit(&m, 0, PMU_CXLDP, 0);
	sim_monitor_sample(&m);
	unsigned warnings = 0;
	break_freeze(m.sim, true);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert(!sim_monitor_count(&m, port, "M2S_REQ")->known);
		ck_assert_uint_eq(m.sample.lost_readings, 2);
		assert_contains(m.trouble.text, "cannot be frozen");
		warnings += m.new_warning;
	}
	ck_assert_uint_eq(warnings, 1);
	break_freeze(m.sim, false);
	sim_monitor_sample(&m);
	assert_reads(port, 4);
	sim_monitor_sample(&m);
	assert_reads(port, 1);
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

static struct {
	const struct platform_ops *inner;
	struct ops_copy ops;
	unsigned writes; /* writes of the freeze register until one fails */
} faulty;

static int write_faulty(struct platform *p, const struct reg *reg, uint64_t value)
{
	if (reg->space == REG_MSR && reg->address == SIM_FREEZE_MSR && faulty.writes &&
	    !--faulty.writes)
		return -EIO;
	return faulty.inner->registers->write(p, reg, value);
}

TEST(test_counters_that_could_not_be_unfrozen_count_no_time_until_they_are)
{
	open_with_cha(0);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	const struct unit *port = sim_monitor_unit(&m, 0, PMU_CXLDP, 0);
	sim_monitor_sample(&m);
	faulty.inner = m.platform->ops;
	ops_copy_init(&faulty.ops, m.platform->ops);
	faulty.ops.registers.write = write_faulty;
	m.platform->ops = &faulty.ops.ops;
	faulty.writes = 2;
	sim_monitor_sample(&m);
	ck_assert(!sim_monitor_count(&m, port, "M2S_REQ")->known);
	sim_monitor_sample(&m); /* the counters stood still, and the previous second is shown */
	assert_reads(port, 1);
	sim_monitor_sample(&m);
	assert_reads(port, 1);
	m.platform->ops = faulty.inner;
}

TEST(test_units_are_restored_though_the_freeze_register_keeps_failing)
{
	const uint64_t hash = open_with_cha(0);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	break_freeze(m.sim, true);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), -EIO);
	ck_assert_ptr_nonnull(strstr(m.err.text, "msr 0x2ff0"));
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

TEST(test_a_stop_that_failed_restores_the_rest_when_called_again)
{
	const uint64_t hash = open_with_cha(0);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_set_msr_fault(m.sim, SIM_CHA(3) + 2, -EIO);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), -EIO);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), -EIO);
	ck_assert_uint_ne(sim_state_hash(m.sim), hash);
	sim_set_msr_fault(m.sim, 0, 0);
	ck_assert_msg(!poller_stop(m.poller, &m.err), "%s", m.err.text);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
	/* the register now belongs to another program */
	msr_poke(m.platform, 0, SIM_CHA(3) + 2, 0x1135);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(msr_peek(m.platform, 0, SIM_CHA(3) + 2), 0x1135);
}

TEST(test_start_restores_first_what_the_last_stop_could_not)
{
	const uint64_t hash = open_with_cha(0);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	sim_set_writes_refused(m.sim, true);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), -EPERM);
	ck_assert_int_eq(sim_monitor_begin(&m), -EPERM);
	sim_set_writes_refused(m.sim, false);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

/* Memory is short before or after registers were programmed. */
TEST(test_a_start_that_lacks_memory_restores_registers)
{
	const uint64_t hash = open_with_cha(0);
	size_t nth = 0;
	int rc;

	do {
		allocations_fail(++nth);
		rc = poller_start(m.poller, &m.err);
		allocations_fail(0);
		ck_assert(rc == 0 || rc == -ENOMEM);
		ck_assert_int_eq(sim_state_hash(m.sim) == hash, rc != 0);
	} while (rc);
	ck_assert_uint_gt(nth, 6);
}

TEST(test_counter_that_can_not_be_read_is_named)
{
	open_with_cha(0);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	for (unsigned i = 0; i < 4; i++) {
		sim_set_msr_fault(m.sim, SIM_CHA(3) + 8 + i, -EIO);
		sim_monitor_sample(&m);
		const bool known = m.sample.counts[m.plan.counter_of_request[0]].known;

		ck_assert_uint_eq(m.sample.lost_readings, known ? 0 : 1);
		ck_assert_int_eq(!strstr(m.trouble.text, "msr 0x2038"), known);
		ck_assert_int_eq(known, i != 0); /* its event is on the first counter */
	}
}

TEST(test_socket_left_frozen_is_unfrozen_for_the_run_and_restored)
{
	sim_monitor_open(&m, .spec = SPR);
	msr_poke(m.platform, 0, SIM_FREEZE_MSR, 1);
	const uint64_t hash = sim_state_hash(m.sim);

	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	ck_assert_uint_eq(m.warnings, 1);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, PMU_CXLDP, 0), "M2S_REQ"), READS,
		     SECOND);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

/* An hour in which occupancy counters pass their range many times. */
static const enum latency_policy latency_policies[] = {LATENCY_SPATIAL, LATENCY_ROTATE};

TEST_LOOP(test_no_counter_passes_half_of_its_range_however_long_an_interval_is,
	  COUNT(latency_policies))
{
	sim_monitor_start(&m,
			  .spec = "spr,chas=16,read=60,dram_read=200,latency=900,ddr_latency=900,"
				  "clock=virtual",
			  .view = {.groups = "latency", .latency = latency_policies[_i]},
			  .interval_ns = 3600 * SECOND);
	m.warnings = 0;
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.missed + m.sample.lost_readings, 0);
		ck_assert_ptr_null(m.sample.warning);
		ck_assert_double_eq(sim_monitor_row(&m, 0, -1)->interval_s, 3600);
		ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"), 900,
					0.01);
		ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "ddr_local_read_latency_ns"),
					900, 0.01);
	}
}

TEST(test_another_interval_loses_no_count)
{
	sim_monitor_start(&m, .spec = GNR, .start_ns = 1);
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);
	const char *event = "RxC_PACK_BUF_INSERTS.MEM_DATA";

	pass_time(m.platform, SECOND / 4);
	poller_set_interval(m.poller, SECOND / 2);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, event), READS / 2, SECOND / 2);
	pass_time(m.platform, SECOND / 4);
	poller_set_interval(m.poller, SECOND / 8);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, event), READS / 4, SECOND / 4);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, event), READS / 8, SECOND / 8);
	ck_assert_uint_eq(m.sample.missed, 0);
}
