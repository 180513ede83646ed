/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/distribution.h"

#include <math.h>

#include "unit.h"

static const struct {
	size_t count;
	unsigned percent;
	double value; /* percentile of 1, 2, 3, ... */
} ranks[] = {
	{1, 50, 1},    {1, 100, 1},    {2, 50, 1},     {2, 51, 2},	{3, 50, 2},
	{4, 50, 2},    {20, 95, 19},   {21, 95, 20},   {100, 50, 50},	{100, 95, 95},
	{100, 99, 99}, {101, 99, 100}, {200, 99, 198}, {1000, 95, 950}, {1000, 100, 1000},
};

TEST_LOOP(test_a_percentile_is_the_nearest_rank, (int)COUNT_OF(ranks))
{
	double sorted[1000];

	for (size_t i = 0; i < COUNT_OF(sorted); i++)
		sorted[i] = (double)i + 1;
	ck_assert_double_eq(percentile(sorted, ranks[_i].count, ranks[_i].percent),
			    ranks[_i].value);
}

TEST(test_what_is_not_known_is_in_no_figure)
{
	const double values[] = {NAN, 3, 1, NAN, 2, -7, NAN};
	struct statistics s;

	ck_assert_int_eq(statistics_make(values, COUNT_OF(values), 12, 8, &s), 0);
	ck_assert_uint_eq(s.known, 4);
	ck_assert_double_eq(s.mean, 1.5);
	ck_assert_double_eq(s.p50, 1);
	ck_assert_double_eq(s.p95, 3);
	ck_assert_double_eq(s.p99, 3);
	ck_assert_double_eq(s.max, 3);
}

TEST(test_nothing_known_has_no_figures)
{
	const double values[] = {NAN, NAN};
	struct statistics s;

	ck_assert_int_eq(statistics_make(values, 2, 0, 0, &s), 0);
	ck_assert_uint_eq(s.known, 0);
	ck_assert(isnan(s.mean) && isnan(s.p50) && isnan(s.p99) && isnan(s.max));
	ck_assert_int_eq(statistics_make(NULL, 0, 0, 0, &s), 0);
	ck_assert(isnan(s.mean));
}
