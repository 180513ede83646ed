/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/latencies.h"

#include <math.h>

#include "base/coder.h"
#include "unit.h"

TEST(test_without_reads_there_is_no_latency)
{
	struct latencies none = {.count = 0};

	latencies_add(&none, NAN, 1);
	ck_assert(isnan(latencies_percentile(&none, 50)));
}

TEST(test_percentiles_are_by_nearest_rank)
{
	struct latencies l = {.count = 0};

	for (unsigned i = 1; i <= 100; i++)
		latencies_add(&l, i / 10 + 1, 1);
	ck_assert_double_eq(latencies_percentile(&l, 50), 6);
	ck_assert_double_eq(latencies_percentile(&l, 90), 10);
	ck_assert_double_eq(latencies_percentile(&l, 99), 10);
}

/* A sample of a longer period stands for more reads. */
TEST(test_percentiles_are_of_reads_and_not_of_samples)
{
	struct latencies l = {.count = 0};

	for (unsigned i = 0; i < 90; i++)
		latencies_add(&l, 10, 100);
	for (unsigned i = 0; i < 10; i++)
		latencies_add(&l, 20, 1000000);
	ck_assert_double_eq(latencies_percentile(&l, 50), 20);
	ck_assert_uint_eq(l.count, 100);
	ck_assert_uint_eq(latencies_weight(&l), 90 * 100 + 10 * 1000000);
}

/* Each needs a sample that is above it: the 50th 2 samples, the 90th 10, the 99th 100. */
TEST(test_there_is_no_percentile_of_too_few_samples)
{
	static const struct {
		unsigned percent, samples;
	} least[] = {{50, 2}, {90, 10}, {99, 100}};
	struct latencies l = {.count = 0};

	for (unsigned n = 1; n <= 100; n++) {
		latencies_add(&l, 7, 1000);
		for (size_t i = 0; i < COUNT_OF(least); i++)
			ck_assert_int_eq(isnan(latencies_percentile(&l, least[i].percent)),
					 n < least[i].samples);
	}
}

TEST(test_long_latencies_are_off_by_3_percent_at_most)
{
	for (double ns = 1; ns < 1 << 20; ns *= 1.01) {
		struct latencies l = {.count = 0};

		latencies_add(&l, ns, 1);
		latencies_add(&l, 2e6, 1);
		ck_assert_double_le(fabs(latencies_percentile(&l, 50) - floor(ns)),
				    ns < 32 ? 0 : 0.032 * ns);
	}
}

TEST(test_the_longest_is_exact_and_bounds_the_others)
{
	struct latencies l = {.count = 0};

	latencies_add(&l, 1000000000, 1);
	latencies_add(&l, 1000, 1);
	ck_assert_double_eq(l.max, 1000000000);
	latencies_add(&l, 1000, 1);
	l.max = 1000;
	ck_assert_double_eq(latencies_percentile(&l, 50), 1000);
}

TEST(test_decoded_latencies_add_up)
{
	struct latencies first = {.count = 0}, second = {.count = 0}, sum = {.count = 0};
	struct bytes bytes = {.failed = false};
	struct coder out = {.out = &bytes};

	latencies_add(&first, 0, 7);
	latencies_add(&first, 300, 5);
	latencies_add(&second, 300, UINT32_MAX);
	latencies_add(&second, 1e12, 1);
	latencies_code(&out, &first);
	latencies_code(&out, &second);
	latencies_code(&out, &sum);
	struct coder in = {.at = bytes.data, .left = bytes.size};
	for (unsigned i = 0; i < 3; i++)
		latencies_code(&in, &sum);
	ck_assert(!in.bad && !in.left);
	latencies_merge(&first, &second);
	ck_assert_mem_eq(&sum, &first, sizeof(sum));
	bytes_free(&bytes);
}

/* Empty buckets beyond the last one, and more buckets than there are. */
TEST(test_a_coded_bucket_beyond_the_last_is_refused)
{
	static const uint8_t wrong[][8] = {
		{1, 0x90, 0x02, 1, 1, 0}, /* 272 empty ones */
		{2, 0x8f, 0x02, 1, 0, 1, 1, 0},
		{0x91, 0x02}, /* 273 buckets */
	};

	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct coder c = {.at = wrong[i], .left = sizeof(wrong[i])};
		struct latencies l = {.count = 0};

		latencies_code(&c, &l);
		ck_assert(c.bad);
	}
}
