/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/graph.h"
#include "unit.h"

#include <math.h>

TEST(test_newest_step_has_age_0)
{
	static struct history h;

	for (int k = 1; k <= 3; k++)
		history_add(&h, k, 1, 1);
	ck_assert_double_eq(history_at(&h, 0), 3);
	ck_assert_double_eq(history_at(&h, 2), 1);
	ck_assert(isnan(history_at(&h, 3)));
}

TEST(test_history_forgets_the_oldest)
{
	static struct history h;

	for (int k = 0; k <= HISTORY_SIZE; k++)
		history_add(&h, k, 1, 1);
	ck_assert_uint_eq(h.count, HISTORY_SIZE);
	ck_assert_double_eq(history_at(&h, 0), HISTORY_SIZE);
	ck_assert_double_eq(history_at(&h, HISTORY_SIZE - 1), 1);
	ck_assert(isnan(history_at(&h, HISTORY_SIZE)));
}

TEST(test_unknown_is_a_gap_and_never_0)
{
	static struct history h;

	history_add(&h, 7, 1, 1);
	history_add(&h, NAN, 1, 1);
	history_add(&h, 0, 1, 1);
	ck_assert_double_eq(history_at(&h, 0), 0);
	ck_assert(isnan(history_at(&h, 1)));
	ck_assert_double_eq(history_at(&h, 2), 7);
}

TEST(test_samples_faster_than_a_step_are_a_mean_by_time)
{
	static struct history h;

	history_add(&h, 10, 0.0625, 0.25);
	ck_assert_uint_eq(h.count, 0);
	history_add(&h, 20, 0.1875, 0.25);
	ck_assert_uint_eq(h.count, 1);
	ck_assert_double_eq(history_at(&h, 0), 17.5);
}

TEST(test_unknown_part_of_a_step_leaves_what_is_known)
{
	static struct history h;

	history_add(&h, NAN, 0.125, 0.25);
	history_add(&h, 8, 0.125, 0.25);
	ck_assert_double_eq(history_at(&h, 0), 8);
}

TEST(test_a_sample_that_comes_a_little_early_is_a_step)
{
	static struct history h;

	history_add(&h, 8, 0.99, 1);
	history_add(&h, 9, 1.01, 1);
	ck_assert_uint_eq(h.count, 2);
}
