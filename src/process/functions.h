/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of functions by code address. Two other processes answer questions for them; answers are
 * kept. Each mapping of each process is asked for separately, even if it has the same file, because
 * a user can choose everything that others see of the file, such as path and inode. Memory is
 * bounded: if there are too many answers, all are forgotten, and asked for again.
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
	pid_t pid;		/* 0: not started */
	int questions, answers; /* non-blocking pipes; -1: none */
};

/*
 * Starts both processes. Called while the run has one thread and its rights; caller: the user whose
 * rights they keep. ERROR_FAILED: libelf is missing, or they cannot be started.
 */
int symbol_process_start(const struct sudo_user *caller, struct symbol_process *out,
			 struct error *err);

/* Closes the pipes, which ends both processes. Does nothing if they were not started. */
void symbol_process_stop(struct symbol_process *process);

/* functions.c: questions and their answers. */

/* Most files in .skipped. */
#define FUNCTIONS_SKIPPED_MOST 3

struct process_functions {
	struct process_names *names;	   /* not owned */
	struct symbol_process *process;	   /* not owned */
	bool ended;			   /* no more answers will come */
	struct function_mapping *mappings; /* mappings asked for, open addressing */
	struct function_place *places;	   /* places in files asked for, open addressing */
	size_t mapping_count, place_count;
	uint64_t asked; /* mappings asked for so far */
	/* samples of files that the symbol processes had no room for */
	uint64_t left_out;
	/* names of files that were skipped, because reading their functions took too long */
	uint32_t skipped[FUNCTIONS_SKIPPED_MOST];
	size_t skipped_count; /* FUNCTIONS_SKIPPED_MOST: more may have been skipped */
};

/*
 * Begins without answers; names and process must outlive *functions. 0 or -ENOMEM. Freed by
 * process_functions_free(), even after failure.
 */
int process_functions_init(struct process_functions *functions, struct process_names *names,
			   struct symbol_process *process);
void process_functions_free(struct process_functions *functions);

/*
 * Sets *function to the name of the function with the code at ip; NAME_UNKNOWN: it has none, or
 * .ended is set. mapping: the code's mapping; NULL: kernel code. Never waits: returns false if the
 * answer is pending, to be called again after process_functions_take().
 */
bool process_functions_find(struct process_functions *functions,
			    const struct process_entry *process, const struct kept_mapping *mapping,
			    uint64_t ip, uint32_t *function);

/* Marks the names of all files and functions, so that process_names_sweep() keeps them. */
void process_functions_use_names(const struct process_functions *functions);

/*
 * Takes the answers that have come; waits up to wait_ms for the first. Returns true if one came, or
 * if this call has set .ended.
 */
bool process_functions_take(struct process_functions *functions, int wait_ms);

/* Sets .ended, and counts as skipped the file that was asked for first and not answered. */
void process_functions_give_up(struct process_functions *functions);

#endif
