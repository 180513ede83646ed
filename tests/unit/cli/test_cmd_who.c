/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of cxlmon who on a simulated machine. */
#include "cli/common.h"
#include "run_line.h"
#include "unit.h"

EACH_IN_A_PROCESS

static struct outcome outcome;

/* Scripts take all lines except the first as rows. */
TEST(test_all_scans_of_a_run_are_rows_below_one_line_of_names)
{
	const char *const words[MAX_WORDS] = {"who", "--sim=gnr,clock=virtual", "--csv", "1", "3"};
	const char *const names = "time,interval_s,";

	run_line(&cmd_who, words, &outcome);
	ck_assert_str_eq(outcome.said, "");
	ck_assert_int_eq(outcome.status, EXIT_OK);
	ck_assert(!strncmp(outcome.out, names, strlen(names)));
	assert_lacks(outcome.out + strlen(names), names);
	assert_contains(outcome.out, "\n2026-01-01T00:00:00.000000Z,,0,process,1001,");
	assert_contains(outcome.out, "\n2026-01-01T00:00:02.000000Z,1.000000,0,process,1001,");
}
