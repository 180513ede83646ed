/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/distribution.h"

#include <math.h>

#include "unit.h"

#define MOST 100000

static struct distribution d;
static double values[MOST];
static double weighted, seconds;

static void clear(void)
{
	distribution_free(&d);
	weighted = seconds = 0;
}

static void add(double value, double for_s)
{
	distribution_add(&d, value);
	weighted += value * for_s;
	seconds += for_s;
}

/* Adds values that rise by a step, in another order. */
static void fill(size_t count, double first, double step)
{
	clear();
	for (size_t i = 0; i < count; i++) {
		values[i] = first + step * (double)(i * 7919 % count);
		add(values[i], 0.5);
	}
}

static struct statistics exact(size_t count)
{
	struct statistics s;

	ck_assert_int_eq(statistics_make(values, count, weighted, (double)count * 0.5, &s), 0);
	return s;
}

static const size_t small[] = {1, 2, 19, 20, 21, 1000, DISTRIBUTION_EXACT};

TEST_LOOP(test_a_short_series_has_the_figures_of_its_values, (int)COUNT_OF(small))
{
	struct statistics s, e;

	fill(small[_i], 12.5, 0.25);
	e = exact(small[_i]);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	ck_assert_uint_eq(s.known, small[_i]);
	ck_assert_double_eq(s.mean, e.mean);
	ck_assert_double_eq(s.p50, e.p50);
	ck_assert_double_eq(s.p95, e.p95);
	ck_assert_double_eq(s.p99, e.p99);
	ck_assert_double_eq(s.max, e.max);
}

static const struct {
	size_t count;
	double first, step;
} large[] = {
	{DISTRIBUTION_EXACT + 1, 100, 1},
	{5000, 0.001, 0.001},
	{MOST, 1, 1e6},
	{MOST, 1e9, 1e9},
	{MOST, 320, 0},
	{MOST, 1e-7, 1e-11},  /* seconds of a latency */
	{MOST, -2074.1, 0},   /* shrinking memory */
	{MOST, -1000, 0.011}, /* both signs */
	{MOST, -5e-20, -3e-22},
	{MOST, 2e16, 1e13}, /* above 2^54 */
	{MOST, 1e300, 1e297},
	{MOST, 1e308, 5e302},	 /* the sum overflows */
	{MOST, -1.7e308, 3e303}, /* the last values overflow */
	{MOST, 3e-308, 1e-310},
};

/* Asserts that a value is off by less than that part. The difference of two infinities is NAN. */
static void assert_near(double found, double expected)
{
	ck_assert_msg(found == expected || fabs(found - expected) <= 0.008 * fabs(expected),
		      "%g for %g", found, expected);
}

TEST_LOOP(test_a_long_series_is_off_by_less_than_a_hundredth, (int)COUNT_OF(large))
{
	struct statistics s, e;

	fill(large[_i].count, large[_i].first, large[_i].step);
	e = exact(large[_i].count);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	ck_assert_uint_eq(s.known, large[_i].count);
	if (isnan(e.mean))
		ck_assert_double_nan(s.mean);
	else
		ck_assert_double_eq_tol(s.mean, e.mean, fabs(e.mean) * 1e-9);
	assert_near(s.p50, e.p50);
	assert_near(s.p95, e.p95);
	assert_near(s.p99, e.p99);
	ck_assert_double_eq(s.max, e.max);
}

TEST(test_what_is_not_known_is_no_value)
{
	struct statistics s;

	clear();
	for (unsigned i = 0; i < 5000; i++)
		distribution_add(&d, NAN);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	ck_assert_uint_eq(s.known, 0);
	ck_assert(isnan(s.mean) && isnan(s.p95) && isnan(s.max));
	add(-3, 1);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	ck_assert_double_eq(s.max, -3);
}

TEST(test_the_mean_is_weighted_by_time)
{
	struct statistics s;

	clear();
	add(10, 3);
	add(20, 1);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	ck_assert_double_eq(s.mean, 12.5);
}

static const double ends[] = {0,
			      -0.0,
			      5e-324,
			      -5e-324,
			      1e-300,
			      -1e-300,
			      1e17,
			      1.7976931348623157e308,
			      -1.7976931348623157e308};

TEST_LOOP(test_a_number_that_does_not_change_is_exact_at_both_ends_of_all_numbers,
	  (int)COUNT_OF(ends))
{
	struct statistics s;

	fill(5000, ends[_i], 0);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	ck_assert_uint_eq(s.known, 5000);
	ck_assert_double_eq(s.max, ends[_i]);
	ck_assert_double_eq(s.p50, ends[_i]);
	ck_assert_double_eq(s.p95, ends[_i]);
	ck_assert_double_eq(s.p99, ends[_i]);
}

static const size_t lengths[] = {DISTRIBUTION_EXACT, DISTRIBUTION_EXACT + 1, 5000};

TEST_LOOP(test_infinite_values_are_the_ends_of_a_series_of_any_length, (int)COUNT_OF(lengths))
{
	struct statistics s;

	clear();
	for (size_t i = 0; i < lengths[_i]; i++)
		add(i % 10 == 0 ? INFINITY : 5, 1);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	ck_assert_uint_eq(s.known, lengths[_i]);
	ck_assert_double_nan(s.mean);
	assert_near(s.p50, 5);
	ck_assert_double_eq(s.p95, INFINITY);
	ck_assert_double_eq(s.max, INFINITY);

	clear();
	for (size_t i = 0; i < lengths[_i]; i++)
		add(i % 10 < 6 ? -INFINITY : 5, 1);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	ck_assert_double_eq(s.p50, -INFINITY);
	assert_near(s.p95, 5);
	ck_assert_double_eq(s.max, 5);
}

/* Covers every power of two, of both signs, in one series. */
TEST(test_a_series_may_range_over_all_numbers)
{
	struct statistics s, e;

	clear();
	for (size_t i = 0; i < 20000; i++) {
		values[i] = ldexp(1 + (double)(i % 97) / 97, (int)(i * 7 % 2046) - 1022);
		values[i] *= i % 3 ? 1 : -1;
		add(values[i], 0);
	}
	e = exact(20000);
	ck_assert_int_eq(distribution_statistics(&d, weighted, seconds, &s), 0);
	assert_near(s.p50, e.p50);
	assert_near(s.p95, e.p95);
	assert_near(s.p99, e.p99);
	ck_assert_double_eq(s.max, e.max);
}
