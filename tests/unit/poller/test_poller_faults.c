/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults in the middle of a reading, or for hours: a count is right, or absent. */

#include "platform/clock.h"
#include "platform/guard.h"
#include "poller/poller.h"
#include "sim_monitor.h"
#include "tests/ops_copy.h"
#include "unit.h"

#define MS   UINT64_C(1000000) /* ns */
#define HOUR (3600 * SECOND)
#define SPR  "spr,cpus=4,chas=4,rxc=1,read=12.8,write=6.4,cache_d2h=0.64,full=12.5,clock=virtual"

static const struct event cha_clock = {"CHA_CLOCKTICKS", PMU_CHA, 0x01, 0, 0, 0xF};

/* Events of one second of SPR's traffic. */
static const struct {
	const char *event;
	uint64_t per_second;
} rx[] = {
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", 200000000},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_REQ", 100000000},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA", 10000000},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_DATA", 125000000},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_REQ", 125000000},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.MEM_DATA", 175000000},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.MEM_REQ", 175000000},
	{"UNC_CXLCM_RxC_FLITS.VALID", 395000000},
	{"UNC_CXLCM_RxC_FLITS.PROT", 395000000},
};

#define NINE COUNT_OF(rx)

static struct sim_monitor m;
static struct request requests[2 * COUNT_OF(rx) + 4];

static const struct count *count_of(unsigned request)
{
	return &m.sample.counts[m.plan.counter_of_request[request]];
}

static void assert_rate(unsigned request, double tolerance)
{
	const struct count *count = count_of(request);
	const double expected =
		(double)rx[request % NINE].per_second * (double)count->time_running / 1e9;

	ck_assert_double_eq_tol((double)count->events, expected, expected * tolerance + 1);
}

/* Nine Rx events on each of two ports, in three rounds, and the clocks of four CHAs. */
static void open_socket(const struct sim_setup *setup)
{
	size_t count = 0;

	sim_monitor_machine(&m, SPR);
	for (unsigned i = 0; i < 2 * NINE; i++)
		requests[count++] = (struct request){
			.unit = sim_monitor_unit(&m, 0, PMU_CXLCM, i / NINE),
			.event = model_event(m.machine.model, rx[i % NINE].event),
		};
	for (unsigned i = 0; i < 4; i++)
		requests[count++] =
			(struct request){sim_monitor_unit(&m, 0, PMU_CHA, i), &cha_clock};
	sim_monitor_poller_as(&m, requests, count, setup);
	ck_assert(m.plan.global_freeze);
}

static void start(void)
{
	ck_assert_msg(!sim_monitor_begin(&m), "%s", m.err.text);
}

/* A unit counts from its rotation to its next reading, independently of others in its domain. */
TEST(test_units_that_rotate_while_they_run_have_each_a_time_of_their_own)
{
	open_socket(
		&(struct sim_setup){.interval_ns = 60 * MS, .start_ns = 1, .access_ns = 300000});
	start();
	ck_assert(!m.pmu.domains[0].freezes);
	sim_monitor_sample(&m);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < 2 * NINE; i++)
			assert_rate(i, 0.001);
	}
}

TEST(test_a_cpu_that_goes_offline_in_a_rotation_that_runs_mixes_no_rounds)
{
	open_socket(
		&(struct sim_setup){.interval_ns = 60 * MS, .start_ns = 1, .access_ns = 300000});
	start();
	ck_assert(!m.pmu.domains[0].freezes);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	sim_set_cpu_online(m.sim, 0, false);
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < 2 * NINE; i++)
			if (count_of(i)->known)
				assert_rate(i, 0.03);
		ck_assert_uint_eq(m.sample.lost_readings, 0);
	}
}

static struct {
	const struct platform_ops *inner;
	struct ops_copy ops;
	unsigned writes; /* writes until a CPU goes offline */
} failing;

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	if (reg->space == REG_MSR && failing.writes && !--failing.writes)
		sim_set_cpu_online(m.sim, 0, false);
	return failing.inner->registers->write(p, reg, value);
}

/* The nth write of a rotation is the first that fails: some units have rotated, others not. */
TEST_RANGE(test_a_cpu_that_goes_offline_at_any_write_mixes_no_rounds, 1, 29)
{
	static const uint64_t per_second = 2000000000;
	static const unsigned chas = 4, events = 6;
	static struct event clocks[4 * 6];
	static struct request wanted[4 * 6];

	sim_monitor_machine(&m, SPR);
	for (unsigned i = 0; i < chas * events; i++) {
		clocks[i] = cha_clock;
		/* both rounds count the clock with different controls: a threshold of 0 or 1 */
		clocks[i].modifiers = i % events / 3 << 24;
		wanted[i] = (struct request){.unit = sim_monitor_unit(&m, 0, PMU_CHA, i / events),
					     .event = &clocks[i],
					     .group = 1 + i % events / 3};
	}
	sim_monitor_poller(&m, wanted, chas * events, .interval_ns = 2 * SECOND, .start_ns = 1);
	start();
	failing.inner = m.platform->ops;
	ops_copy_init(&failing.ops, failing.inner);
	failing.ops.registers.write = write_register;
	failing.ops.registers.write_prepared = NULL;
	failing.ops.registers.read_prepared = NULL;
	m.platform->ops = &failing.ops.ops;
	sim_monitor_sample(&m);
	failing.writes = (unsigned)_i;
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < chas * events; i++) {
			const struct count *count = count_of(i);

			if (count->known)
				ck_assert_uint_eq(count->events,
						  count->time_running * (per_second / SECOND));
		}
	}
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	ck_assert_uint_eq(failing.writes, 0);
}

/* A counter of 48 bits passes half its range within a day. */
TEST(test_hours_without_room_lose_nothing)
{
	enum read_reason due;
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	sim_monitor_start(&m, .spec = "spr,chas=2,latency=400,read=12.8,clock=virtual",
			  .view = {.groups = "cxl,latency"}, .interval_ns = 10 * SECOND,
			  .start_ns = 1);
	while (m.platform->ops->clock->now(m.platform) < 40 * HOUR) {
		ck_assert_int_eq(poller_wait(m.poller, &none, &signal_number, &due, &m.err), 0);
		poller_skip(m.poller, due);
	}
	sim_monitor_sample_failing(&m, 0);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"), 400, 0.1);
}

TEST(test_an_interval_of_days_loses_nothing)
{
	sim_monitor_start(&m, .spec = "spr,chas=2,latency=400,read=12.8,clock=virtual",
			  .view = {.groups = "cxl,latency"}, .interval_ns = 40 * HOUR,
			  .start_ns = 1);
	sim_monitor_sample_failing(&m, 0);
	ck_assert_double_eq_tol(sim_monitor_value(&m, 0, -1, "cxl_read_latency_ns"), 400, 0.1);
}

/* Checks a unit that another program has stopped while it did not respond. */
TEST_LOOP(test_a_unit_stopped_while_it_does_not_answer_is_no_zero, 3)
{
	sim_monitor_start(&m, .spec = "gnr,read=12.8,clock=virtual", .interval_ns = SECOND / 10,
			  .start_ns = 1);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);

	for (unsigned i = 0; i < 8; i++)
		memory_poke(m.platform, SIM_CXLCM(0, 1) + CXL_CONTROL(i), 8, 0);
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, true);
	for (int k = 0; k <= _i; k++)
		sim_monitor_sample(&m);
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, false);
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample_failing(&m, 1);
		ck_assert_int_eq(m.trouble.code, -EBUSY);
	}
	/* its controls were free, so that it was programmed again */
	sim_monitor_sample_failing(&m, 0);
}

TEST(test_a_suspension_between_samples_costs_no_rotation)
{
	enum read_reason due;
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	open_socket(&(struct sim_setup){.interval_ns = 3 * SECOND, .start_ns = 1});
	start();
	sim_suspend(m.sim, 5 * SECOND);
	ck_assert_int_eq(poller_wait(m.poller, &none, &signal_number, &due, &m.err), 0);
	ck_assert_int_eq(due, READ_ROTATE);
	ck_assert_int_eq(poller_read(m.poller, due, &m.err), 0);
	const uint64_t before = m.platform->ops->clock->now(m.platform);
	ck_assert_int_eq(poller_wait(m.poller, &none, &signal_number, &due, &m.err), 0);
	ck_assert_uint_ge(m.platform->ops->clock->now(m.platform), before + SECOND - MS);
}

/* Only its clock shows that this socket is frozen: no register of it is read. */
TEST(test_a_clock_that_has_stopped_holds_the_sampling_thread_for_50_ms_once)
{
	sim_monitor_start(&m, .spec = SPR, .freeze = FREEZE_NEVER, .interval_ns = SECOND);
	sim_monitor_sample_failing(&m, 0);
	msr_poke(m.platform, 0, SIM_FREEZE_MSR, 1);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		assert_contains(m.trouble.text, "the clock stands still");
		ck_assert_uint_eq(m.platform->ops->clock->now(m.platform) - m.sample.at_ns,
				  k ? 0 : 50 * MS);
	}
}
