/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole runs of a command line, each in a process of its own, as it gives up its rights. */
#ifndef CXLMON_TEST_CLI_RUN_LINE_H
#define CXLMON_TEST_CLI_RUN_LINE_H

#include <sys/types.h>

#include "cli/common.h"
#include "line.h"

struct outcome {
	int status;	 /* of the exit; 128 + the signal that ended it */
	char out[32768]; /* standard output; on a terminal also what is said */
	char said[4096]; /* standard error */
};

/* The first word is the subcommand's name. No file that it writes gets longer than a MiB. */
void run_line(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
	      struct outcome *outcome);

/* Where all three standard files are the terminal that controls it, whose TERM is dumb. */
void run_line_on_terminal(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
			  struct outcome *outcome);

/* Where that terminal has a screen, and these keys have been typed already. */
void run_line_on_screen(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
			const char *keys, struct outcome *outcome);

/* In two steps; files: the standard ones. The status is as above. */
pid_t run_line_start(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
		     const int files[3]);
int run_line_wait(pid_t child);

#endif
