/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording on the screen, on a terminal. */
#include "cli/cli_private.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "cli/options.h"
#include "run_line.h"
#include "unit.h"

EACH_IN_A_PROCESS
TREE_FIXTURE(NULL, NULL)

#define MOST_MS 20000 /* time that a working screen never takes */

static struct outcome outcome;
static char text[1 << 18];

/* Reads the drawing until it has the expected text. Returns false if nothing more comes. */
static bool wait_for(int user, const char *expected)
{
	struct pollfd drawn = {.fd = user, .events = POLLIN};
	size_t length = 0;
	ssize_t got;

	while (!strstr(text, expected)) {
		if (poll(&drawn, 1, MOST_MS) <= 0)
			return false;
		got = read(user, text + length, sizeof(text) - 1 - length);
		if (got <= 0)
			return false;
		length += (size_t)got;
	}
	return true;
}

/* Samples follow each other without a key, also at the shortest interval. */
TEST(test_a_recording_is_played_to_its_end_and_stays_until_somebody_quits)
{
	const char *name = tree_path("recording.cxl");
	int user;

	setenv("TERM", "xterm", 1);
	run_line(&cmd_record,
		 (const char *const[MAX_WORDS]){"record", "-q", name,
						"--sim=spr,ports=1,clock=virtual", "100us", "5"},
		 &outcome);
	ck_assert_str_eq(outcome.said, "");
	const int terminal = open_terminal(&user), files[] = {terminal, terminal, terminal};
	const pid_t child = run_line_start(
		&cmd_replay, (const char *const[MAX_WORDS]){"replay", "--screen", name}, files);
	close(terminal);
	const bool ended = wait_for(user, "the recording ends here");
	if (!ended)
		kill(child, SIGKILL);
	ck_assert(ended);
	ck_assert_int_eq(write(user, "q", 1), 1);
	read_terminal(user, text, sizeof(text));
	ck_assert_int_eq(run_line_wait(child), EXIT_OK);
	close(user);
}
