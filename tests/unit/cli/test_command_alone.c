/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting of only COMMAND: its process exists before it runs. */
#include "cli/common.h"
#include "run_line.h"
#include "unit.h"

EACH_IN_A_PROCESS

static struct outcome outcome;

TEST(test_a_command_that_can_not_be_run_is_named)
{
	const char *const words[MAX_WORDS] = {
		"cxlmon", "-q", "--sim=spr,clock=virtual", "-m",  "core", "--pid=command",
		"1",	  "--", "/nonexistent/program",	   "word"};

	run_line(&cmd_monitor, words, &outcome);
	ck_assert_int_eq(outcome.status, EXIT_NOT_FOUND);
	ck_assert_str_eq(outcome.out, "");
	ck_assert_str_eq(outcome.said, "cxlmon: /nonexistent/program: cannot be run: No such file "
				       "or directory\n");
}
