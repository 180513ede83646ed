/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/serving_private.h"

#include <math.h>

#include "sim_monitor.h"
#include "unit.h"

static const struct metric metric = {.name = "m"};
static struct column columns[] = {{&metric}};
static struct value value;
static struct row row = {.scope = SCOPE_SYSTEM, .values = &value};
static struct table table = {.columns = columns, .column_count = 1, .rows = &row, .row_count = 1};
static struct recent recent;
static struct sample sample;

static void set_up(void)
{
	sample = (struct sample){.wall_ns = 100 * SECOND};
	ck_assert_int_eq(recent_init(&recent, &table), 0);
}

static void tear_down(void)
{
	recent_free(&recent);
}

static void add(double number, uint64_t interval_ns)
{
	value.number = number;
	sample.wall_ns += interval_ns;
	recent_add(&recent, &sample, interval_ns);
}

FIXTURE(set_up, tear_down)

TEST(test_the_first_sample_is_a_step_and_others_are_averaged_over_two_seconds)
{
	add(8, SECOND);
	ck_assert_uint_eq(recent.count, 1);
	add(1, SECOND);
	ck_assert_uint_eq(recent.count, 1);
	ck_assert_double_eq(recent_max(&recent, 0, 0), 8);
	add(3, SECOND);
	ck_assert_uint_eq(recent.count, 2);
	ck_assert_double_eq(recent_values(&recent, 0, 0)[0], 8);
	ck_assert_double_eq(recent_values(&recent, 0, 0)[1], 2);
	ck_assert_uint_eq(recent.ends_ns[1], 103 * SECOND);
	/* of the open step, too */
	add(9, SECOND);
	ck_assert_uint_eq(recent.count, 2);
	ck_assert_double_eq(recent_max(&recent, 0, 0), 9);
}

TEST(test_unknown_values_are_no_part_of_means_and_a_step_without_values_is_unknown)
{
	add(NAN, SECOND);
	ck_assert(isnan(recent_max(&recent, 0, 0)));
	add(NAN, SECOND);
	add(4, SECOND);
	ck_assert(isnan(recent_values(&recent, 0, 0)[0]));
	ck_assert_double_eq(recent_values(&recent, 0, 0)[1], 4);
}

TEST(test_the_oldest_steps_make_room)
{
	for (unsigned i = 0; i < RECENT_STEPS + 7; i++)
		add(1000 - i, 5 * SECOND);
	ck_assert_uint_eq(recent.count, RECENT_STEPS);
	ck_assert_double_eq(recent_values(&recent, 0, 0)[0], 1000 - 7);
	ck_assert_double_eq(recent_values(&recent, 0, 0)[RECENT_STEPS - 1],
			    1000 - (RECENT_STEPS + 6));
	ck_assert_double_eq(recent_max(&recent, 0, 0), 1000 - 7);
	ck_assert_uint_eq(recent.ends_ns[0], (100 + 5 * 8) * SECOND);
}

TEST(test_time_stands_while_the_clock_is_behind)
{
	add(1, 2 * SECOND);
	sample.wall_ns = 50 * SECOND;
	add(2, 2 * SECOND);
	ck_assert_uint_eq(recent.count, 2);
	ck_assert_uint_eq(recent.ends_ns[1], 102 * SECOND);
}
