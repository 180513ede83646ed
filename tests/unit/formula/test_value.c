/* SPDX-License-Identifier: BSD-3-Clause */
/* The three seconds of value.h. */
#include "formula/value.h"

#include <math.h>

#include "../record/counted.h"
#include "unit.h"

static struct counted counted[3];
static struct value values[3];
static struct value_sum sum;

/* Sets up three values: reads in queues, from which the formula makes ns, and reads per second. */
static void set_up(void)
{
	static const double seconds[3][2] = {
		{156.25 * 1e9, 625000000}, {0.0000016 * 1e9, 8}, {100 * 1e9, 500000000}};

	for (int i = 0; i < 3; i++)
		values[i] = count_inputs(&counted[i], &counted_latency, seconds[i][0],
					 seconds[i][1], 1);
	sum = (struct value_sum){.last = NAN};
}

static void tear_down(void)
{
	value_sum_free(&sum);
}

static struct value sum_up(void)
{
	struct value value;

	value_sum_compute(&sum, false, NULL, NULL, &value);
	return value;
}

FIXTURE(set_up, tear_down)

TEST(test_a_value_follows_from_what_was_counted)
{
	ck_assert_double_eq(values[0].number, 250);
	ck_assert_double_nan(values[1].number);
	ck_assert_str_eq(values[1].text, "acc");
	ck_assert_double_eq_tol(values[2].number, 200, 1e-9);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(value_sum_add(&sum, &values[i]), 0);
	const struct value all = sum_up();

	ck_assert_double_eq_tol(all.number, 256.2500016e9 / 1125000008, 1e-9);
	ck_assert_double_eq(all.seconds, 3);
	ck_assert(!all.scaled);
}

TEST(test_a_sum_has_the_last_known_number_of_a_level)
{
	static const double levels[3] = {40, 50, NAN};

	for (int i = 0; i < 3; i++) {
		values[i] = count_inputs(&counted[i], &counted_level, levels[i], 0, 1);
		ck_assert_int_eq(value_sum_add(&sum, &values[i]), 0);
	}
	ck_assert_double_eq(sum.last, 50);
}

/* Sums are equal to a sum of all samples. */
TEST(test_sums_are_added_up_as_samples_are)
{
	struct value_sum parts[2] = {{.last = NAN}, {.last = NAN}};

	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(value_sum_add(&parts[i == 0], &values[i]), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(value_sum_merge(&sum, &parts[i]), 0);
		value_sum_free(&parts[i]);
	}
	ck_assert_double_eq_tol(sum_up().number, 256.2500016e9 / 1125000008, 1e-9);
	value_sum_clear(&sum);
	ck_assert_double_nan(sum_up().number);
	ck_assert_double_nan(sum.last);
}

/* A single read would have taken as long as all of them together. */
TEST(test_a_mean_of_reads_is_a_quotient)
{
	const struct quotient first = inputs_quotient(values[0].inputs);

	ck_assert_double_eq(first.divisor, 625000000);
	ck_assert_double_eq_tol(first.dividend, 156.25e9, 1);
	/* a rate has no quotient */
	const struct value rate = count_rate(&counted[0], 5, 1);

	ck_assert_double_eq(inputs_quotient(rate.inputs).divisor, 0);
}

/* Inputs that a recording may have. */
TEST_LOOP(test_inputs_that_are_no_numbers_have_no_value, 3)
{
	static const double numbers[] = {NAN, INFINITY, -INFINITY};
	const struct value rate = count_rate(&counted[0], numbers[_i], 1);

	ck_assert_double_nan(rate.number);
	ck_assert_double_nan(rate.seconds);
	ck_assert_int_eq(value_sum_add(&sum, &rate), 0);
	ck_assert_int_eq(value_sum_add(&sum, &rate), 0);
	ck_assert_double_nan(sum_up().number);
}
