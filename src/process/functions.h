/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions by code address: answers of two other processes, and the questions asked so far. The
 * file of a mapping is asked for once for each mapping of each process, because a user can choose
 * everything that others see of it, such as path and inode. Memory is bounded: if there are too
 * many answers, some are forgotten, and asked for again.
 */
#ifndef CXLMON_PROCESS_FUNCTIONS_H
#define CXLMON_PROCESS_FUNCTIONS_H

#include "linux/rights/sudo_user.h"
#include "process/table.h"

/*
 * symbol_process.c: two processes that find names of functions, so that no thread that samples
 * reads a file, and no process with rights reads strangers' data:
 *
 *     the run ── questions ──> cxlmon-opener ── files ──> cxlmon-symbols ──┐
 *        ^───────────────────────── answers ──────────────────────────────┘
 *
 * cxlmon-opener opens the files that other processes have mapped, and does not read them.
 * cxlmon-symbols has no rights at all, and its answers are not trusted. It tells cxlmon-opener the
 * build id of a stripped file, to get debugging information that is installed. Each opens or reads
 * a file in a child process with limits, and files of other users at the same time.
 */

struct symbol_process {
	pid_t pid; /* 0: not started */
	/* non-blocking pipes; -1: none */
	int questions, answers;
};

/*
 * Starts both processes. Called while the run has one thread and its rights. ERROR_FAILED: libelf
 * is missing, or they cannot be started.
 */
int symbol_process_start(const struct sudo_user *caller, struct symbol_process *out,
			 struct error *err);

/* Closes the pipes, which ends both processes. */
void symbol_process_stop(struct symbol_process *process);

/* functions.c: questions and their answers. */

/* Limit of files named as skipped because reading their functions took too long. */
#define FUNCTIONS_SKIPPED_MOST 3

struct process_functions {
	struct process_names *names;	   /* not owned */
	struct symbol_process *process;	   /* not owned */
	bool ended;			   /* no more answers will come */
	struct function_mapping *mappings; /* open addressing */
	struct function_place *places;	   /* open addressing */
	size_t mapping_count, place_count;
	uint64_t asked; /* mappings asked for so far */
	/* samples of files that the symbol processes had no room for */
	uint64_t left_out;
	uint32_t skipped[FUNCTIONS_SKIPPED_MOST]; /* names of files */
	size_t skipped_count; /* FUNCTIONS_SKIPPED_MOST: more may have been skipped */
};

/* 0 or -ENOMEM. Freed by process_functions_free(), also after failure. */
int process_functions_init(struct process_functions *functions, struct process_names *names,
			   struct symbol_process *process);
void process_functions_free(struct process_functions *functions);

/*
 * Sets *function to the name of the function with the code at ip; NAME_UNKNOWN: it has none.
 * mapping: the code's mapping; NULL: kernel code. Returns false if the answer is pending: call
 * again after process_functions_take().
 */
bool process_functions_find(struct process_functions *functions,
			    const struct process_entry *process, const struct kept_mapping *mapping,
			    uint64_t ip, uint32_t *function);

/* Keeps the names of all files and functions in the next sweep. */
void process_functions_use_names(const struct process_functions *functions);

/* Takes the answers that have come; waits up to wait_ms for the first. Returns true if any came. */
bool process_functions_take(struct process_functions *functions, int wait_ms);

/* Ends the wait for answers: counts the file that was asked for first as skipped. */
void process_functions_give_up(struct process_functions *functions);

#endif
