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
#define FORMULA(verdict, steps)                                                                    \
	"{\"metric\": \"m\", \"source\": null, \"backend\": \"raw\", \"memory\": \"cxl\", "        \
	"\"device\": \"1b00:c002\", \"verdict\": \"" verdict "\", \"steps\": [" steps "]}"
#define STEP(moved, counted) "{\"moved\": " moved ", \"counted\": " counted "}"

static int decode(const char *text, struct error *err)
{
	return shared_test_decode(text, strlen(text), &test, err);
}

TEST(test_a_file_is_taken)
{
	struct error err = {0};

	ck_assert_msg(!decode(FILE_OF("\"name\": \"X\", \"model\": 173, \"simulated\": true",
				      FORMULA("off", STEP("100", "50") "," STEP("3", "3.5"))),
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
	ck_assert_ptr_eq(test.formulas[0].verdict, judgement_names[JUDGED_OFF]);
	ck_assert_uint_eq(test.formulas[0].ratio_count, 2);
	ck_assert(test.formulas[0].ratios[0] == 0.5);
}

TEST(test_a_step_without_traffic_or_count_has_no_ratio)
{
	struct error err = {0};

	ck_assert(!decode(
		FILE_OF("",
			FORMULA("agrees",
				STEP("0", "5") "," STEP("null", "5") "," STEP("5", "null") "," STEP(
					"-1", "1") "," STEP("1e-300", "1e300") "," STEP("4", "2"))),
		&err));
	ck_assert_uint_eq(test.formulas[0].ratio_count, 1);
	ck_assert(test.formulas[0].ratios[0] == 0.5);
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
	{FILE_OF("", FORMULA("perfect", "")), "verdict: expected agrees"},
	{FILE_OF("", FORMULA("off", STEP5 "," STEP5 "," STEP5 "," STEP("1", "1"))),
	 "steps: expected an array of 15 at most"},
};

TEST_LOOP(test_what_is_none_is_refused, COUNT_OF(refused))
{
	struct error err = {0};

	ck_assert_int_eq(decode(refused[_i].text, &err), -EINVAL);
	ck_assert_int_eq(err.status, EXIT_USAGE);
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
