/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/spread.h"

#include <math.h>

#include "unit.h"

#define MOST 8

static const struct {
	double values[MOST];
	size_t count, known;
	double median, deviation;
} spreads[] = {
	{{401, 402, 405, 812}, 4, 4, 403.5, 2},
	{{3, 1, 2}, 3, 3, 2, 1},
	{{7}, 1, 1, 7, 0},
	{{1, 1, 1, 9}, 4, 4, 1, 0},
	{{NAN, 5, NAN, 1, 3}, 5, 3, 3, 2}, /* unknown values do not count as 0 */
	{{-2, 0, 2}, 3, 3, 0, 2},
	{{NAN, NAN}, 2, 0, NAN, NAN},
	{{0}, 0, 0, NAN, NAN},
};

TEST_LOOP(test_a_spread_is_of_the_known_values, COUNT_OF(spreads))
{
	struct spread spread;

	ck_assert_int_eq(spread_make(spreads[_i].values, spreads[_i].count, &spread), 0);
	ck_assert_uint_eq(spread.known, spreads[_i].known);
	assert_double(spread.median, spreads[_i].median, 0);
	assert_double(spread.deviation, spreads[_i].deviation, 0);
}

static const struct {
	double values[MOST];
	size_t count;
	double least;
	bool stands_out; /* the last value */
} decided[] = {
	{{402, 400, 812}, 3, 0, true},
	{{402, 400, 430}, 3, 0, false},	     /* more than 5 deviations, but within 10 % */
	{{100, 200, 300, 550}, 4, 0, false}, /* more than 10 %, but within 5 deviations */
	{{400, 812}, 2, 0, false},	     /* neither of two is the usual one */
	{{400, NAN, 812}, 3, 0, false},
	{{400, 400, 400, 440}, 4, 0, false}, /* exactly 10 % */
	{{400, 400, 400, 441}, 4, 0, true},
	{{400, 400, 400, 350}, 4, 0, true},
	{{0, 0, 0, 90}, 4, 100, false},
	{{0, 0, 0, 101}, 4, 100, true},
	{{400, 400, 400, NAN}, 4, 0, false},
};

TEST_LOOP(test_a_value_stands_out_if_it_is_far_from_all_others, COUNT_OF(decided))
{
	const double last = decided[_i].values[decided[_i].count - 1];
	struct spread spread;

	ck_assert_int_eq(spread_make(decided[_i].values, decided[_i].count, &spread), 0);
	ck_assert_int_eq(spread_stands_out(&spread, last, decided[_i].least),
			 decided[_i].stands_out);
	ck_assert(!spread_stands_out(&spread, spread.median, decided[_i].least));
}
