/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two processes that find names of functions, so that no thread that samples reads a file, and no
 * process with rights reads what strangers wrote:
 *
 *     the run ── questions ──> cxlmon-opener ── files ──> cxlmon-symbols ──┐
 *        ^───────────────────────── answers ──────────────────────────────┘
 *
 * The first opens the file of a mapping of another process, and knows nothing of what is in it; the
 * second has no rights at all, and what it answers is not trusted. Of a stripped file it tells the
 * first one the build id, for debugging information that is installed. Each opens or reads a file
 * in a child process with limits, and meanwhile those of other users.
 */
#ifndef CXLMON_PROBE_HOT_SYMBOL_PROCESS_H
#define CXLMON_PROBE_HOT_SYMBOL_PROCESS_H

#include "base/error.h"
#include "linux/rights/sudo_user.h"
#include "probe/hot/symbol_messages.h"

struct symbol_process {
	pid_t pid;		/* 0: none */
	int questions, answers; /* pipes, that do not block; -1: none */
};

/*
 * Starts them, from a process with one thread that still has its rights. ERROR_FAILED: libelf is
 * missing, or they cannot be started.
 */
int symbol_process_start(const struct sudo_user *caller, struct symbol_process *out,
			 struct error *err);

/* False: not now, there are too many questions. */
bool symbol_process_ask(struct symbol_process *process, const struct symbol_question *question);

/*
 * The next answer, in any order; for each question there is one. Waits up to so many ms. 1, 0: none
 * yet; -ECHILD: there will be no more.
 */
int symbol_process_next(struct symbol_process *process, int wait_ms, struct symbol_answer *out);

/* Lets them end. */
void symbol_process_stop(struct symbol_process *process);

#endif
