/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/compare/compare_private.h"

#include <math.h>

#include "noise.h"
#include "unit.h"

#define MOST 1000

static const struct noise white = {.name = "white"};

static struct mean_estimate of(const double *values, size_t count)
{
	static double times[MOST];

	for (size_t i = 0; i < count; i++)
		times[i] = (double)i + 1;
	return mean_estimate_make(values, times, count);
}

static struct mean_estimate estimate(const struct noise *noise, uint64_t state, size_t count)
{
	double values[MOST];

	noise_fill(noise, &state, values, count);
	return of(values, count);
}

/* Returns the estimate for a series without noise. */
static struct mean_estimate constant(double value, size_t count)
{
	double values[MOST];

	for (size_t i = 0; i < count; i++)
		values[i] = value;
	return of(values, count);
}

static double needed_by(const struct mean_estimate *a, const struct mean_estimate *b)
{
	double needed_s;

	ck_assert(isnan(mean_test(a, b, &needed_s)));
	ck_assert(isnan(mean_test(b, a, &needed_s)));
	return needed_s;
}

static double p_of(const struct mean_estimate *a, const struct mean_estimate *b)
{
	double needed_s;

	return mean_test(a, b, &needed_s);
}

TEST(test_spacing_is_the_time_of_a_known_sample)
{
	const double values[] = {1, NAN, 3}, times[] = {2, 4, 6}, at_once[] = {0, 0, 0};

	ck_assert_double_eq(mean_estimate_make(values, times, 3).spacing, 3);
	ck_assert_double_eq(mean_estimate_make(values, times, 1).spacing, 2);
	/* without a time, the spacing is 1 s */
	ck_assert_double_eq(mean_estimate_make(values, at_once, 3).spacing, 1);
	ck_assert_double_eq(mean_estimate_make(values + 1, times, 1).spacing, 1);
	ck_assert_double_eq(mean_estimate_make(NULL, NULL, 0).spacing, 1);
}

/* The means of parts alternate between 1 and -1. */
TEST(test_the_variance_of_a_mean_is_that_of_its_parts)
{
	double values[240];

	for (unsigned i = 0; i < COUNT_OF(values); i++)
		values[i] = (i / 12 % 2 ? 1 : -1) + (i % 2 ? 1.2 : -1.2);
	const struct mean_estimate e = of(values, COUNT_OF(values));

	ck_assert_double_eq_tol(e.mean, 0, 1e-12);
	ck_assert_double_eq_tol(e.memory, 1, 1e-12); /* neighbours have opposite signs */
	ck_assert_double_eq_tol(e.spread, 20, 1e-12);
	ck_assert_double_eq_tol(e.steps, 19 * 4, 1e-12);
	ck_assert_double_eq_tol(e.variance, 1.0 / 19, 1e-12);
}

TEST(test_the_variance_of_a_mean_is_at_least_that_of_single_samples)
{
	double values[240];

	for (unsigned i = 0; i < COUNT_OF(values); i++)
		values[i] = i % 2 ? 1 : -1;
	const struct mean_estimate e = of(values, COUNT_OF(values));

	ck_assert_double_eq_tol(e.spread, 0, 1e-12);
	ck_assert_double_eq_tol(e.variance, 1.0 / 239, 1e-12);
}

/* A series that remembers 19 samples: the variance of a mean of 1000 is 0.019 on average. */
TEST(test_correlated_samples_widen_the_variance)
{
	const struct noise correlated = {.carried = 0.9};
	double variance = 0, memory = 0;

	for (unsigned i = 0; i < 200; i++) {
		const struct mean_estimate e = estimate(&correlated, i + 1, 1000);

		variance += e.variance / 200;
		memory += e.memory / 200;
	}
	ck_assert_double_eq_tol(variance, 0.019, 0.001);
	ck_assert_double_eq_tol(memory, 19, 1);
}

TEST(test_it_is_said_how_long_a_recording_must_be)
{
	const struct noise correlated = {.carried = 0.9};
	const struct mean_estimate few = constant(1, 39), enough = constant(1, 40);
	const struct mean_estimate slow = estimate(&correlated, 1, 150);
	const struct mean_estimate other = constant(2, 99), noise = estimate(&white, 1, 99);

	ck_assert_double_eq(needed_by(&few, &enough), 40);
	ck_assert_double_eq(needed_by(&few, &few), 40);
	ck_assert_double_eq(p_of(&enough, &enough), 1);
	/* a load that stays on for a while may also stay off for a while */
	ck_assert_double_eq(needed_by(&enough, &other), 100);
	ck_assert_double_eq(needed_by(&other, &noise), 100);
	/* by its memory; also compared with a series that is long enough otherwise */
	ck_assert_double_eq_tol(needed_by(&slow, &slow), 12 * slow.memory, 1e-9);
	const struct mean_estimate fast = estimate(&white, 1, 1000);
	ck_assert_double_eq_tol(needed_by(&slow, &fast), 12 * slow.memory, 1e-9);
}

/* Half of the values are known, so that it takes twice as long. */
TEST(test_unknown_values_do_not_count)
{
	double values[60];

	for (unsigned i = 0; i < COUNT_OF(values); i++)
		values[i] = i % 2 ? NAN : 1;
	const struct mean_estimate half = of(values, COUNT_OF(values)), enough = constant(1, 40);
	ck_assert_uint_eq(half.samples, 30);
	ck_assert_double_eq(needed_by(&half, &enough), 80);
	ck_assert(!of(values, 0).valid);
}

/* The memory of a load is a time, not a number of samples. */
TEST(test_samples_of_other_lengths_are_compared)
{
	const struct noise correlated = {.carried = 0.9};
	struct mean_estimate slow = estimate(&correlated, 2, 1000);
	struct mean_estimate coarse = estimate(&white, 3, 50);

	coarse.spacing = 100;
	ck_assert(!isnan(p_of(&slow, &coarse)));
	coarse.spacing = 1;
	ck_assert(isnan(p_of(&slow, &coarse)));
}

TEST(test_a_trend_is_not_judged)
{
	double values[1000];

	for (unsigned i = 0; i < COUNT_OF(values); i++)
		values[i] = i;
	const struct mean_estimate trend = of(values, COUNT_OF(values));
	ck_assert_double_eq_tol(needed_by(&trend, &trend), 12000, 1e-6);
}

/* A slow change with noise on it, so that neighbours hardly resemble each other. */
TEST(test_a_slow_change_below_noise_is_not_judged)
{
	uint64_t state = 1;
	double values[400];

	noise_fill(&white, &state, values, COUNT_OF(values));
	for (unsigned i = 0; i < COUNT_OF(values); i++)
		values[i] += i < 200 ? 0.6 : 0;
	const struct mean_estimate step = of(values, COUNT_OF(values));
	ck_assert_double_lt(step.memory, 2);
	ck_assert_double_eq(needed_by(&step, &step), 1600);
}

TEST(test_a_mean_is_weighted_by_time)
{
	double values[40], times[40];

	for (unsigned i = 0; i < 40; i++) {
		values[i] = i % 2 ? 10 : 20;
		times[i] = i % 2 ? 2 * i + 2 : 2 * i + 3; /* 10 for 1 s, 20 for 3 s */
	}
	const struct mean_estimate e = mean_estimate_make(values, times, 40);
	ck_assert_double_eq(e.mean, 17.5);
	ck_assert_double_eq(e.spacing, 2);
	/* a clock that did not advance */
	memset(times, 0, sizeof(times));
	ck_assert_double_eq(mean_estimate_make(values, times, 40).mean, 15);
}

TEST(test_constants_differ_or_are_the_same)
{
	const struct mean_estimate a = constant(400, 100), b = constant(420, 100);
	struct mean_estimate c = b;

	c.variance = 1;
	ck_assert_double_eq(p_of(&a, &a), 1);
	ck_assert_double_eq(p_of(&a, &b), 0);
	ck_assert_double_le(p_of(&a, &c), 1e-9);
	ck_assert_double_eq(p_of(&b, &c), 1);
}

/* Numbers and times that have no exact binary fraction. */
TEST(test_a_constant_series_has_no_variance)
{
	static const double constants[] = {0, 0.1, 1.0 / 3, -7.7, 20000.000064, 25000.1, 1e300};
	double values[1000], times[1000];

	for (unsigned c = 0; c < COUNT_OF(constants); c++)
		for (size_t count = MEAN_LEAST_SAMPLES; count <= COUNT_OF(values); count += 5) {
			for (size_t i = 0; i < count; i++) {
				values[i] = constants[c];
				times[i] = (double)(i + 1) * 0.1;
			}
			const struct mean_estimate e = mean_estimate_make(values, times, count);

			ck_assert_msg(e.valid, "%g of %zu", constants[c], count);
			ck_assert_double_eq(e.variance, 0);
		}
}

TEST(test_the_largest_numbers_do_no_harm)
{
	double values[60];

	for (unsigned i = 0; i < COUNT_OF(values); i++)
		values[i] = i % 3 ? 1.7e308 : -1.7e308;
	ck_assert(!of(values, COUNT_OF(values)).valid);
	struct mean_estimate a = constant(1, 100), b = a, c = a;
	a.mean = 1e308;
	b.mean = -1e308;
	a.variance = b.variance = 1e-300;
	c.variance = 1e308;
	ck_assert_double_eq(p_of(&a, &b), 0);
	ck_assert_double_ge(p_of(&c, &c), 1);
}

/* Values with 38 degrees of freedom, from tables of Student's distribution. */
static const struct {
	double t, p;
} tables[] = {{1.3042, 0.2}, {2.0244, 0.05}, {2.7116, 0.01}, {3.5657, 0.001}};

TEST_LOOP(test_probabilities_are_those_of_the_tables, (int)COUNT_OF(tables))
{
	struct mean_estimate a = constant(100, 100), b;

	a.variance = 0.5;
	b = a;
	b.mean += tables[_i].t;
	ck_assert_double_eq_tol(p_of(&a, &b), tables[_i].p, 0.001 * tables[_i].p);
	ck_assert_double_eq_tol(p_of(&b, &a), tables[_i].p, 0.001 * tables[_i].p);
}

/* A short series of a load that is on and off may have only one of the two states. */
TEST(test_a_series_varies_no_less_than_another_of_the_same_load)
{
	struct mean_estimate narrow = constant(10, 100), wide = constant(0, 1000);

	wide.variance = 4;
	const double p = p_of(&narrow, &wide);
	narrow.variance = 40;
	ck_assert_double_eq_tol(p_of(&narrow, &wide), p, 1e-12);
	ck_assert_double_ge(p, 0.1);
}

TEST(test_many_tests_are_corrected)
{
	double p[] = {0.04, NAN, 0.01, 0.001, 0.5, 0.012};

	ck_assert_int_eq(holm_adjust(p, COUNT_OF(p)), 0);
	ck_assert_double_eq_tol(p[3], 0.005, 1e-12);
	ck_assert_double_eq_tol(p[2], 0.04, 1e-12);
	ck_assert_double_eq_tol(p[5], 0.04, 1e-12); /* not less than the previous one */
	ck_assert_double_eq_tol(p[0], 0.08, 1e-12);
	ck_assert_double_eq_tol(p[4], 0.5, 1e-12);
	ck_assert(isnan(p[1]));
	ck_assert_int_eq(holm_adjust(p, 0), 0);
	double all[] = {0.6, 0.7};
	ck_assert_int_eq(holm_adjust(all, 2), 0);
	ck_assert_double_eq(all[0], 1);
	ck_assert_double_eq(all[1], 1);
}
