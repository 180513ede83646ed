/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/timetable.h"
#include "unit.h"

static struct deadlines d;

TEST(test_lateness_does_not_move_the_following_deadlines)
{
	deadlines_start(&d, 1000, 250);
	ck_assert_uint_eq(d.next, 1250);
	ck_assert_uint_eq(deadlines_advance(&d, 1300), 0);
	ck_assert_uint_eq(d.next, 1500);
	ck_assert_uint_eq(deadlines_advance(&d, 1749), 0);
	ck_assert_uint_eq(d.next, 1750);
}

TEST(test_each_deadline_that_has_passed_is_missed)
{
	deadlines_start(&d, 1000, 250);
	ck_assert_uint_eq(deadlines_advance(&d, 1500), 1);
	ck_assert_uint_eq(d.next, 1750);
	ck_assert_uint_eq(deadlines_advance(&d, 4249), 9);
	ck_assert_uint_eq(d.next, 4250);
}

TEST(test_thousandth_deadline_is_exact)
{
	deadlines_start(&d, 7, 100000);
	for (uint64_t k = 1; k < 1000; k++)
		ck_assert_uint_eq(deadlines_advance(&d, d.next + 42), 0);
	ck_assert_uint_eq(d.next, 7 + 1000 * UINT64_C(100000));
}

TEST(test_another_interval_counts_from_the_last_deadline)
{
	deadlines_start(&d, 1000, 250);
	ck_assert_uint_eq(deadlines_advance(&d, 1250), 0);
	deadlines_change(&d, 1300, 100);
	ck_assert_uint_eq(d.next, 1350);
	ck_assert_uint_eq(deadlines_advance(&d, 1351), 0);
	ck_assert_uint_eq(d.next, 1450);
	deadlines_change(&d, 1360, 1000);
	ck_assert_uint_eq(d.next, 2350);
}

TEST(test_a_shorter_interval_that_has_passed_is_due_at_once_and_misses_nothing)
{
	deadlines_start(&d, 1000, 5000);
	deadlines_change(&d, 3000, 100);
	ck_assert_uint_eq(d.next, 3000);
	ck_assert_uint_eq(deadlines_advance(&d, 3001), 0);
	ck_assert_uint_eq(d.next, 3100);
}
