/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line on a terminal with the time that a command still takes, and its present step:
 *
 *   12 s left: node 1 (mem0, socket 0 port 0): 75 % reads, at 85 % load
 */
#ifndef CXLMON_CLI_PROGRESS_H
#define CXLMON_CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/cli_private.h"

#define PROGRESS_UNKNOWN UINT64_MAX /* a time left that is not printed */

struct progress {
	struct log log; /* passes on messages, each in place of the line */

	/* Private members. */
	FILE *out; /* NULL: nothing is shown */
	const struct log *next;
	uint64_t started_ns, due_ns;
	atomic_bool shown;
};

/* Returns standard error if it is a terminal and its user wants messages, else NULL. */
FILE *progress_terminal(enum verbosity verbosity);

/* Begins without a line. out NULL: none is ever shown. log receives the messages of p->log. */
void progress_begin(struct progress *p, FILE *out, const struct log *log);
void progress_end(struct progress *p);

/* Shows a line, of whole words that fit. */
__attribute__((format(printf, 3, 4))) void progress_show(struct progress *p, uint64_t left_ns,
							 const char *format, ...);

/*
 * Functions for work without planned steps, of which any part may be short. Times are of any clock
 * that only advances, in ns.
 */

/* Starts the work. No line is due in its first second. */
void progress_start(struct progress *p, uint64_t now_ns);
/* Returns true a few times per second: a new line is due. */
bool progress_is_due(struct progress *p, uint64_t now_ns);
/* Estimates the time left by the part done since the start. total 0: PROGRESS_UNKNOWN. */
uint64_t progress_left(const struct progress *p, uint64_t now_ns, uint64_t done, uint64_t total);

#endif
