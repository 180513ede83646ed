/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare/batch_means.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "suites.h"
#include "support.h"

#define MOST  3000
#define PAIRS 1000

/* xorshift: the same numbers on every machine */
static double uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(*state >> 11) / (double)(UINT64_C(1) << 53);
}

/* About normal, with variance 1. */
static double normal(uint64_t *state)
{
	double sum = -6;

	for (unsigned i = 0; i < 12; i++)
		sum += uniform(state);
	return sum;
}

/* A first-order autoregressive series with this mean, and the variance of the noise 1. */
static void autoregressive(uint64_t *state, double phi, double mean, double *out, size_t count)
{
	double value = 0;

	for (unsigned i = 0; i < 200; i++)
		value = phi * value + normal(state);
	for (size_t i = 0; i < count; i++) {
		out[i] = mean + value;
		value = phi * value + normal(state);
	}
}

static struct batch_means of(const double *values, size_t count)
{
	static double times[MOST];

	for (size_t i = 0; i < count; i++)
		times[i] = (double)i + 1;
	return batch_means_make(values, times, count);
}

struct tally {
	unsigned judged, differ;
};

static struct tally compare_pairs(double phi, size_t count, double shift)
{
	static double a[MOST], b[MOST];
	struct tally tally = {0};
	uint64_t state = 88172645463325252;

	for (unsigned i = 0; i < PAIRS; i++) {
		autoregressive(&state, phi, 400, a, count);
		autoregressive(&state, phi, 400 + shift, b, count);
		const struct batch_means first = of(a, count), second = of(b, count);
		const double p = welch_p(&first, &second);

		tally.judged += !isnan(p);
		tally.differ += p < TEST_LEVEL;
	}
	return tally;
}

/* phi: how much of itself a sample carries over to the next one. */
static const struct {
	double phi;
	size_t count;
	unsigned judged; /* of PAIRS, at least */
	double shift;	 /* is found in 9 of 10 of those; 0: none is */
} series[] = {
	{0, 40, 950, 1.2},     {0, 100, 950, 0.7},   {0, 1000, 950, 0.2},   {0.3, 60, 850, 1.5},
	{0.3, 300, 930, 0.6},  {0.5, 100, 850, 1.6}, {0.5, 1000, 950, 0.4}, {0.7, 300, 900, 1.6},
	{0.7, 1000, 930, 0.8}, {0.9, 1000, 850, 3},  {0.9, 3000, 930, 1.4}, {0.95, 3000, 850, 3},
	{0.99, 1000, 0, 0},    {0.999, 3000, 0, 0},
};

START_TEST(test_of_pairs_alike_one_in_twenty_is_judged_different)
{
	const struct tally tally = compare_pairs(series[_i].phi, series[_i].count, 0);

	ck_assert_uint_le(tally.differ, PAIRS * 6 / 100);
	ck_assert_uint_ge(tally.judged, series[_i].judged);
}
END_TEST

START_TEST(test_a_shift_is_found)
{
	const struct tally tally =
		compare_pairs(series[_i].phi, series[_i].count, series[_i].shift);

	if (series[_i].shift > 0)
		ck_assert_uint_ge(tally.differ, tally.judged * 9 / 10);
}
END_TEST

#define FAMILIES    1000
#define FAMILY_ROWS 12

/* Whether any of so many independent rows of two recordings of the same load is judged different.
 */
static bool family_differs(uint64_t *state, double phi, size_t count)
{
	static double a[MOST], b[MOST];
	double p[FAMILY_ROWS];

	for (unsigned row = 0; row < FAMILY_ROWS; row++) {
		autoregressive(state, phi, 400, a, count);
		autoregressive(state, phi, 400, b, count);
		const struct batch_means first = of(a, count), second = of(b, count);

		p[row] = welch_p(&first, &second);
	}
	ck_assert_int_eq(holm_adjust(p, FAMILY_ROWS), 0);
	for (unsigned row = 0; row < FAMILY_ROWS; row++)
		if (p[row] < TEST_LEVEL)
			return true;
	return false;
}

START_TEST(test_of_20_comparisons_of_the_same_load_19_find_nothing)
{
	static const struct {
		double phi;
		size_t count;
	} loads[] = {{0, 60},	 {0.3, 100}, {0.5, 60}, {0.5, 300},
		     {0.7, 100}, {0.7, 600}, {0.9, 300}};
	uint64_t state = 88172645463325252;

	for (unsigned i = 0; i < COUNT_OF(loads); i++) {
		unsigned differ = 0;

		for (unsigned family = 0; family < FAMILIES; family++)
			differ += family_differs(&state, loads[i].phi, loads[i].count);
		ck_assert_msg(differ <= FAMILIES * 6 / 100, "%u of %u with phi %g", differ,
			      FAMILIES, loads[i].phi);
	}
}
END_TEST

START_TEST(test_few_samples_are_not_judged)
{
	double values[60];
	uint64_t state = 1;

	autoregressive(&state, 0, 400, values, COUNT_OF(values));
	ck_assert_double_gt(of(values, BATCH_MIN_SAMPLES).freedom, 5);
	ck_assert_double_eq(of(values, BATCH_MIN_SAMPLES - 1).freedom, 0);
	ck_assert_double_eq(of(values, 0).freedom, 0);
	for (unsigned i = 0; i < 21; i++)
		values[2 * i] = NAN;
	ck_assert_double_eq(of(values, COUNT_OF(values)).freedom, 0);
	const struct batch_means few = of(values, COUNT_OF(values));
	const struct batch_means many = {.freedom = 19, .mean = 1, .variance = 1};
	ck_assert(isnan(welch_p(&few, &many)));
	ck_assert(isnan(welch_p(&many, &few)));
}
END_TEST

START_TEST(test_a_trend_is_not_judged)
{
	double values[1000];

	for (unsigned i = 0; i < COUNT_OF(values); i++)
		values[i] = i;
	ck_assert_double_eq(of(values, COUNT_OF(values)).freedom, 0);
}
END_TEST

START_TEST(test_a_mean_is_weighted_by_time)
{
	double values[40], times[40];

	for (unsigned i = 0; i < 40; i++) {
		values[i] = i % 2 ? 10 : 20;
		times[i] = i % 2 ? 2 * i + 2 : 2 * i + 3; /* 10 for 1 s, 20 for 3 s */
	}
	const struct batch_means means = batch_means_make(values, times, 40);
	ck_assert_double_eq(means.mean, 17.5);
	ck_assert_double_eq(means.variance, 0);
	/* the clock stood still */
	memset(times, 0, sizeof(times));
	ck_assert_double_eq(batch_means_make(values, times, 40).mean, 15);
}
END_TEST

START_TEST(test_constants_differ_or_are_the_same)
{
	const struct batch_means a = {.freedom = 19, .mean = 400}, b = {.freedom = 19, .mean = 420};
	const struct batch_means c = {.freedom = 19, .mean = 420, .variance = 1};

	ck_assert_double_eq(welch_p(&a, &a), 1);
	ck_assert_double_eq(welch_p(&a, &b), 0);
	ck_assert_double_le(welch_p(&a, &c), 1e-9);
	ck_assert_double_eq(welch_p(&b, &c), 1);
}
END_TEST

/* Numbers that have no exact binary fraction, at times that have none. */
START_TEST(test_a_constant_series_has_no_variance)
{
	static const double constants[] = {0, 0.1, 1.0 / 3, -7.7, 20000.000064, 25000.1, 1e300};
	double values[1000], times[1000];

	for (unsigned c = 0; c < COUNT_OF(constants); c++)
		for (size_t count = BATCH_MIN_SAMPLES; count <= COUNT_OF(values); count += 5) {
			for (size_t i = 0; i < count; i++) {
				values[i] = constants[c];
				times[i] = (double)(i + 1) * 0.1;
			}
			const struct batch_means means = batch_means_make(values, times, count);

			ck_assert_msg(means.freedom > 0, "%g of %zu", constants[c], count);
			ck_assert_double_eq(means.variance, 0);
		}
}
END_TEST

START_TEST(test_the_largest_numbers_do_no_harm)
{
	double values[40];

	for (unsigned i = 0; i < 40; i++)
		values[i] = i % 3 ? 1.7e308 : -1.7e308;
	ck_assert_double_eq(of(values, 40).freedom, 0);
	const struct batch_means a = {.freedom = 19, .mean = 1e308, .variance = 1e-300};
	const struct batch_means b = {.freedom = 19, .mean = -1e308, .variance = 1e-300};
	const struct batch_means c = {.freedom = 19, .mean = 1, .variance = 1e308};
	ck_assert_double_eq(welch_p(&a, &b), 0);
	ck_assert_double_ge(welch_p(&c, &c), 1);
}
END_TEST

/* With two independent groups of the same variance: from tables of Student's distribution. */
static const struct {
	double freedom; /* of each: the table has twice as many */
	double t, p;
} tables[] = {
	{9, 2.101, 0.05},   {9, 2.878, 0.01}, {9, 3.922, 0.001}, {15, 2.042, 0.05},
	{15, 3.646, 0.001}, {1, 4.303, 0.05}, {1, 9.925, 0.01},
};

START_TEST(test_probabilities_are_those_of_the_tables)
{
	const struct batch_means a = {.freedom = tables[_i].freedom, .mean = 100, .variance = 0.5};
	struct batch_means b = a;

	b.mean += tables[_i].t;
	ck_assert_double_eq_tol(welch_p(&a, &b), tables[_i].p, 0.001 * tables[_i].p);
	ck_assert_double_eq_tol(welch_p(&b, &a), tables[_i].p, 0.001 * tables[_i].p);
}
END_TEST

/* By Welch and Satterthwaite: of the wider group alone, if the other has no spread. */
START_TEST(test_a_narrow_group_adds_no_degrees_of_freedom)
{
	const struct batch_means a = {.freedom = 10, .mean = 0, .variance = 1};
	const struct batch_means b = {.freedom = 19, .mean = 2.228, .variance = 0};

	ck_assert_double_eq_tol(welch_p(&a, &b), 0.05, 0.0001);
}
END_TEST

START_TEST(test_many_tests_are_corrected)
{
	double p[] = {0.04, NAN, 0.01, 0.001, 0.5, 0.012};

	ck_assert_int_eq(holm_adjust(p, COUNT_OF(p)), 0);
	ck_assert_double_eq_tol(p[3], 0.005, 1e-12);
	ck_assert_double_eq_tol(p[2], 0.04, 1e-12);
	ck_assert_double_eq_tol(p[5], 0.04, 1e-12); /* not less than the one before */
	ck_assert_double_eq_tol(p[0], 0.08, 1e-12);
	ck_assert_double_eq_tol(p[4], 0.5, 1e-12);
	ck_assert(isnan(p[1]));
	ck_assert_int_eq(holm_adjust(p, 0), 0);
	double all[] = {0.6, 0.7};
	ck_assert_int_eq(holm_adjust(all, 2), 0);
	ck_assert_double_eq(all[0], 1);
	ck_assert_double_eq(all[1], 1);
}
END_TEST

Suite *suite_batch_means(void)
{
	Suite *suite = suite_create("batch_means");
	TCase *tc = tcase_create("batch_means");

	tcase_add_loop_test(tc, test_of_pairs_alike_one_in_twenty_is_judged_different, 0,
			    (int)COUNT_OF(series));
	tcase_add_loop_test(tc, test_a_shift_is_found, 0, (int)COUNT_OF(series));
	tcase_add_test(tc, test_of_20_comparisons_of_the_same_load_19_find_nothing);
	tcase_add_test(tc, test_few_samples_are_not_judged);
	tcase_add_test(tc, test_a_trend_is_not_judged);
	tcase_add_test(tc, test_a_mean_is_weighted_by_time);
	tcase_add_test(tc, test_constants_differ_or_are_the_same);
	tcase_add_test(tc, test_a_constant_series_has_no_variance);
	tcase_add_test(tc, test_the_largest_numbers_do_no_harm);
	tcase_add_loop_test(tc, test_probabilities_are_those_of_the_tables, 0,
			    (int)COUNT_OF(tables));
	tcase_add_test(tc, test_a_narrow_group_adds_no_degrees_of_freedom);
	tcase_add_test(tc, test_many_tests_are_corrected);
	suite_add_tcase(suite, tc);
	return suite;
}
