/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/distribution.h"

#include <math.h>

#include "unit.h"

TEST(test_without_reads_there_is_no_latency)
{
	struct latencies none = {.count = 0};

	latencies_add(&none, NAN);
	ck_assert(isnan(latencies_percentile(&none, 50)));
}

TEST(test_percentiles_are_by_nearest_rank)
{
	struct latencies l = {.count = 0};

	for (unsigned i = 1; i <= 10; i++)
		latencies_add(&l, i);
	ck_assert_double_eq(latencies_percentile(&l, 50), 5);
	ck_assert_double_eq(latencies_percentile(&l, 90), 9);
	ck_assert_double_eq(latencies_percentile(&l, 99), 10);
}

TEST(test_long_latencies_are_off_by_3_percent_at_most)
{
	for (double ns = 1; ns < 1 << 20; ns *= 1.01) {
		struct latencies l = {.count = 0};

		latencies_add(&l, ns);
		latencies_add(&l, 2e6);
		ck_assert_double_le(fabs(latencies_percentile(&l, 50) - floor(ns)),
				    ns < 32 ? 0 : 0.032 * ns);
	}
}

TEST(test_the_longest_is_exact_and_bounds_the_others)
{
	struct latencies l = {.count = 0};

	latencies_add(&l, 1000000000);
	latencies_add(&l, 1000);
	ck_assert_double_eq(l.max, 1000000000);
	latencies_add(&l, 1000);
	l.max = 1000;
	ck_assert_double_eq(latencies_percentile(&l, 50), 1000);
}
