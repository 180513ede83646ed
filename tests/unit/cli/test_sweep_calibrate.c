/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include "cli/options.h"
#include "run_line.h"
#include "unit.h"

EACH_IN_A_PROCESS
TREE_FIXTURE(NULL, NULL)

#define SIM "--sim=spr,ddr_latency=96,latency=288,overlap=96,clock=virtual"
#define FOR(s)                                                                                     \
	"cxlmon: runs on 2 CPUs, with memory of node 0 and of node 1 in turn, for about " s " s; "
#define TABLE "                   waits, node 0 (DRAM)                waits, node 1\n"

static struct outcome outcome;

static const struct {
	const char *seconds, *said;
} lengths[] = {
	{"60", FOR("60") "Ctrl-C stops it\n"},
	{"14", FOR("14") "Ctrl-C stops it\n"},
};

TEST_LOOP(test_it_says_how_long_a_calibration_takes, COUNT_OF(lengths))
{
	run_line(&cmd_sweep,
		 (const char *const[MAX_WORDS]){"sweep", "--calibrate", SIM, "--seconds",
						lengths[_i].seconds, tree_path("calibration.cxl")},
		 &outcome);
	ck_assert_str_eq(outcome.said, lengths[_i].said);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	ck_assert_int_eq(strncmp(outcome.out, TABLE, strlen(TABLE)), 0);
}

TEST(test_progress_is_gone_from_the_terminal_before_the_table)
{
	run_line_on_terminal(&cmd_sweep,
			     (const char *const[MAX_WORDS]){"sweep", "--calibrate", SIM,
							    tree_path("calibration.cxl")},
			     &outcome);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	assert_contains(outcome.out, "\r\033[K1 min 0 s left: chase 1 on node 0"
				     "\r\033[K56 s left: chase 1 on node 1\r");
	assert_contains(outcome.out, "stores on node 1\r\033[K" TABLE);
}
