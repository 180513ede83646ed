/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/load_sample.h"

#include <errno.h>

#include "unit.h"

static const struct load_event any = {.name = "any"}, of_16 = {.name = "of 16", .multiple = 16};

TEST(test_periods_are_primes_or_multiples)
{
	ck_assert_uint_eq(load_round_period(&any, 1), 1);
	ck_assert_uint_eq(load_round_period(&any, 2), 2);
	ck_assert_uint_eq(load_round_period(&any, 4), 5);
	ck_assert_uint_eq(load_round_period(&any, 100000), 100003);
	ck_assert_uint_eq(load_round_period(&of_16, 1000), 1008);
	ck_assert_uint_eq(load_round_period(&of_16, 1008), 1008);
}

TEST(test_too_many_samples_make_the_period_longer)
{
	/* 2 CPUs, 8000 samples in 2 s: twice the limit of a CPU */
	ck_assert_uint_eq(load_next_period(&any, 1000, 8000, 2, 2, 0), 2003);
	ck_assert_uint_eq(load_next_period(&any, 1000, 40000, 2, 2, 0), 10007);
	ck_assert_uint_eq(load_next_period(&of_16, 4096, 8000, 2, 2, 0), 8192);
}

TEST(test_cost_makes_the_period_longer)
{
	/* 4000 samples on 8 CPUs: without other cost, 0.8 % */
	ck_assert_uint_eq(load_next_period(&any, 1000, 4000, 1, 8, 0.04), 4001);
	ck_assert_uint_eq(load_next_period(&any, 1000, 4000, 1, 8, 0.009), 1000);
}

TEST(test_cost_that_is_not_of_samples_does_not_change_the_period)
{
	ck_assert_uint_eq(load_next_period(&any, 1000, 0, 1, 1, 0.5), 1000);
	ck_assert_uint_eq(load_next_period(&any, 1000, 200, 1, 1, 0.5), 1000);
	/* cost does not keep the period long either */
	ck_assert_uint_eq(load_next_period(&any, 1009, 100, 1, 1, 0.5), 509);
}

TEST(test_few_samples_make_the_period_shorter)
{
	ck_assert_uint_eq(load_next_period(&any, 1009, 100, 1, 1, 0.0002), 509);
	ck_assert_uint_eq(load_next_period(&any, 1, 100, 1, 1, 0.0002), 1);
	/* without samples, a shorter period need not give more */
	ck_assert_uint_eq(load_next_period(&any, 1009, 0, 1, 1, 0), 1009);
	ck_assert_uint_eq(load_next_period(&of_16, 0x1000, 1, 1, 1, 0), 0x1000);
}

TEST(test_periods_end)
{
	ck_assert_uint_eq(load_next_period(&of_16, UINT64_C(1) << 31, 1000000, 1, 1, 1),
			  UINT64_C(1) << 31);
}

/* An event that shares its counter has samples of only a part of the time. */
TEST(test_counts_are_scaled_by_the_time_that_an_event_ran)
{
	const struct event_times from = {1000, 1000};
	static const struct {
		struct event_times to;
		double scale;
	} rows[] = {
		{{2000, 2000}, 1}, {{3000, 2000}, 2}, {{1000, 1000}, 1},
		{{5000, 1000}, 1}, /* it did not run: there is no sample to scale */
		{{500, 1500}, 1},  {{1100, 2000}, 1}, /* impossible */
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		ck_assert_double_eq(event_times_scale(&from, &rows[i].to), rows[i].scale);
}

TEST(test_a_kernel_without_addresses_is_told_which_one_has_them)
{
	const struct load_event since_6_1 = {.name = "ibs_op", .kernel = 6 << 16 | 1};
	struct error err;

	ck_assert_int_eq(load_event_check_kernel(&since_6_1, 5 << 16 | 19, &err), -ENODEV);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	ck_assert_str_eq(err.text, "ibs_op cannot be sampled with addresses: Linux has them from "
				   "6.1 on, and this is 5.19");
	ck_assert_int_eq(load_event_check_kernel(&since_6_1, 6 << 16 | 1, &err), 0);
	ck_assert_int_eq(load_event_check_kernel(&since_6_1, 0, &err), 0);
	ck_assert_int_eq(load_event_check_kernel(&any, 5 << 16, &err), 0);
}
