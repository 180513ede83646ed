/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of selftest --share: what is taken, and what is not. */
#include "probe/selftest/share.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static struct shared_test test;

static void tear_down(void)
{
	shared_test_free(&test);
}

FIXTURE(NULL, tear_down)

#define FILE_OF(processor, formulas)                                                                       \
	"{\"cxlmon_selftest\": 1, \"cxlmon\": \"0.1.0\", \"kernel\": \"6.18\", \"processor\": {" processor \
	"}, \"formulas\": [" formulas "]}"
#define FORMULA_AS(as, idle, noise, steps)                                                         \
	"{\"metric\": \"m\", \"source\": null, \"backend\": \"raw\", \"memory\": \"cxl\", "        \
	"\"device\": \"1b00:c002\", \"judged_as\": \"" as "\", \"idle\": " idle                    \
	", \"noise\": " noise ", \"steps\": [" steps "]}"
#define FORMULA(steps)	     FORMULA_AS("rate", "0", "0", steps)
#define STEP(moved, counted) "{\"moved\": " moved ", \"counted\": " counted "}"

static int decode(const char *text, struct error *err)
{
	return shared_test_decode(text, strlen(text), &test, err);
}

TEST(test_a_file_is_taken)
{
	struct error err = {0};

	ck_assert_msg(!decode(FILE_OF("\"name\": \"X\", \"model\": 173, \"simulated\": true",
				      FORMULA(STEP("100", "50") "," STEP("3", "3.5"))),
			      &err),
		      "%s", err.text);
	ck_assert_str_eq(test.processor, "X");
	ck_assert_str_eq(test.vendor, "");
	ck_assert_int_eq(test.model, 173);
	ck_assert_int_eq(test.stepping, -1);
	ck_assert(test.simulated);
	ck_assert_uint_eq(test.count, 1);
	ck_assert_str_eq(test.formulas[0].device, "1b00:c002");
	ck_assert_str_eq(test.formulas[0].source, "");
	ck_assert_int_eq(test.formulas[0].judged.judgement, JUDGED_OFF);
	ck_assert(test.formulas[0].judged.off_pct == -50);
	ck_assert_uint_eq(test.formulas[0].ratio_count, 2);
	ck_assert(test.formulas[0].ratios[0] == 0.5);
}

TEST(test_a_step_without_traffic_or_count_has_no_ratio)
{
	struct error err = {0};

	ck_assert(!decode(
		FILE_OF("", FORMULA(STEP("0", "5") "," STEP("null", "5") "," STEP(
				    "5", "null") "," STEP("1e-300", "1e300") "," STEP("4", "2"))),
		&err));
	ck_assert_uint_eq(test.formulas[0].ratio_count, 1);
	ck_assert(test.formulas[0].ratios[0] == 0.5);
}

/* One step, moved and counted, and what it is judged to be. */
static const struct {
	const char *text;
	enum judgement judgement;
	double ratio; /* 0: none */
} judged[] = {
	{FILE_OF("", FORMULA_AS("rate", "10", "0", STEP("100", "110"))), JUDGED_AGREES, 1},
	{FILE_OF("", FORMULA_AS("rate", "0", "0", STEP("100", "110"))), JUDGED_OFF, 1.1},
	{FILE_OF("", FORMULA_AS("rate", "0", "10", STEP("100", "110"))), JUDGED_UNCLEAR, 1.1},
	{FILE_OF("", FORMULA_AS("rate", "30", "0", STEP("100", "105"))), JUDGED_DISPLACED, 0.75},
	{FILE_OF("", FORMULA_AS("rate", "null", "null", STEP("100", "100"))), JUDGED_NOT_COUNTED},
	/* what is counted when idle is no part of a latency, which may begin at the CHA */
	{FILE_OF("", FORMULA_AS("latency", "50", "0", STEP("400", "300"))), JUDGED_AGREES, 0.75},
	{FILE_OF("", FORMULA_AS("latency", "null", "null", STEP("400", "300"))), JUDGED_AGREES,
	 0.75},
	{FILE_OF("", FORMULA_AS("latency", "null", "null", STEP("400", "200"))), JUDGED_OFF, 0.5},
	{FILE_OF("", FORMULA_AS("latency", "null", "null", STEP("0", "200"))), JUDGED_NOT_COUNTED},
	{FILE_OF("", FORMULA_AS("latency_from_core", "null", "null", STEP("400", "300"))),
	 JUDGED_OFF, 0.75},
	{FILE_OF("", FORMULA_AS("latency_from_core", "null", "null", STEP("400", "400"))),
	 JUDGED_AGREES, 1},
	{FILE_OF("", FORMULA("")), JUDGED_NOT_COUNTED},
};

TEST_LOOP(test_the_figures_decide, COUNT_OF(judged))
{
	struct error err = {0};

	ck_assert_msg(!decode(judged[_i].text, &err), "%s", err.text);
	ck_assert_int_eq(test.formulas[0].judged.judgement, judged[_i].judgement);
	ck_assert_uint_eq(test.formulas[0].ratio_count, judged[_i].ratio > 0);
	ck_assert(!(judged[_i].ratio > 0) || test.formulas[0].ratios[0] == judged[_i].ratio);
}

#define STEP5                                                                                      \
	STEP("1", "1") "," STEP("1", "1") "," STEP("1", "1") "," STEP("1", "1") "," STEP("1", "1")

static const struct {
	const char *text, *why;
} refused[] = {
	{"", "line 1: '[' or '{' expected near end of file"},
	{"[]", "cxlmon_selftest: expected 1"},
	{"{\"cxlmon_selftest\": 2}", "cxlmon_selftest: expected 1"},
	{"{\"cxlmon_selftest\": 1, \"cxlmon_selftest\": 1}", "line 1: duplicate object key"},
	{"{\"cxlmon_selftest\": 1}", "cxlmon: expected a short text"},
	{"{\"cxlmon_selftest\": 1, \"cxlmon\": \"1\"}", "formulas: expected an array"},
	{FILE_OF("\"name\": \"a|b\"", ""), "name: expected a short text"},
	{FILE_OF("\"name\": \"\\u001b[2J\"", ""), "name: expected a short text"},
	{FILE_OF("\"name\": \"a\\nb\"", ""), "name: expected a short text"},
	{FILE_OF("\"name\": \"<script>\"", ""), "name: expected a short text"},
	{FILE_OF("\"name\": \"\"", ""), "name: expected a short text"},
	{FILE_OF("\"name\": 5", ""), "name: expected a short text"},
	{FILE_OF("\"vendor\": \"0123456789012345678901234567890123456789012345678901234567890123\"",
		 ""),
	 "vendor: expected a short text"},
	{FILE_OF("\"model\": -1", ""), "model: expected a number"},
	{FILE_OF("\"family\": 65536", ""), "family: expected a number"},
	{FILE_OF("\"stepping\": 1.5", ""), "stepping: expected a number"},
	{FILE_OF("", "5"), "metric: expected a short text"},
	{FILE_OF("", FORMULA_AS("guess", "0", "0", "")), "judged_as: expected rate, latency or "},
	{FILE_OF("", FORMULA_AS("rate", "-1", "0", "")), "idle: expected a number from 0 on, "},
	{FILE_OF("", FORMULA_AS("rate", "0", "\"0\"", "")), "noise: expected a number from 0 on, "},
	{FILE_OF("", FORMULA("{\"moved\": 1}")), "counted: expected a number from 0 on, or null"},
	{FILE_OF("", FORMULA(STEP("-1", "1"))), "moved: expected a number from 0 on, or null"},
	{FILE_OF("", FORMULA(STEP("1", "1") ",5")), "moved: expected a number from 0 on, or null"},
	{FILE_OF("", FORMULA(STEP5 "," STEP5 "," STEP5 "," STEP("1", "1"))),
	 "steps: expected an array of 15 at most"},
};

TEST_LOOP(test_what_is_none_is_refused, COUNT_OF(refused))
{
	struct error err = {0};

	ck_assert_int_eq(decode(refused[_i].text, &err), -EINVAL);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_msg(!strncmp(err.text, refused[_i].why, strlen(refused[_i].why)), "%s", err.text);
}

TEST(test_what_may_stand_in_a_file)
{
	ck_assert(share_is_text("Granite Rapids-D"));
	ck_assert(share_is_text("1b00:c002"));
	ck_assert(!share_is_text(""));
	ck_assert(!share_is_text("a`b"));
	ck_assert(!share_is_text("\303\251"));
}
