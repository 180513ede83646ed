/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What people read. Standard error: one line a message, "cxlmon: ...", in systemd's journal with
 * its priority.
 */
#ifndef CXLMON_CLI_MESSAGES_H
#define CXLMON_CLI_MESSAGES_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "output/summary.h"

/* Which messages are printed besides errors. */
enum verbosity {
	NOT_VERBOSE,
	QUIET,	 /* nothing */
	VERBOSE, /* details, too */
};

struct log messages_log(enum verbosity verbosity);

void messages_error(const struct error *err);

/* Written by one call, so that it stays together. */
void messages_summary(const struct summary *summary, const char *processor, uint64_t elapsed_ns);

/* After EXIT_NO_UNIT of a machine that was no simulation (sim NULL): how to do without. */
void messages_try_simulation(int status, const char *sim);

/* Text in lines that end between words. */

/* Columns of the terminal at standard output; 0: it is none, and lines are as long as they are. */
int wrapped_width(void);

/*
 * Prints text, and a newline. The line has `used` columns already; those that follow are indented.
 * None has more than width columns, unless a single word has. Where width is 0, or too narrow for
 * that, it is one line.
 */
void wrapped_print(FILE *out, const char *text, int used, int indent, int width);

/* How many characters of text are whole words that fit; all of them if room is 0. */
int wrapped_cut(const char *text, int room);

#endif
