/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/verify.h"

#include <signal.h>

#include "platform/clock.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "sim/sim.h"
#include "tests/ops_copy.h"
#include "tests/register_kinds.h"
#include "tests/sim/faults.h"
#include "unit.h"

#define SPEC	  "spr,cpus=2,chas=2,ports=1,imcs=1,read=20,clock=virtual"
#define ACCESS_NS 1000
#define DELAY_NS  UINT64_C(20000000)

static struct session session;
static struct machine machine;
static struct verify_row *rows;
static size_t count;
static struct error err;

/* Faults of reading the counters of CHAs: number of delayed readings, and part of lost events. */
static size_t delays;
static uint64_t lost_part; /* divisor of the part; 0: nothing is lost */
static const struct platform_ops *sim_ops;
static struct ops_copy faulty_ops;

static bool is_cha_counter(const struct reg *reg)
{
	return reg->space == REG_MSR && reg->address >= SIM_CHA(0) && reg->address < SIM_CHA(2) &&
	       (reg->address & 0xC) == 8;
}

static int faulty_read(struct platform *p, const struct reg *reg, uint64_t *value)
{
	const bool faulty = is_cha_counter(reg);
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	if (faulty && delays) {
		delays--;
		sim_ops->clock->sleep_until(p, sim_ops->clock->now(p) + DELAY_NS / 2, &none,
					    &signal_number);
	}
	const int rc = sim_ops->registers->read(p, reg, value);
	if (faulty && lost_part)
		*value -= *value / lost_part;
	if (faulty && delays)
		sim_ops->clock->sleep_until(p, sim_ops->clock->now(p) + DELAY_NS / 2, &none,
					    &signal_number);
	return rc;
}

static void open_session(size_t events)
{
	static const char *names[] = {"UNC_CHA_CLOCKTICKS", "cha/event=2/", "cha/event=3/",
				      "cha/event=4/", "cha/event=5/"};
	const struct session_options options = {
		.sim = SPEC,
		.root = "/",
		.backend = BACKEND_PERF,
		.view = {.finest = SCOPE_PORT},
		.events = {names, events},
		.interval_ns = NS_PER_S,
	};

	ck_assert_msg(!session_open(&options, &silent_log, &session, &err), "%s", err.text);
	ck_assert_msg(!machine_open(session.platform, &machine, &err), "%s", err.text);
	sim_set_access_time(sim_of(session.platform), ACCESS_NS);
	delays = lost_part = 0;
	sim_ops = session.platform->ops;
	ops_copy_init(&faulty_ops, sim_ops);
	faulty_ops.registers.read = faulty_read;
	session.platform->ops = &faulty_ops.ops;
}

static void set_up(void)
{
	open_session(1);
}

static void tear_down(void)
{
	free(rows);
	rows = NULL;
	session.platform->ops = sim_ops;
	machine_close(&machine);
	session_close(&session);
}

/* Seconds left when progress was called, rounded: the simulated clock advances with accesses. */
static uint64_t seconds_left[8];
static size_t calls;

static void note_progress(void *context, uint64_t left_ns)
{
	ck_assert_ptr_eq(context, seconds_left);
	ck_assert_uint_lt(calls, COUNT_OF(seconds_left));
	seconds_left[calls++] = (left_ns + NS_PER_S / 2) / NS_PER_S;
}

static void verify_for(uint64_t ns)
{
	sigset_t none;
	int signal_number;
	const struct verify_options options = {
		.ns = ns,
		.wake = &none,
		.signal_number = &signal_number,
		.progress = note_progress,
		.context = seconds_left,
	};

	sigemptyset(&none);
	calls = 0;
	ck_assert_msg(!verify_run(&session, &machine, &options, &rows, &count, &err), "%s",
		      err.text);
}

static void verify(void)
{
	verify_for(NS_PER_S);
	ck_assert_uint_eq(count, 2); /* one event on each of two CHAs */
}

static void assert_all(enum verify_state state, bool differ)
{
	for (size_t i = 0; i < count; i++) {
		ck_assert_int_eq(rows[i].state, state);
		ck_assert_int_eq(verify_differs(&rows[i]), differ);
		ck_assert_uint_gt(rows[i].raw, 0);
	}
}

FIXTURE(set_up, tear_down)

TEST(test_time_between_two_reads_is_no_difference)
{
	verify();
	assert_all(VERIFY_COMPARED, false);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(rows[i].perf, rows[i].raw);
}

/* Four counters per CHA take five events in two rounds, each with the clock. */
TEST(test_progress_is_shown_each_second_of_all_rounds)
{
	tear_down();
	open_session(5);
	verify_for(2 * NS_PER_S);
	ck_assert_uint_eq(calls, 4);
	for (size_t i = 0; i < calls; i++)
		ck_assert_uint_eq(seconds_left[i], 4 - i);
	ck_assert_uint_eq(count, 2 * 6);
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(rows[i].state, VERIFY_COMPARED);
}

/* An interrupted reading is repeated. */
TEST(test_a_delayed_reading_is_taken_again)
{
	delays = 9;
	verify();
	assert_all(VERIFY_COMPARED, false);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(rows[i].perf, rows[i].raw);
}

TEST(test_readings_that_are_always_delayed_show_neither_agreement_nor_a_difference)
{
	delays = SIZE_MAX;
	verify();
	assert_all(VERIFY_DELAYED, false);
	ck_assert_uint_gt(SIZE_MAX - delays, 0);
	ck_assert_uint_le(SIZE_MAX - delays, 2 * 2 * 10);
}

TEST(test_a_register_that_has_less_than_the_kernel_differs)
{
	lost_part = 500;
	verify();
	assert_all(VERIFY_COMPARED, true);
}

TEST(test_a_difference_that_no_delay_explains_is_one)
{
	delays = SIZE_MAX;
	lost_part = 2;
	verify();
	assert_all(VERIFY_COMPARED, true);
}
