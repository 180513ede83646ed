/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line on a terminal with the time that work still takes, and its present step:
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

#define PROGRESS_UNKNOWN UINT64_MAX /* time left that is unknown, and not printed */

/* A line on a terminal. One thread shows it; any thread may log to .log. */
struct progress {
	struct log log; /* log for messages, each of which replaces the line */

	/* Private members. */
	FILE *out; /* terminal; NULL: nothing is shown */
	const struct log *next;
	uint64_t started_ns, due_ns;
	atomic_bool shown;
};

/* Returns standard error if it is a terminal and verbosity is not QUIET, else NULL. */
FILE *progress_terminal(enum verbosity verbosity);

/*
 * Initializes *p, which must not move, without showing a line. out: the terminal; NULL: no line is
 * ever shown. *log receives the messages of p->log, and must stay valid.
 */
void progress_begin(struct progress *p, FILE *out, const struct log *log);
/* Clears the line, if there is one. */
void progress_end(struct progress *p);

/* Replaces the line by the time left in ns, and as many words as fit after it. */
__attribute__((format(printf, 3, 4))) void progress_show(struct progress *p, uint64_t left_ns,
							 const char *format, ...);

/* Functions for work whose duration is unknown. now_ns: ns of a clock that is never set back. */

/* Notes the start of the work. No line is due in its first second. */
void progress_start(struct progress *p, uint64_t now_ns);
/* Returns true if a new line is due: at most 5 times per second, and only with a terminal. */
bool progress_is_due(struct progress *p, uint64_t now_ns);
/*
 * Returns the estimated time left in ns, if `done` of `total` was done since the start. If one of
 * both is 0, returns PROGRESS_UNKNOWN.
 */
uint64_t progress_left(const struct progress *p, uint64_t now_ns, uint64_t done, uint64_t total);

#endif
