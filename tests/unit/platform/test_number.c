/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/number.h"

#include <math.h>
#include <stddef.h>

#include "suites.h"
#include "support.h"

START_TEST(test_what_is_no_number_is_passed_over)
{
	ck_assert_double_eq(min_double(1, 2), 1);
	ck_assert_double_eq(min_double(2, 1), 1);
	ck_assert_double_eq(min_double(NAN, 2), 2);
	ck_assert_double_eq(min_double(1, NAN), 1);
	ck_assert_double_nan(min_double(NAN, NAN));
	ck_assert_double_eq(min_double(INFINITY, -INFINITY), -INFINITY);
	ck_assert_double_eq(max_double(1, 2), 2);
	ck_assert_double_eq(max_double(2, 1), 2);
	ck_assert_double_eq(max_double(NAN, 2), 2);
	ck_assert_double_eq(max_double(1, NAN), 1);
	ck_assert_double_nan(max_double(NAN, NAN));
	ck_assert_double_eq(max_double(INFINITY, -INFINITY), INFINITY);
}
END_TEST

static const struct {
	double number, whole;
} numbers[] = {
	{0, 0},
	{0.4, 0},
	{0.49999999999999994, 0},
	{0.5, 1},
	{1.5, 2},
	{2.5, 3},
	{-0.4, 0},
	{-0.5, -1},
	{-2.5, -3},
	{1e15 + 0.5, 1e15 + 1},
	{4503599627370495.5, 4503599627370496},
	{9007199254740992.0, 9007199254740992.0},
	{1e300, 1e300},
	{-1e300, -1e300},
	{INFINITY, INFINITY},
	{-INFINITY, -INFINITY},
};

START_TEST(test_a_number_is_rounded_to_the_next_whole_one)
{
	ck_assert_double_eq(round_double(numbers[_i].number), numbers[_i].whole);
	ck_assert_double_eq(round_double(numbers[_i].number), round(numbers[_i].number));
}
END_TEST

START_TEST(test_what_is_no_number_stays_that)
{
	ck_assert_double_nan(round_double(NAN));
}
END_TEST

Suite *suite_number(void)
{
	Suite *suite = suite_create("number");
	TCase *tc = tcase_create("number");

	tcase_add_test(tc, test_what_is_no_number_is_passed_over);
	tcase_add_loop_test(tc, test_a_number_is_rounded_to_the_next_whole_one, 0,
			    (int)COUNT_OF(numbers));
	tcase_add_test(tc, test_what_is_no_number_stays_that);
	suite_add_tcase(suite, tc);
	return suite;
}
