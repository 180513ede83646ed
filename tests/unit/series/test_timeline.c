/* SPDX-License-Identifier: BSD-3-Clause */
#include "series/timeline.h"

#include <math.h>

#include "unit.h"

#define S     UINT64_C(1000000000) /* ns */
#define START (1700000000 * S)	   /* a multiple of each step of these tests */

static struct timeline timeline;

static void set_up(void)
{
	timeline_init(&timeline, S);
	ck_assert_int_eq(timeline_add_line(&timeline), 0);
	ck_assert_int_eq(timeline_add_line(&timeline), 0);
}

static void tear_down(void)
{
	timeline_free(&timeline);
}

FIXTURE(set_up, tear_down)

/* Adds samples of a second, with values from 1 on, to a line. */
static void add_seconds(size_t line, uint64_t from_ns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		timeline_add(&timeline, line, from_ns + i * S, from_ns + (i + 1) * S,
			     (double)i + 1);
}

TEST(test_numbers_of_a_step_are_its_mean)
{
	add_seconds(0, START, 3);
	ck_assert_uint_eq(timeline_steps(&timeline), 3);
	ck_assert_uint_eq(timeline.first * timeline.step_ns, START);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_double_eq(timeline_mean(&timeline, 0, i), (double)i + 1);
		ck_assert_double_nan(timeline_mean(&timeline, 1, i));
	}
}

TEST(test_a_number_counts_for_its_part_of_each_step)
{
	timeline_add(&timeline, 0, START, START + S / 2, 10);
	timeline_add(&timeline, 0, START + S / 2, START + S + S / 4, 20);
	ck_assert_uint_eq(timeline_steps(&timeline), 2);
	ck_assert_double_eq(timeline_mean(&timeline, 0, 0), 15);
	ck_assert_double_eq(timeline_mean(&timeline, 0, 1), 20);
}

TEST(test_lines_of_different_intervals_have_the_same_steps)
{
	timeline_add(&timeline, 0, START, START + 4 * S, 8);
	add_seconds(1, START + S, 2);
	ck_assert_uint_eq(timeline_steps(&timeline), 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq(timeline_mean(&timeline, 0, i), 8);
	ck_assert_double_nan(timeline_mean(&timeline, 1, 0));
	ck_assert_double_eq(timeline_mean(&timeline, 1, 1), 1);
	ck_assert_double_eq(timeline_mean(&timeline, 1, 2), 2);
	ck_assert_double_nan(timeline_mean(&timeline, 1, 3));
}

TEST(test_a_line_may_begin_before_the_first)
{
	add_seconds(0, START, 2);
	add_seconds(1, START - 3 * S, 1);
	ck_assert_uint_eq(timeline_steps(&timeline), 5);
	ck_assert_double_eq(timeline_mean(&timeline, 1, 0), 1);
	ck_assert_double_eq(timeline_mean(&timeline, 0, 3), 1);
	ck_assert_double_eq(timeline_mean(&timeline, 0, 4), 2);
}

/* The mean of a longer step is exactly the mean of all its numbers. */
TEST(test_steps_become_longer_as_time_passes)
{
	const size_t seconds = 3 * TIMELINE_STEPS;

	add_seconds(0, START, seconds);
	timeline_add(&timeline, 1, START + 9 * S, START + 10 * S, 7);
	ck_assert_uint_eq(timeline.step_ns, 4 * S);
	ck_assert_uint_eq(timeline_steps(&timeline), seconds / 4);
	for (size_t i = 0; i < seconds / 4; i++)
		ck_assert_double_eq(timeline_mean(&timeline, 0, i), 4.0 * (double)i + 2.5);
	ck_assert_double_eq(timeline_mean(&timeline, 1, 2), 7);
	ck_assert_double_nan(timeline_mean(&timeline, 1, 1));
}

TEST(test_clocks_far_apart_have_a_common_axis)
{
	timeline_add(&timeline, 0, 0, S, 1);
	timeline_add(&timeline, 1, INT64_MAX - S, INT64_MAX, 2);
	ck_assert_uint_le(timeline_steps(&timeline), TIMELINE_STEPS);
	ck_assert_double_eq(timeline_mean(&timeline, 0, 0), 1);
	ck_assert_double_eq(timeline_mean(&timeline, 1, timeline_steps(&timeline) - 1), 2);
}

TEST(test_what_is_unknown_or_takes_no_time_is_in_no_step)
{
	timeline_add(&timeline, 0, START, START + S, NAN);
	timeline_add(&timeline, 0, START, START, 1);
	ck_assert_uint_eq(timeline_steps(&timeline), 0);
	timeline_add(&timeline, 0, START, START + S, INFINITY);
	ck_assert_double_nan(timeline_mean(&timeline, 0, 0));
}

/* A recording may have any interval in its header. */
TEST(test_a_step_has_a_length_that_time_can_have)
{
	timeline_free(&timeline);
	timeline_init(&timeline, UINT64_MAX);
	ck_assert_int_eq(timeline_add_line(&timeline), 0);
	timeline_add(&timeline, 0, START, START + S, 3);
	ck_assert_double_eq(timeline_mean(&timeline, 0, 0), 3);
	timeline_free(&timeline);
	timeline_init(&timeline, 0);
	ck_assert_int_eq(timeline_add_line(&timeline), 0);
	timeline_add(&timeline, 0, START, START + S, 3);
	ck_assert_double_eq(timeline_mean(&timeline, 0, 0), 3);
}
