/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of code addresses: what two other processes have answered, and what they were
 * asked. Which file a mapping is of is asked for each mapping of each process: a user can
 * choose what others have of it, its path and its inode. Memory is bounded: answers are forgotten,
 * and asked for again, where there are too many.
 */
#ifndef CXLMON_PROCESS_FUNCTIONS_H
#define CXLMON_PROCESS_FUNCTIONS_H

#include "linux/rights/sudo_user.h"
#include "process/table.h"

/*
 * symbol_process.c: two processes that find names of functions, so that no thread that samples
 * reads a file, and no process with rights reads what strangers wrote:
 *
 *     the run ── questions ──> cxlmon-opener ── files ──> cxlmon-symbols ──┐
 *        ^───────────────────────── answers ──────────────────────────────┘
 *
 * The first opens the file of a mapping of another process, and knows nothing of what is in it; the
 * second has no rights at all, and what it answers is not trusted. Of a stripped file it tells the
 * first one the build id, for debugging information that is installed. Each opens or reads a file
 * in a child process with limits, and meanwhile those of other users.
 */

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

/* Lets them end. */
void symbol_process_stop(struct symbol_process *process);

/* functions.c: answers, and questions. */

/* Files whose functions took too long to read that are named. */
#define FUNCTIONS_SKIPPED_MOST 3

struct process_functions {
	struct process_names *names;	   /* not owned */
	struct symbol_process *process;	   /* likewise */
	bool ended;			   /* there are no more answers */
	struct function_mapping *mappings; /* open addressing */
	struct function_place *places;	   /* likewise */
	size_t mapping_count, place_count;
	uint64_t asked;				  /* mappings so far */
	uint64_t left_out;			  /* samples of files for which there was no room */
	uint32_t skipped[FUNCTIONS_SKIPPED_MOST]; /* names of files */
	size_t skipped_count;			  /* FUNCTIONS_SKIPPED_MOST: there may be more */
};

/* 0 or -ENOMEM. Freed by process_functions_free(), also after failure. */
int process_functions_init(struct process_functions *functions, struct process_names *names,
			   struct symbol_process *process);
void process_functions_free(struct process_functions *functions);

/*
 * The name of the function whose code is at this address; NAME_UNKNOWN: it has none. mapping:
 * that has the code; NULL: it is the kernel's. False: not known yet, to be asked again after
 * process_functions_take().
 */
bool process_functions_find(struct process_functions *functions,
			    const struct process_entry *process, const struct kept_mapping *mapping,
			    uint64_t ip, uint32_t *function);

/* Keeps the names of all files and functions in the next sweep. */
void process_functions_use_names(const struct process_functions *functions);

/* Takes the answers that are there; waits up to so many ms for one. Whether there was any. */
bool process_functions_take(struct process_functions *functions, int wait_ms);

/* Waits for no more answers: the file that was asked for first is skipped. */
void process_functions_give_up(struct process_functions *functions);

#endif
