/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples that nobody had room for: what they counted is part of the next. */
#include <string.h>

#include "poller/poller.h"
#include "sim_monitor.h"
#include "suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Frozen by socket and one by one, in groups that take turns, with each sample and within. */
static const struct sim_setup setups[] = {
	{.spec = "gnr,clock=virtual", .start_ns = 1},
	{.spec = "spr,clock=virtual", .start_ns = 1, .access_ns = 100},
	{.spec = "gnr,clock=virtual", .view = {.groups = "all"}, .start_ns = 1, .access_ns = 70},
	{.spec = "spr,clock=virtual", .view = {.groups = "all"}, .start_ns = 1, .access_ns = 100},
	{.spec = "spr,clock=virtual",
	 .view = {.groups = "latency", .latency = LATENCY_ROTATE},
	 .start_ns = 1,
	 .access_ns = 100},
	{.spec = "emr,clock=virtual",
	 .view = {.groups = "cxl,core"},
	 .freeze = FREEZE_ALWAYS,
	 .start_ns = 1,
	 .access_ns = 100},
};

/* A sample with counts of its own. */
struct kept {
	struct sample sample;
	struct count counts[512];
};

static void keep(struct kept *kept, const struct sample *sample)
{
	ck_assert_uint_le(sample->count, COUNT(kept->counts));
	kept->sample = *sample;
	memcpy(kept->counts, sample->counts, sample->count * sizeof(*sample->counts));
	kept->sample.counts = kept->counts;
}

static void add(struct kept *sum, const struct sample *next)
{
	sum->sample.wall_ns = next->wall_ns;
	sum->sample.frozen_ns += next->frozen_ns;
	sum->sample.lost_units += next->lost_units;
	sum->sample.missed += next->missed;
	for (size_t s = 0; s < next->count; s++) {
		sum->counts[s].events += next->counts[s].events;
		sum->counts[s].counted_ns += next->counts[s].counted_ns;
		sum->counts[s].unit_ns += next->counts[s].unit_ns;
		sum->counts[s].known |= next->counts[s].known;
	}
}

static void assert_equal(const struct sample *a, const struct sample *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->wall_ns, b->wall_ns);
	ck_assert_uint_eq(a->frozen_ns, b->frozen_ns);
	ck_assert_uint_eq(a->missed, b->missed);
	ck_assert_uint_eq(a->lost_units, b->lost_units);
	for (size_t s = 0; s < a->count; s++) {
		ck_assert_int_eq(a->counts[s].known, b->counts[s].known);
		ck_assert_uint_eq(a->counts[s].events, b->counts[s].events);
		ck_assert_uint_eq(a->counts[s].counted_ns, b->counts[s].counted_ns);
		ck_assert_uint_eq(a->counts[s].unit_ns, b->counts[s].unit_ns);
	}
}

START_TEST(test_a_postponed_sample_and_the_next_are_the_sum_of_both)
{
	static struct kept sum;
	struct sim_monitor m;

	sim_monitor_start(&m, &setups[_i]);
	sim_monitor_sample(&m);
	keep(&sum, &m.sample);
	sim_monitor_sample(&m);
	add(&sum, &m.sample);
	sum.sample.missed++;
	sim_monitor_close(&m);

	sim_monitor_start(&m, &setups[_i]);
	sim_monitor_sample(&m);
	poller_postpone(m.poller, &m.sample);
	sim_monitor_sample(&m);
	assert_equal(&m.sample, &sum.sample);
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_a_postponed_sample_and_the_next_are_one_long_sample)
{
	const struct sim_setup setup = {.spec = "spr,clock=virtual", .start_ns = 1};
	static struct kept one;
	struct sim_monitor m;

	/* the deadline after two seconds is served, that after one missed */
	sim_monitor_start(&m, &setup);
	pass_time(m.platform, 2 * SECOND);
	ck_assert_int_eq(poller_sample(m.poller, &m.sample, &m.trouble, &m.err), 0);
	keep(&one, &m.sample);
	ck_assert_uint_eq(one.sample.missed, 1);
	sim_monitor_close(&m);

	sim_monitor_start(&m, &setup);
	sim_monitor_sample(&m);
	poller_postpone(m.poller, &m.sample);
	sim_monitor_sample(&m);
	assert_equal(&m.sample, &one.sample);
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_each_postponed_sample_is_a_deadline_missed)
{
	struct sim_monitor m;

	sim_monitor_start(
		&m, &(struct sim_setup){.spec = "gnr,read=12.8,clock=virtual", .start_ns = 1});
	for (unsigned k = 0; k < 5; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.missed, k);
		poller_postpone(m.poller, &m.sample);
	}
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 5);
	const struct row *port = sim_monitor_row(&m, 0, 0);
	ck_assert_double_eq(port->interval_s, 6);
	ck_assert_double_eq(port->counted_pct, 100);
	ck_assert_double_eq(sim_monitor_value(&m, 0, 0, "cxl_mem_read_MBps"), 12800);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 0);
	ck_assert_double_eq(port->interval_s, 1);
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_deadlines_missed_before_a_postponed_sample_are_kept)
{
	struct sim_monitor m;

	sim_monitor_start(&m, &(struct sim_setup){.spec = "gnr,clock=virtual", .start_ns = 1});
	pass_time(m.platform, 4 * SECOND);
	ck_assert_int_eq(poller_sample(m.poller, &m.sample, &m.trouble, &m.err), 0);
	ck_assert_uint_eq(m.sample.missed, 3);
	poller_postpone(m.poller, &m.sample);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 4);
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_a_sample_postponed_before_its_deadline_misses_none)
{
	struct sim_monitor m;

	sim_monitor_start(&m, &(struct sim_setup){.spec = "gnr,clock=virtual", .start_ns = 1});
	pass_time(m.platform, SECOND / 2);
	ck_assert_int_eq(poller_sample(m.poller, &m.sample, &m.trouble, &m.err), 0);
	poller_postpone(m.poller, &m.sample);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 0);
	ck_assert_double_eq(sim_monitor_row(&m, 0, 0)->interval_s, 1);
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_a_unit_lost_in_a_postponed_sample_shows_all_with_the_next)
{
	struct sim_monitor m;

	sim_monitor_start(
		&m, &(struct sim_setup){.spec = "gnr,read=12.8,clock=virtual", .start_ns = 1});
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, true);
	sim_monitor_sample(&m);
	poller_postpone(m.poller, &m.sample);
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, false);
	sim_monitor_sample(&m);

	const struct count *count = sim_monitor_count(&m, unit, "RxC_PACK_BUF_INSERTS.MEM_DATA");
	ck_assert_uint_eq(m.sample.lost_units, 1);
	ck_assert(count->known);
	ck_assert_uint_eq(count->events, 400000000);
	ck_assert_uint_eq(count->counted_ns, 2 * SECOND);
	ck_assert_uint_eq(count->unit_ns, 2 * SECOND);
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_a_unit_lost_after_a_postponed_sample_shows_what_that_one_had)
{
	struct sim_monitor m;

	sim_monitor_start(
		&m, &(struct sim_setup){.spec = "gnr,read=12.8,clock=virtual", .start_ns = 1});
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);
	sim_monitor_sample(&m);
	poller_postpone(m.poller, &m.sample);
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, true);
	sim_monitor_sample(&m);

	const struct count *count = sim_monitor_count(&m, unit, "RxC_PACK_BUF_INSERTS.MEM_DATA");
	ck_assert(count->known);
	ck_assert_uint_eq(count->events, 200000000);
	ck_assert_uint_eq(count->counted_ns, SECOND);
	ck_assert_uint_eq(count->unit_ns, 2 * SECOND);
	sim_monitor_close(&m);
}
END_TEST

Suite *suite_poller_postpone(void)
{
	Suite *suite = suite_create("poller_postpone");
	TCase *tc = tcase_create("poller_postpone");

	tcase_add_loop_test(tc, test_a_postponed_sample_and_the_next_are_the_sum_of_both, 0,
			    COUNT(setups));
	tcase_add_test(tc, test_a_postponed_sample_and_the_next_are_one_long_sample);
	tcase_add_test(tc, test_each_postponed_sample_is_a_deadline_missed);
	tcase_add_test(tc, test_deadlines_missed_before_a_postponed_sample_are_kept);
	tcase_add_test(tc, test_a_sample_postponed_before_its_deadline_misses_none);
	tcase_add_test(tc, test_a_unit_lost_in_a_postponed_sample_shows_all_with_the_next);
	tcase_add_test(tc, test_a_unit_lost_after_a_postponed_sample_shows_what_that_one_had);
	suite_add_tcase(suite, tc);
	return suite;
}
