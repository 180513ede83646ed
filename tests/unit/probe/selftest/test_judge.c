/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/judge.h"

#include <math.h>

#include "unit.h"

static const struct {
	struct judge_figures rates;
	enum judgement judgement;
	double off_pct;
} rates[] = {
	{{1000, 1000, 0, 0}, JUDGED_AGREES, 0},
	{{1000, 1019, 0, 0}, JUDGED_AGREES, 1.9},
	{{1000, 981, 0, 0}, JUDGED_AGREES, -1.9},
	{{1000, 1021, 0, 0}, JUDGED_OFF, 2.1},
	{{1000, 500, 0, 0}, JUDGED_OFF, -50},
	{{1000, 2000, 0, 0}, JUDGED_OFF, 100},
	{{1000, 0, 0, 0}, JUDGED_UNSEEN, -100},
	{{1000, 49, 0, 0}, JUDGED_UNSEEN, -95.1},
	{{1000, 51, 0, 0}, JUDGED_OFF, -94.9},
	/* steady traffic of others */
	{{1000, 6000, 5000, 0}, JUDGED_AGREES, 0},
	{{1000, 6500, 5000, 0}, JUDGED_OFF, 50},
	/* traffic of others that may have slowed down, in part or wholly */
	{{1000, 1070, 100, 0}, JUDGED_DISPLACED, -3},
	{{1000, 1000, 100, 0}, JUDGED_DISPLACED, -10},
	{{1000, 5000, 5000, 0}, JUDGED_DISPLACED, -100},
	{{1000, 4000, 5000, 0}, JUDGED_DISPLACED, -200},
	{{1000, 981, 5000, 0}, JUDGED_DISPLACED, -501.9},
	/* too little even if others have stopped */
	{{1000, 979, 100, 0}, JUDGED_OFF, -12.1},
	{{1000, 550, 50, 0}, JUDGED_OFF, -50},
	{{1000, 10, 10, 0}, JUDGED_UNSEEN, -100},
	{{1000, 979, 5000, 0}, JUDGED_UNSEEN, -502.1},
	/* traffic of others that changes */
	{{1000, 1000, 0, 21}, JUDGED_UNCLEAR, 0},
	{{1000, 1300, 100, 300}, JUDGED_UNCLEAR, 20},
	{{1000, 700, 0, 300}, JUDGED_UNCLEAR, -30},
	/* differences larger than all changes, and missing values */
	{{1000, 500, 0, 300}, JUDGED_OFF, -50},
	{{1000, 10, 0, 300}, JUDGED_UNSEEN, -99},
	{{1000, NAN, 0, 0}, JUDGED_NOT_COUNTED, NAN},
	{{0, 0, 0, 0}, JUDGED_NOT_COUNTED, NAN},
	{{NAN, 1000, 0, 0}, JUDGED_NOT_COUNTED, NAN},
	{{1000, 1000, NAN, NAN}, JUDGED_NOT_COUNTED, NAN},
};

TEST_LOOP(test_rate_is_judged_by_what_was_moved_beside_what_others_do, COUNT_OF(rates))
{
	const struct judged judged = judge_rate(&rates[_i].rates);

	ck_assert_int_eq(judged.judgement, rates[_i].judgement);
	assert_double(judged.off_pct, rates[_i].off_pct, 1e-9);
}

static const struct {
	double chase, counted;
	enum judgement judgement;
} latencies[] = {
	{320, 320, JUDGED_AGREES},	{320, 326, JUDGED_AGREES}, {320, 327, JUDGED_OFF},
	{320, 200, JUDGED_AGREES},	{320, 199, JUDGED_OFF},	   {320, 640, JUDGED_OFF},
	{110, 61, JUDGED_AGREES},	{110, 60, JUDGED_OFF},	   {110, NAN, JUDGED_NOT_COUNTED},
	{NAN, 110, JUDGED_NOT_COUNTED},
};

TEST_LOOP(test_latency_from_the_cha_on_is_shorter_than_that_of_a_core, COUNT_OF(latencies))
{
	ck_assert_int_eq(judge_latency(latencies[_i].chase, latencies[_i].counted, false).judgement,
			 latencies[_i].judgement);
}

TEST_LOOP(test_latency_from_the_core_on_is_that_of_the_chase, 6)
{
	static const struct {
		double counted;
		enum judgement judgement;
	} counts[] = {{107, JUDGED_AGREES},   {102.5, JUDGED_AGREES}, {101, JUDGED_OFF},
		      {112.5, JUDGED_AGREES}, {114, JUDGED_OFF},      {61, JUDGED_OFF}};

	ck_assert_int_eq(judge_latency(107.6, counts[_i].counted, true).judgement,
			 counts[_i].judgement);
}

#define AGREES                                                                                     \
	{                                                                                          \
		JUDGED_AGREES, 0.5                                                                 \
	}
#define OFF(pct)                                                                                   \
	{                                                                                          \
		JUDGED_OFF, pct                                                                    \
	}
#define UNSEEN                                                                                     \
	{                                                                                          \
		JUDGED_UNSEEN, -100                                                                \
	}
#define UNCLEAR                                                                                    \
	{                                                                                          \
		JUDGED_UNCLEAR, 3                                                                  \
	}
#define DISPLACED                                                                                  \
	{                                                                                          \
		JUDGED_DISPLACED, -4                                                               \
	}
#define NOT_COUNTED                                                                                \
	{                                                                                          \
		JUDGED_NOT_COUNTED, NAN                                                            \
	}

static const struct {
	struct judged steps[3];
	enum judgement judgement;
	double off_pct;
} lines[] = {
	{{AGREES, AGREES, AGREES}, JUDGED_AGREES, 0.5},
	{{AGREES, OFF(-7), OFF(5)}, JUDGED_OFF, -7},
	{{AGREES, UNCLEAR, AGREES}, JUDGED_UNCLEAR, 3},
	{{OFF(3), UNCLEAR, AGREES}, JUDGED_OFF, 3},
	{{DISPLACED, UNCLEAR, AGREES}, JUDGED_DISPLACED, -4},
	{{DISPLACED, UNSEEN, AGREES}, JUDGED_OFF, -100},
	{{UNSEEN, UNSEEN, UNSEEN}, JUDGED_UNSEEN, -100},
	{{UNSEEN, AGREES, OFF(-50)}, JUDGED_OFF, -100},
	{{UNSEEN, NOT_COUNTED, UNSEEN}, JUDGED_UNSEEN, -100},
	{{AGREES, NOT_COUNTED, AGREES}, JUDGED_AGREES, 0.5},
	{{NOT_COUNTED, NOT_COUNTED, NOT_COUNTED}, JUDGED_NOT_COUNTED, NAN},
};

TEST_LOOP(test_line_is_what_its_steps_are_together, COUNT_OF(lines))
{
	const struct judged judged = judge_all(lines[_i].steps, 3);

	ck_assert_int_eq(judged.judgement, lines[_i].judgement);
	assert_double(judged.off_pct, lines[_i].off_pct, 0);
}

TEST(test_line_without_steps_is_not_judged)
{
	ck_assert_int_eq(judge_all(NULL, 0).judgement, JUDGED_NOT_COUNTED);
}
