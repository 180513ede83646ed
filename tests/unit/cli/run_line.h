/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole runs of a command line. Each is a process, because it gives up its privileges. */
#ifndef CXLMON_TEST_CLI_RUN_LINE_H
#define CXLMON_TEST_CLI_RUN_LINE_H

#include <sys/types.h>

#include "cli/common.h"
#include "line.h"

struct outcome {
	int status;	 /* exit status, or 128 + the signal that ended the run */
	char out[32768]; /* standard output; on a terminal also standard error */
	char said[4096]; /* standard error */
};

/* Runs a command line; words[0] is the subcommand's name. Limits files that it writes to 1 MiB. */
void run_line(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
	      struct outcome *outcome);

/* Runs it with its three standard files on its controlling terminal, which has TERM=dumb. */
void run_line_on_terminal(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
			  struct outcome *outcome);

/* Runs it on a terminal that has a screen, with these keys as its input. */
void run_line_on_screen(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
			const char *keys, struct outcome *outcome);

/*
 * Starts a run with these standard files: input, output and error. run_line_wait() waits for its
 * end, and returns struct outcome.status.
 */
pid_t run_line_start(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
		     const int files[3]);
int run_line_wait(pid_t child);

/* Opens a terminal that leaves the ends of lines as they are. Returns the side of programs. */
int open_terminal(int *side_of_user);

/* Reads until no program has the terminal any more. Drops text that does not fit. */
void read_terminal(int side_of_user, char *text, size_t size);

#endif
