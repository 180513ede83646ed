/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of events that rotate within an interval, or with each sample. */

#include "platform/clock.h"
#include "platform/guard.h"
#include "poller/poller.h"
#include "sim_monitor.h"
#include "tests/ops_copy.h"
#include "uncore/models/models.h"
#include "unit.h"

#define MS  UINT64_C(1000000) /* ns */
#define SPR "spr,rxc=1,read=12.8,write=6.4,cache_d2h=0.64,full=12.5,clock=virtual"

/* Events of one second of SPR: 200 million lines read, 100 written, 10 of CXL.cache. */
static const struct {
	const char *event;
	uint64_t per_second;
} rx[] = {
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", 200000000},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_REQ", 100000000},
	{"UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA", 10000000},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_DATA", 125000000},
	{"UNC_CXLCM_RxC_FLITS.VALID", 395000000},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.MEM_DATA", 175000000},
	{"UNC_CXLCM_RxC_PACK_BUF_NE.MEM_REQ", 175000000},
	{"UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_REQ", 125000000},
	{"UNC_CXLCM_RxC_FLITS.PROT", 395000000},
};

#define NINE COUNT(rx)

static const enum freeze_policy policies[] = {FREEZE_AUTO, FREEZE_ALWAYS, FREEZE_NEVER};

static struct sim_monitor m;
static struct request requests[2 * COUNT(rx)];

/* The first Rx events of nine on each port, one port after the other. */
static void request_rx(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		requests[i] = (struct request){
			.unit = sim_monitor_unit(&m, 0, PMU_CXLCM, i / NINE),
			.event = model_event(m.machine.model, rx[i % NINE].event),
		};
}

static void open_nine_as(const struct sim_setup *setup, unsigned ports)
{
	sim_monitor_machine(&m, setup->spec);
	request_rx(ports * NINE);
	sim_monitor_poller_as(&m, requests, ports * NINE, setup);
}

/* Nine Rx events on each of the first ports. */
#define open_nine(ports, ...) open_nine_as(SIM_SETUP(.start_ns = 1, __VA_ARGS__), ports)

static void start(void)
{
	ck_assert_msg(!sim_monitor_begin(&m), "%s", m.err.text);
}

static const struct count *count_of(unsigned request)
{
	return &m.sample.counts[m.plan.counter_of_request[request]];
}

/* Checks that a rate is the traffic's, except for one event at each end of the count. */
static void assert_rate(unsigned request)
{
	const struct count *count = count_of(request);
	const double expected =
		(double)rx[request % NINE].per_second * (double)count->time_running / 1e9;

	ck_assert(count->known);
	ck_assert_double_le((double)count->events, expected + 1);
	ck_assert_double_ge((double)count->events, expected - 1);
}

TEST(test_each_of_three_rounds_counts_a_third_and_exactly)
{
	open_nine(2, .spec = SPR, .interval_ns = 3 * SECOND);
	start();
	for (unsigned k = 0; k < 4; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.missed + m.sample.lost_readings, 0);
		for (unsigned i = 0; i < 2 * NINE; i++) {
			ck_assert(count_of(i)->known);
			ck_assert_uint_eq(count_of(i)->events, rx[i % NINE].per_second);
			ck_assert_uint_eq(count_of(i)->time_running, SECOND);
			ck_assert_uint_eq(count_of(i)->time_enabled, 3 * SECOND);
		}
	}
}

/* Intervals that cannot be divided by three, down to the shortest. */
static const uint64_t intervals[] = {SECOND, SECOND + 1, 100 * MS, MS + 1, MS / 10};

TEST_LOOP(test_a_third_is_a_third_up_to_the_rounding_of_nanoseconds, COUNT(intervals))
{
	open_nine_as(SIM_SETUP(.spec = SPR, .interval_ns = intervals[_i], .start_ns = 7), 1);
	start();
	for (unsigned k = 0; k < 10; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < NINE; i++) {
			const int64_t thrice = (int64_t)count_of(i)->time_running * 3;

			ck_assert_int_le(llabs(thrice - (int64_t)count_of(i)->time_enabled), 6);
			ck_assert_uint_eq(count_of(i)->time_enabled, intervals[_i]);
			assert_rate(i);
		}
	}
}

TEST(test_shorter_rotations_repeat_within_an_interval)
{
	uint64_t counted[NINE] = {0};

	open_nine(1, .spec = SPR);
	poller_set_rotation(m.poller, 100 * MS);
	start();
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < NINE; i++) {
			ck_assert_uint_ge(count_of(i)->time_running, 300 * MS);
			ck_assert_uint_le(count_of(i)->time_running, 400 * MS);
			ck_assert_uint_eq(count_of(i)->time_enabled, SECOND);
			assert_rate(i);
			counted[i] += count_of(i)->time_running;
		}
	}
	/* ten rotations a sample and three rounds: one of them counts four times, each in turn */
	for (unsigned i = 0; i < NINE; i++)
		ck_assert_uint_eq(counted[i], SECOND);
}

/* Checks a ramp: with only one order, the last round's counts would always be too high. */
TEST(test_rounds_change_their_order_from_sample_to_sample)
{
	static const unsigned orders[][3] = {{0, 1, 2}, {2, 1, 0}};

	open_nine(1, .spec = SPR ",ramp=24", .interval_ns = 3 * SECOND);
	start();
	for (unsigned k = 0; k < 8; k++) {
		sim_monitor_sample(&m);
		for (unsigned position = 0; position < 3; position++) {
			const unsigned i = orders[k % 2][position] * 4; /* first of its round */
			const double at = 3 * k + position + 0.5;	/* s, of a ramp of 24 s */
			const double a_second = (double)rx[i].per_second / 24;

			/* the simulated ramp has steps */
			ck_assert_double_eq_tol((double)count_of(i)->events, a_second * at,
						a_second / 100);
		}
	}
}

TEST(test_a_rotation_longer_than_the_interval_ends_with_the_sample)
{
	open_nine(1, .spec = SPR);
	poller_set_rotation(m.poller, 10 * SECOND);
	start();
	for (unsigned k = 0; k < 6; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < NINE; i++) {
			const bool its_turn = i / 4 == k % 3;

			ck_assert_int_eq(count_of(i)->known, its_turn);
			ck_assert_uint_eq(count_of(i)->time_running, its_turn ? SECOND : 0);
			ck_assert_uint_eq(count_of(i)->time_enabled, SECOND);
		}
	}
}

TEST(test_setting_a_rotation_where_none_is_needed_changes_nothing)
{
	sim_monitor_machine(&m, SPR);
	request_rx(3);
	sim_monitor_poller(&m, requests, 3, .start_ns = 1);
	poller_set_rotation(m.poller, MS);
	start();
	sim_monitor_sample(&m);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(count_of(i)->events, rx[i].per_second);
		ck_assert_uint_eq(count_of(i)->time_enabled, SECOND);
	}
}

/* Something that happens when the nth (from 1) sleep since hook() was called is over. */
static struct {
	const struct platform_ops *real;
	struct ops_copy ops;
	unsigned sleeps, writes;
	void (*then)(unsigned nth);
} hooked;

static int hooked_sleep(struct platform *p, uint64_t deadline, const sigset_t *wake,
			int *signal_number)
{
	int rc = hooked.real->clock->sleep_until(p, deadline, wake, signal_number);

	hooked.then(++hooked.sleeps);
	return rc;
}

static int hooked_write(struct platform *p, const struct reg *reg, uint64_t value)
{
	ck_assert_int_eq(reg->space, REG_MSR);
	ck_assert_uint_eq(reg->address, 0x38F);
	hooked.writes++;
	return hooked.real->registers->write(p, reg, value);
}

static void nothing(unsigned nth)
{
	(void)nth;
}

static void hook(void (*then)(unsigned nth))
{
	hooked.real = m.platform->ops;
	ops_copy_init(&hooked.ops, m.platform->ops);
	hooked.ops.clock.sleep_until = hooked_sleep;
	hooked.sleeps = 0;
	hooked.then = then;
	m.platform->ops = &hooked.ops.ops;
}

static void raise_after_the_first(unsigned nth)
{
	if (nth == 1)
		raise(SIGUSR1);
}

TEST_LOOP(test_a_signal_between_rotations_ends_the_wait_and_counts_nothing_twice, 2)
{
	int signal_number = 0;
	sigset_t wake;

	sigemptyset(&wake);
	sigaddset(&wake, SIGUSR1);
	sigprocmask(SIG_BLOCK, &wake, NULL);
	open_nine(1, .spec = SPR, .interval_ns = 3 * SECOND);
	start();
	hook(raise_after_the_first);
	ck_assert_int_eq(sim_monitor_wait(&m, &wake, &signal_number), -EINTR);
	ck_assert_int_eq(signal_number, SIGUSR1);
	if (_i) {
		/* go on waiting: as if nothing had been */
		ck_assert_int_eq(sim_monitor_wait(&m, &wake, &signal_number), 0);
		ck_assert_int_eq(sim_monitor_take(&m), 0);
		for (unsigned i = 0; i < NINE; i++)
			ck_assert_uint_eq(count_of(i)->events, rx[i].per_second);
		return;
	}
	/* samples now: the third round was not counted */
	pass_time(m.platform, SECOND / 2);
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	for (unsigned i = 0; i < 8; i++) {
		ck_assert_uint_eq(count_of(i)->time_running, i < 4 ? SECOND : SECOND / 2);
		ck_assert_uint_eq(count_of(i)->time_enabled, SECOND + SECOND / 2);
		assert_rate(i);
	}
	ck_assert(!count_of(8)->known);
}

static void die_for_the_first_turn(unsigned nth)
{
	if (nth <= 2)
		sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, nth == 1);
}

/* The first of two ports is dead while its second round is due. */
TEST(test_a_unit_dead_during_a_rotation_is_lost_once_and_counts_no_event_as_another)
{
	open_nine(2, .spec = SPR, .interval_ns = 3 * SECOND);
	start();
	hook(die_for_the_first_turn);
	sim_monitor_sample_failing(&m, 1);
	assert_contains(m.trouble.text, "socket 0 cxlcm 2");
	for (unsigned i = NINE; i < 2 * NINE; i++)
		ck_assert_uint_eq(count_of(i)->events, rx[i % NINE].per_second);
	for (unsigned k = 0; k < 3; k++) {
		for (unsigned i = 0; i < NINE; i++)
			if (count_of(i)->known && count_of(i)->time_running)
				assert_rate(i);
		sim_monitor_sample_failing(&m, 0);
		ck_assert_str_eq(m.trouble.text, "");
	}
}

/* A reading takes a third of an interval: rotations come late, and no longer in thirds. */
TEST(test_late_rotations_count_exactly)
{
	uint64_t counted[NINE] = {0};

	open_nine(1, .spec = SPR, .interval_ns = MS, .access_ns = 25000);
	start();
	for (unsigned k = 0; k < 50; k++) {
		sim_monitor_sample_failing(&m, 0);
		for (unsigned i = 0; i < NINE; i++) {
			ck_assert_uint_le(count_of(i)->time_running, count_of(i)->time_enabled);
			if (count_of(i)->known)
				assert_rate(i);
			counted[i] += count_of(i)->time_running;
		}
	}
	for (unsigned i = 0; i < NINE; i++)
		ck_assert_uint_gt(counted[i], MS);
}

TEST(test_frozen_time_includes_rotations)
{
	/*
	 * Five readings or two, start; four writes to the controls that differ where it rotates,
	 * which it does not at the end of a sample: the rounds of four and one that count then
	 * count on.
	 */
	const uint64_t access = 1000, four = 10 * access, one = 7 * access, last_four = 6 * access,
		       last_one = 3 * access;

	open_nine(1, .spec = SPR, .interval_ns = 3 * SECOND, .access_ns = access);
	start();
	sim_monitor_sample(&m);
	for (unsigned k = 0; k < 3; k++) {
		const bool backwards = k % 2 == 0;
		const uint64_t before = backwards ? last_one : last_four,
			       after = backwards ? last_four : last_one,
			       rotations = backwards ? one + four : four + four;
		uint64_t counted = 0;

		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.frozen_ns, rotations + after);
		for (unsigned i = 0; i < NINE; i += 4)
			counted += count_of(i)->time_running;
		for (unsigned i = 0; i < NINE; i++) {
			ck_assert_uint_eq(count_of(i)->time_enabled,
					  3 * SECOND - before - rotations);
			assert_rate(i);
		}
		ck_assert_uint_eq(counted, count_of(0)->time_enabled);
	}
}

static const struct {
	const char *spec;
	enum freeze_policy freeze;
	bool with_cha;
} restored[] = {
	{SPR, FREEZE_AUTO, false},  {SPR, FREEZE_AUTO, true},  {SPR, FREEZE_ALWAYS, true},
	{SPR, FREEZE_NEVER, false}, {SPR, FREEZE_NEVER, true},
};

static const struct event cha_clock = {"CHA_CLOCKTICKS", PMU_CHA, 0x01, 0, 0, 0xF};

TEST_LOOP(test_rotations_count_the_same_with_every_freeze_policy_and_all_is_restored,
	  COUNT(restored))
{
	const struct sim_setup setup = {.spec = SPR,
					.freeze = restored[_i].freeze,
					.interval_ns = 3 * SECOND,
					.start_ns = 1};

	sim_monitor_machine(&m, SPR);
	request_rx(NINE);
	if (restored[_i].with_cha)
		requests[NINE] = (struct request){.unit = sim_monitor_unit(&m, 0, PMU_CHA, 0),
						  .event = &cha_clock};
	sim_monitor_poller_as(&m, requests, NINE + restored[_i].with_cha, &setup);
	ck_assert_int_eq(m.plan.global_freeze,
			 restored[_i].with_cha && setup.freeze != FREEZE_NEVER);
	const uint64_t hash = sim_state_hash(m.sim);
	start();
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < NINE; i++)
			ck_assert_uint_eq(count_of(i)->events, rx[i].per_second);
		if (restored[_i].with_cha)
			ck_assert_uint_eq(count_of(NINE)->events, 3 * UINT64_C(2000000000));
	}
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

/* A clock whose sleep fails. */
static int failing_sleep(struct platform *p, uint64_t deadline, const sigset_t *wake,
			 int *signal_number)
{
	(void)p;
	(void)deadline;
	(void)wake;
	(void)signal_number;
	return -EINVAL;
}

TEST(test_a_sleep_that_fails_between_rotations_is_reported)
{
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	open_nine(1, .spec = SPR);
	start();
	hook(nothing);
	hooked.ops.clock.sleep_until = failing_sleep;
	ck_assert_int_eq(sim_monitor_wait(&m, &none, &signal_number), -EINVAL);
	ck_assert_int_eq(m.err.code, -EINVAL);
	ck_assert_ptr_nonnull(strstr(m.err.text, "sleep"));
}

/* Units whose rounds rotate with each sample. */

TEST(test_staggered_units_rotate_with_each_sample_and_never_within)
{
	sim_monitor_machine(&m, SPR);
	for (unsigned i = 0; i < 2 * NINE; i++)
		requests[i] = (struct request){
			.unit = sim_monitor_unit(&m, 0, PMU_CXLCM, i / NINE),
			.event = model_event(m.machine.model, rx[i % NINE].event),
			.staggered = true,
		};
	sim_monitor_poller(&m, requests, 2 * NINE, .start_ns = 1);
	start();
	for (unsigned k = 0; k < 6; k++) {
		hook(nothing);
		sim_monitor_sample(&m);
		m.platform->ops = hooked.real;
		ck_assert_uint_eq(hooked.sleeps, 1);
		for (unsigned i = 0; i < 2 * NINE; i++) {
			/* the second port is one round ahead of the first */
			const bool its_turn = i % NINE / 4 == (k + i / NINE) % 3;

			ck_assert_int_eq(count_of(i)->known, its_turn);
			if (!its_turn)
				continue;
			ck_assert_uint_eq(count_of(i)->events, rx[i % NINE].per_second);
			ck_assert_uint_eq(count_of(i)->time_running, SECOND);
			ck_assert_uint_eq(count_of(i)->time_enabled, SECOND);
		}
	}
}

static void reset_unit(void)
{
	memory_poke(m.platform, SIM_CXLCM(0, 0), 4, 0x300);
}

static void stop_responding(void)
{
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, true), 0);
}

static void respond_again(void)
{
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, false), 0);
}

static void wait_on(void)
{
}

static void (*const interruptions[][2])(void) = {
	{reset_unit, wait_on},
	{reset_unit, reset_unit},
	{stop_responding, respond_again},
};

/* Rotations that a unit misses meanwhile would let two units count the same round from then on. */
TEST_LOOP(test_staggered_unit_that_was_away_counts_the_round_that_is_due,
	  COUNT(policies) * COUNT(interruptions))
{
	sim_monitor_machine(&m, SPR);
	for (unsigned i = 0; i < 2 * NINE; i++)
		requests[i] = (struct request){
			.unit = sim_monitor_unit(&m, 0, PMU_CXLCM, i / NINE),
			.event = model_event(m.machine.model, rx[i % NINE].event),
			.staggered = true,
		};
	sim_monitor_poller(&m, requests, 2 * NINE, .start_ns = 1,
			   .freeze = policies[_i / COUNT(interruptions)]);
	start();
	for (unsigned k = 0; k < 12; k++) {
		pass_time(m.platform, SECOND / 2);
		if (k == 2 || k == 3)
			interruptions[_i % COUNT(interruptions)][k - 2]();
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < NINE; i++)
			if (count_of(i)->known)
				assert_rate(i);
		for (unsigned i = k > 5 ? 0 : NINE; i < 2 * NINE; i++) {
			const bool its_turn = i % NINE / 4 == (k + i / NINE) % 3;

			ck_assert_int_eq(count_of(i)->known, its_turn);
			if (its_turn)
				ck_assert_uint_eq(count_of(i)->events, rx[i % NINE].per_second);
		}
	}
}

/* CPUs: 3 GHz, 1.25 instructions per cycle, a time stamp counter of 2 GHz. */

#define CORES	    "spr,sockets=2,cpus=2,read=1,clock=virtual"
#define CPUS	    4
#define GLOBAL_CTRL 0x38F
#define FIXED_CTR0  0x309
#define COUNTER_48  ((UINT64_C(1) << 48) - 1)

static const uint64_t core_rates[] = {3750000000, 3000000000, 2000000000, 2000000000};

static struct request core_requests[CPUS * COUNT(core_rates)];

static struct unit *cpu_unit(unsigned cpu)
{
	struct unit *unit = &m.machine.cpus[cpu];

	ck_assert_msg(!unit_open(m.platform, unit, &m.err), "%s", m.err.text);
	return unit;
}

static uint64_t open_cores(enum freeze_policy freeze, uint64_t access_ns)
{
	sim_monitor_machine(&m, CORES);
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		/* values that an ended program has left */
		msr_poke(m.platform, cpu, FIXED_CTR0, 1000 + cpu);
		msr_poke(m.platform, cpu, 0x4C1, 2000 + cpu);
		for (unsigned e = 0; e < COUNT(core_rates); e++)
			core_requests[cpu * COUNT(core_rates) + e] = (struct request){
				.unit = cpu_unit(cpu), .event = &model_core(NULL)->events[e]};
	}
	sim_monitor_poller(&m, core_requests, COUNT(core_requests), .freeze = freeze,
			   .access_ns = access_ns);
	return sim_state_hash(m.sim);
}

static void assert_core_counts(void)
{
	for (unsigned i = 0; i < COUNT(core_requests); i++) {
		const struct count *count = count_of(i);

		ck_assert(count->known);
		ck_assert_uint_eq(count->time_running, count->time_enabled);
		ck_assert_uint_eq(count->events, core_rates[i % COUNT(core_rates)]);
	}
}

TEST_LOOP(test_cpus_are_counted_exactly_and_left_as_they_were, COUNT(policies))
{
	const uint64_t hash = open_cores(policies[_i], 0);

	start();
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample_failing(&m, 0);
		assert_core_counts();
	}
	ck_assert_uint_ne(sim_state_hash(m.sim), hash);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

/* On request each CPU is frozen and unfrozen, and nothing else is written. */
TEST_LOOP(test_a_sample_freezes_cpus_only_on_request, COUNT(policies))
{
	open_cores(policies[_i], 0);
	start();
	sim_monitor_sample(&m);
	hook(nothing);
	hooked.ops.registers.write = hooked_write;
	hooked.writes = 0;
	sim_monitor_sample(&m);
	ck_assert_uint_eq(hooked.writes, policies[_i] == FREEZE_ALWAYS ? 2 * CPUS : 0);
	assert_core_counts();
	m.platform->ops = hooked.real;
}

TEST(test_frozen_time_of_a_cpu_is_not_counted)
{
	const uint64_t frozen = 5000; /* four readings and the write that ends them */

	open_cores(FREEZE_ALWAYS, 1000);
	start();
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.frozen_ns, frozen);
	for (unsigned i = 0; i < COUNT(core_requests); i += COUNT(core_rates)) {
		ck_assert_uint_eq(count_of(i)->time_running, SECOND - frozen);
		ck_assert_uint_eq(count_of(i)->events, (SECOND - frozen) / 4 * 15);
		ck_assert_uint_eq(count_of(i + 1)->events, (SECOND - frozen) * 3);
	}
}

TEST_LOOP(test_a_core_counter_that_wraps_at_48_bits_loses_nothing, COUNT(policies))
{
	open_cores(policies[_i], 0);
	start();
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		for (unsigned n = 0; n < 3; n++)
			msr_poke(m.platform, cpu, FIXED_CTR0 + n, COUNTER_48 - 9);
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	sim_monitor_sample(&m);
	assert_core_counts();
	ck_assert_uint_eq(msr_peek(m.platform, 0, FIXED_CTR0), core_rates[0] - 10);
}

TEST(test_a_counter_of_a_cpu_with_its_lower_half_all_ones_is_valid)
{
	open_cores(FREEZE_AUTO, 0);
	start();
	/* the lower half reads as ones at the next sample */
	msr_poke(m.platform, 1, FIXED_CTR0, UINT32_MAX - core_rates[0]);
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	sim_monitor_sample_failing(&m, 0);
	assert_core_counts();
}

TEST(test_a_cpu_that_goes_offline_is_lost_alone)
{
	open_cores(FREEZE_AUTO, 0);
	start();
	sim_set_cpu_online(m.sim, 3, false);
	sim_monitor_sample_failing(&m, 1);
	ck_assert_ptr_nonnull(strstr(m.trouble.text, "cpu 3"));
	for (unsigned i = 0; i < COUNT(core_requests); i++)
		ck_assert_int_eq(count_of(i)->known, i / COUNT(core_rates) != 3);
	sim_set_cpu_online(m.sim, 3, true);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(count_of(COUNT(core_requests) - 1)->time_running, 2 * SECOND);
	ck_assert_uint_eq(count_of(COUNT(core_requests) - 1)->events, 2 * core_rates[3]);
}

/* More events than a CPU has counters: cycles on general counters under many names. */

#define RINGS (UINT64_C(3) << 16)

static struct event cycles_of[20];

static void open_many(unsigned general, enum freeze_policy freeze, uint64_t global_ctrl)
{
	struct unit *unit;

	sim_monitor_machine(&m, CORES);
	msr_poke(m.platform, 1, GLOBAL_CTRL, global_ctrl);
	unit = cpu_unit(1);
	for (unsigned i = 0; i < general; i++) {
		cycles_of[i] = (struct event){"cycles", PMU_CORE, 0x3C, 0, 0, CORE_COUNTERS_GENERAL,
					      "",	RINGS};
		requests[i] = (struct request){.unit = unit, .event = &cycles_of[i]};
	}
	requests[general] = (struct request){.unit = unit, .event = &model_core(NULL)->events[3]};
	sim_monitor_poller(&m, requests, general + 1, .freeze = freeze, .interval_ns = 2 * SECOND);
	ck_assert_uint_eq(m.plan.round_count, 2);
	start();
}

TEST_LOOP(test_events_of_a_cpu_are_multiplexed, COUNT(policies))
{
	open_many(10, policies[_i], UINT64_C(0xF000000FF));
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < 10; i++) {
			ck_assert_uint_eq(count_of(i)->time_running, SECOND);
			ck_assert_uint_eq(count_of(i)->time_enabled, 2 * SECOND);
			ck_assert_uint_eq(count_of(i)->events, core_rates[1]);
		}
	}
}

TEST_LOOP(test_the_time_stamp_counter_is_multiplexed_like_any_event, COUNT(policies))
{
	open_many(10, policies[_i], UINT64_C(0xF000000FF));
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(count_of(10)->time_running, SECOND);
		ck_assert_uint_eq(count_of(10)->events, core_rates[3]);
	}
}

/* Failed writes to an offline CPU do not end the run. */
TEST_LOOP(test_a_cpu_that_goes_offline_ends_no_run, COUNT(policies))
{
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	open_many(10, policies[_i], UINT64_C(0xF000000FF));
	sim_monitor_sample(&m);
	sim_set_cpu_online(m.sim, 1, false);
	ck_assert_msg(!sim_monitor_wait(&m, &none, &signal_number), "%s", m.err.text);
	ck_assert_msg(!sim_monitor_take(&m), "%s", m.err.text);
	ck_assert_uint_ge(m.sample.lost_readings, 1);
}

/* Two rounds, each with a fixed counter that the other does not have. */
TEST_LOOP(test_each_round_of_a_cpu_opens_its_own_counters, COUNT(policies))
{
	static const struct event fixed[] = {
		{"fixed 0", PMU_CORE, 0xC0, 0, 0, CORE_FIXED(0), "", RINGS},
		{"fixed 1", PMU_CORE, 0x3C, 0, 0, CORE_FIXED(1), "", RINGS},
	};

	sim_monitor_machine(&m, CORES);
	/* nothing is enabled before, so that only our counters count */
	msr_poke(m.platform, 1, GLOBAL_CTRL, 0);
	for (unsigned i = 0; i < 18; i++) {
		cycles_of[i] = (struct event){"cycles", PMU_CORE, 0x3C, 0, 0, CORE_COUNTERS_GENERAL,
					      "",	RINGS};
		requests[i] = (struct request){.unit = cpu_unit(1),
					       .event = i % 9 ? &cycles_of[i] : &fixed[i / 9],
					       .group = 1 + i / 9};
	}
	sim_monitor_poller(&m, requests, 18, .freeze = policies[_i], .interval_ns = 2 * SECOND);
	const uint64_t hash = sim_state_hash(m.sim);
	ck_assert_uint_eq(m.plan.round_count, 2);
	start();
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < 18; i++)
			ck_assert_uint_eq(count_of(i)->events, core_rates[i ? 1 : 0]);
	}
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

/* Nothing is counted twice, and no value of another program is counted. */
TEST(test_a_unit_reset_before_its_rotation_is_lost_and_never_counted)
{
	open_nine(2, .spec = SPR, .interval_ns = 3 * SECOND);
	start();
	sim_monitor_sample(&m);
	pass_time(m.platform, SECOND / 2);
	memory_poke(m.platform, SIM_CXLCM(0, 0), 4, 0x300);
	const uint64_t untouched = count_of(NINE)->events;
	/* noticed before the first rotation, and programmed again: nothing of before is counted */
	sim_monitor_sample(&m);
	ck_assert_uint_ge(m.sample.lost_readings, 1);
	ck_assert_int_eq(m.trouble.code, -EBUSY);
	for (unsigned i = 0; i < NINE; i++)
		if (count_of(i)->known)
			assert_rate(i);
	ck_assert_uint_eq(count_of(NINE)->events, untouched);
	sim_monitor_sample_failing(&m, 0);
	for (unsigned i = 0; i < 2 * NINE; i++)
		ck_assert_uint_eq(count_of(i)->events, rx[i % NINE].per_second);
}

TEST(test_a_unit_taken_before_its_rotation_is_lost_and_left_alone)
{
	const uint64_t control = SIM_CXLCM(0, 0) + CXL_CONTROL(7), foreign = 0x2043;

	open_nine(2, .spec = SPR, .interval_ns = 3 * SECOND);
	start();
	sim_monitor_sample(&m);
	pass_time(m.platform, SECOND / 2);
	memory_poke(m.platform, control, 8, foreign);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_ge(m.sample.lost_readings, 1);
		for (unsigned i = 0; i < NINE; i++)
			ck_assert(!count_of(i)->known);
		ck_assert_uint_eq(memory_peek(m.platform, control, 8), foreign);
	}
}

TEST(test_rotations_slower_than_their_interval_do_not_delay_samples)
{
	open_nine(1, .spec = SPR, .access_ns = 10000);
	poller_set_rotation(m.poller, MS / 10);
	start();
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.missed, 0);
		/* rotations take most of the interval, and all of that is reported as frozen */
		ck_assert_uint_ge(m.sample.frozen_ns + count_of(0)->time_enabled, SECOND - MS);
		ck_assert_uint_le(m.sample.frozen_ns + count_of(0)->time_enabled, SECOND + MS);
	}
}

/* Any fault, of any duration: rates are right or empty, and registers are restored. */
TEST_LOOP(test_after_a_temporary_failure_of_a_core_register_all_is_restored,
	  COUNT(policies) * 2 * 6)
{
	static const uint32_t failing[] = {0x186, 0x187, 0xC1, 0x38D, GLOBAL_CTRL, 0x4C2};
	const unsigned failures = (unsigned)(_i / COUNT(policies)) % 2 + 1;
	const uint32_t msr = failing[_i / COUNT(policies) / 2];
	uint64_t hash;

	open_many(10, policies[_i % COUNT(policies)], UINT64_C(0xF000000FF));
	poller_stop(m.poller, &m.err);
	hash = sim_state_hash(m.sim);
	start();
	sim_monitor_sample(&m);
	for (unsigned k = 0; k < 6; k++) {
		sim_set_msr_fault(m.sim, msr, k >= 1 && k < 1 + failures ? -EIO : 0);
		sim_monitor_sample(&m);
		for (unsigned i = 0; i < 10; i++) {
			const struct count *count = count_of(i);

			if (count->known && count->time_running)
				ck_assert_uint_eq(count->events,
						  core_rates[1] * (count->time_running / MS) /
							  1000);
		}
		ck_assert(k < 4 || count_of(0)->known);
	}
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), hash);
}

/* Each control by which another program claims a CPU's counters. */
static const struct {
	uint32_t msr;
	uint64_t value;
} takers[] = {{0x38D, 0}, {GLOBAL_CTRL, 0}, {0x186, 0}};

TEST_LOOP(test_a_cpu_claimed_by_another_program_is_lost_and_not_zero, COUNT(takers))
{
	const struct event *cycles = &model_core(NULL)->events[1];
	const unsigned taker = (unsigned)_i;
	struct event general = *cycles;

	sim_monitor_machine(&m, CORES);
	if (takers[taker].msr == 0x186)
		general.counters = CORE_COUNTERS_GENERAL;
	requests[0] = (struct request){.unit = cpu_unit(1), .event = &general};
	requests[1] = (struct request){.unit = cpu_unit(1), .event = &model_core(NULL)->events[3]};
	sim_monitor_poller(&m, requests, 2, .freeze = FREEZE_AUTO);
	start();
	sim_monitor_sample(&m);
	ck_assert_uint_eq(count_of(0)->events, core_rates[1]);
	msr_poke(m.platform, 1, takers[taker].msr, takers[taker].value);
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample_failing(&m, 1);
		ck_assert_int_eq(m.trouble.code, -EBUSY);
		ck_assert(!count_of(0)->known);
	}
}
