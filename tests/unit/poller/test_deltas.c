/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readings that another thread makes counts of: which are plain, and that it makes no difference to
 * what is counted. At a tenth of a second, since controls are looked at once a second.
 */
#include "poller/deltas.h"

#include <errno.h>

#include "poller/poller.h"
#include "sim_monitor.h"
#include "suites.h"
#include "support.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define TENTH	    (SECOND / 10)
#define SAMPLES_A_S 10
#define COUNTER_48  ((UINT64_C(1) << 48) - 1)
#define TRAFFIC	    "read=12.8,write=6.4,cache_d2h=0.64,cache_h2d=0.32,clock=virtual"
#define READS	    20000000 /* lines in a tenth of a second */
#define READ_EVENT  "RxC_PACK_BUF_INSERTS.MEM_DATA"

static struct sim_monitor m;
static struct reading reading;
static struct deltas *deltas;

static void take_reading(void)
{
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	ck_assert_int_eq(poller_wait(m.poller, &none, &signal_number, NULL), 0);
	ck_assert_msg(!poller_read(m.poller, &reading, &m.trouble, &m.err), "%s", m.err.text);
}

static void count_reading(void)
{
	deltas_count(deltas, &reading);
	ck_assert(!reading.plain);
	m.sample = reading.sample;
}

/* Whether it was plain. */
static bool read_and_count(void)
{
	take_reading();
	const bool plain = reading.plain;

	count_reading();
	return plain;
}

static void start(const struct sim_setup *setup)
{
	struct sim_setup s = *setup;

	s.interval_ns = s.interval_ns ? s.interval_ns : TENTH;
	s.start_ns = 1;
	sim_monitor_start(&m, &s);
	deltas = deltas_new(&m.plan);
	ck_assert_ptr_nonnull(deltas);
}

/* On a GNR with traffic, after the first reading, which is never plain. */
static void start_gnr(void)
{
	start(&(struct sim_setup){.spec = "gnr," TRAFFIC});
	ck_assert(!read_and_count());
	ck_assert(read_and_count());
}

static void stop(void)
{
	deltas_free(deltas);
	sim_monitor_close(&m);
}

static void assert_count(const struct count *count, uint64_t events, uint64_t counted_ns)
{
	ck_assert(count->known);
	ck_assert_uint_eq(count->events, events);
	ck_assert_uint_eq(count->counted_ns, counted_ns);
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

START_TEST(test_readings_are_plain_but_the_first_and_one_a_second)
{
	start(&usual[_i]);
	for (unsigned k = 1; k <= 3 * SAMPLES_A_S; k++) {
		const bool plain = read_and_count();

		ck_assert_int_eq(plain, k != 1 && k % SAMPLES_A_S != 0);
		ck_assert_uint_eq(m.sample.lost_units, 0);
	}
	stop();
}
END_TEST

/* What never is: groups that turn within a sample. */
static const struct sim_setup unusual[] = {
	{.spec = "spr," TRAFFIC, .view = {.groups = "latency", .latency = LATENCY_ROTATE}},
	{.spec = "spr," TRAFFIC, .view = {.groups = "link,queue"}},
};

START_TEST(test_some_readings_are_never_plain)
{
	start(&unusual[_i]);
	for (unsigned k = 0; k < 2 * SAMPLES_A_S; k++)
		ck_assert(!read_and_count());
	stop();
}
END_TEST

/* Sums up the samples of a second and a half, over a turn and 13 plain readings. */
static void sum_up(struct count *sums, size_t room)
{
	ck_assert_uint_le(m.plan.slot_count, room);
	for (unsigned k = 0; k < 15; k++) {
		read_and_count();
		for (size_t s = 0; s < m.plan.slot_count; s++) {
			sums[s].events += m.sample.counts[s].events;
			sums[s].counted_ns += m.sample.counts[s].counted_ns;
			sums[s].unit_ns += m.sample.counts[s].unit_ns;
		}
	}
}

/* Of units that turn with samples, two long samples have turned as often: after a second. */
START_TEST(test_plain_readings_count_what_long_samples_count)
{
	static struct count sums[1024];
	struct sim_setup setup = usual[_i];

	start(&setup);
	memset(sums, 0, sizeof(sums));
	sum_up(sums, COUNT(sums));
	stop();

	setup.interval_ns = SECOND;
	start(&setup);
	take_reading();
	count_reading();
	for (size_t s = 0; s < m.plan.slot_count; s++) {
		sums[s].events -= m.sample.counts[s].events;
		sums[s].counted_ns -= m.sample.counts[s].counted_ns;
		sums[s].unit_ns -= m.sample.counts[s].unit_ns;
	}
	pass_time(m.platform, SECOND / 2);
	ck_assert_int_eq(poller_read(m.poller, &reading, &m.trouble, &m.err), 0);
	count_reading();
	for (size_t s = 0; s < m.plan.slot_count; s++) {
		ck_assert_uint_eq(sums[s].events, m.sample.counts[s].events);
		ck_assert_uint_eq(sums[s].counted_ns, m.sample.counts[s].counted_ns);
		ck_assert_uint_eq(sums[s].unit_ns, m.sample.counts[s].unit_ns);
	}
	stop();
}
END_TEST

START_TEST(test_frozen_time_is_in_no_count_of_a_plain_reading)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC,
				  .view = {.groups = "latency"},
				  .freeze = FREEZE_ALWAYS,
				  .access_ns = 1000});
	read_and_count();
	for (unsigned k = 0; k < 5; k++) {
		ck_assert(read_and_count());
		ck_assert_uint_gt(m.sample.frozen_ns, 8 * 3 * 1000);
		for (size_t s = 0; s < m.plan.slot_count; s++)
			if (m.sample.counts[s].known)
				ck_assert_uint_eq(m.sample.counts[s].counted_ns,
						  TENTH - m.sample.frozen_ns);
	}
	stop();
}
END_TEST

START_TEST(test_frozen_time_is_in_no_count_where_a_unit_can_not_be_read)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC,
				  .view = {.groups = "latency"},
				  .freeze = FREEZE_ALWAYS,
				  .access_ns = 1000});
	read_and_count();
	for (unsigned k = 0; k < 4; k++) {
		const uint64_t frozen_before = m.sample.frozen_ns;

		sim_set_msr_fault(m.sim, SIM_CHA(3) + 8, k == 1 || k == 2 ? -EIO : 0);
		read_and_count();
		ck_assert_uint_eq(m.sample.lost_units, k == 1 || k == 2);
		for (size_t s = 0; s < m.plan.slot_count; s++)
			if (m.sample.counts[s].known && k < 3)
				ck_assert_uint_eq(m.sample.counts[s].counted_ns,
						  TENTH - frozen_before);
	}
	stop();
}
END_TEST

START_TEST(test_a_unit_that_reads_all_ones_makes_no_plain_reading)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, true);
	ck_assert(!read_and_count());
	ck_assert_uint_eq(m.sample.lost_units, 1);
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	ck_assert(sim_monitor_count(&m, sim_monitor_unit(&m, 0, BOX_CXLCM, 0), READ_EVENT)->known);

	/* its next reading covers two intervals, of which only the poller knows */
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, false);
	ck_assert(!read_and_count());
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 2 * READS, 2 * TENTH);
	ck_assert(read_and_count());
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	stop();
}
END_TEST

START_TEST(test_a_counter_that_was_set_back_makes_no_plain_reading)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLDP, 1);

	sim_set_counter(m.sim, 0, unit->type, unit->id, 0, 0);
	take_reading();
	/* a tenth of a second later it holds as much as it counted in that */
	ck_assert(!reading.plain);
	count_reading();
	ck_assert_uint_eq(m.sample.lost_units, 1);
	ck_assert_int_eq(m.trouble.code, -EBUSY);
	ck_assert(read_and_count());
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
	stop();
}
END_TEST

START_TEST(test_a_counter_that_wraps_makes_no_plain_reading_and_loses_nothing)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLDP, 1);

	/* the way there is more than a counter can count, and lost */
	sim_set_counter(m.sim, 0, unit->type, unit->id, 0, COUNTER_48 - READS / 2 - 9);
	ck_assert(!read_and_count());
	ck_assert_uint_eq(m.sample.lost_units, 1);
	ck_assert(!read_and_count());
	ck_assert_uint_eq(m.sample.lost_units, 0);
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
	ck_assert(read_and_count());
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
	stop();
}
END_TEST

/* What comes to rest may have been stopped by somebody. */
START_TEST(test_a_unit_that_comes_to_rest_makes_no_plain_reading)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	for (unsigned i = 0; i < 8; i++)
		memory_poke(m.platform, SIM_CXLCM(0, 1) + CXL_CONTROL(i), 8, 0);
	for (unsigned k = 0; k < 3; k++) {
		ck_assert(!read_and_count());
		ck_assert_uint_eq(m.sample.lost_units, 1);
		ck_assert_int_eq(m.trouble.code, -EBUSY);
		ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	}
	stop();
}
END_TEST

START_TEST(test_a_unit_that_rests_makes_plain_readings_once_it_was_looked_at)
{
	start(&(struct sim_setup){.spec = "gnr,read=0,clock=virtual"});
	ck_assert(!read_and_count());
	for (unsigned k = 0; k < 5; k++) {
		ck_assert(read_and_count());
		assert_count(
			sim_monitor_count(&m, sim_monitor_unit(&m, 0, BOX_CXLCM, 1), READ_EVENT), 0,
			TENTH);
	}
	stop();
}
END_TEST

START_TEST(test_a_plain_reading_that_was_postponed_is_part_of_the_next)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	for (unsigned k = 0; k < 3; k++) {
		take_reading();
		poller_postpone(m.poller, &reading.sample);
	}
	ck_assert(!read_and_count());
	ck_assert_uint_eq(m.sample.missed, 3);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 4 * READS, 4 * TENTH);
	ck_assert(read_and_count());
	ck_assert_uint_eq(m.sample.missed, 0);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	stop();
}
END_TEST

START_TEST(test_after_a_suspension_nothing_is_known_and_deltas_begin_anew)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	sim_suspend(m.sim, SECOND);
	ck_assert(!read_and_count());
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	read_and_count();
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	ck_assert(read_and_count());
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	stop();
}
END_TEST

Suite *suite_deltas(void)
{
	Suite *suite = suite_create("deltas");
	TCase *tc = tcase_create("deltas");

	tcase_add_loop_test(tc, test_readings_are_plain_but_the_first_and_one_a_second, 0,
			    COUNT(usual));
	tcase_add_loop_test(tc, test_some_readings_are_never_plain, 0, COUNT(unusual));
	tcase_add_loop_test(tc, test_plain_readings_count_what_long_samples_count, 0, COUNT(usual));
	tcase_add_test(tc, test_frozen_time_is_in_no_count_of_a_plain_reading);
	tcase_add_test(tc, test_frozen_time_is_in_no_count_where_a_unit_can_not_be_read);
	tcase_add_test(tc, test_a_unit_that_reads_all_ones_makes_no_plain_reading);
	tcase_add_test(tc, test_a_counter_that_was_set_back_makes_no_plain_reading);
	tcase_add_test(tc, test_a_counter_that_wraps_makes_no_plain_reading_and_loses_nothing);
	tcase_add_test(tc, test_a_unit_that_comes_to_rest_makes_no_plain_reading);
	tcase_add_test(tc, test_a_unit_that_rests_makes_plain_readings_once_it_was_looked_at);
	tcase_add_test(tc, test_a_plain_reading_that_was_postponed_is_part_of_the_next);
	tcase_add_test(tc, test_after_a_suspension_nothing_is_known_and_deltas_begin_anew);
	suite_add_tcase(suite, tc);
	return suite;
}
