/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of functions by code address. Two helper processes look them up in the files that processes
 * have mapped. The run keeps their answers. If answers are too many, it drops all and asks again.
 */
#ifndef CXLMON_PROCESS_FUNCTIONS_H
#define CXLMON_PROCESS_FUNCTIONS_H

#include "linux/rights/sudo_user.h"
#include "process/table.h"

/*
 * symbol_process.c: the two helper processes. With them, no thread that samples reads a file, and
 * no process with rights reads other users' data:
 *
 *     the run ── questions ──> cxlmon-opener ── files ──> cxlmon-symbols ──┐
 *        ^───────────────────────── answers ──────────────────────────────┘
 *
 * cxlmon-opener opens the files, and does not parse them. cxlmon-symbols parses them without any
 * rights, and its answers may be wrong. If a file is stripped, it asks cxlmon-opener for the
 * installed debugging information with the file's build id. Both handle each file in a child
 * process with limits, and files of different users at the same time.
 */

struct symbol_process {
	pid_t pid;		/* cxlmon-opener; 0: not started */
	int questions, answers; /* the run's ends of the sockets; -1: none */
};

/*
 * Starts both processes. The run must still have its rights, and only one thread. caller: the user
 * whose ids the processes take. Returns 0 or a negative errno (ERROR_FAILED): libelf is missing, or
 * a process cannot be started. *out is freed by symbol_process_stop(), even after failure.
 */
int symbol_process_start(const struct sudo_user *caller, struct symbol_process *out,
			 struct error *err);

/* Closes the sockets, which ends both processes. If they were not started, does nothing. */
void symbol_process_stop(struct symbol_process *process);

/* functions.c: questions and their answers. */

/* Most files in .skipped. */
#define FUNCTIONS_SKIPPED_MOST 3

struct process_functions {
	struct process_names *names;	   /* not owned */
	struct symbol_process *process;	   /* not owned */
	bool ended;			   /* no more answers will come */
	struct function_mapping *mappings; /* hash table of the mappings asked for */
	struct function_place *places;	   /* hash table of the offsets in files asked for */
	size_t mapping_count, place_count;
	uint64_t asked; /* questions about mappings so far */
	/* look-ups without an answer, because the helper processes had no room for the file */
	uint64_t left_out;
	/* files that took too long to read, or too much memory: numbers of their names in .names */
	uint32_t skipped[FUNCTIONS_SKIPPED_MOST];
	size_t skipped_count; /* FUNCTIONS_SKIPPED_MOST: more files may have been skipped */
};

/*
 * Initializes *functions without answers. names and process must outlive it. Returns 0 or -ENOMEM.
 * Freed by process_functions_free(), even after failure.
 */
int process_functions_init(struct process_functions *functions, struct process_names *names,
			   struct symbol_process *process);
void process_functions_free(struct process_functions *functions);

/*
 * Looks up the function with the code at ip, without waiting. mapping: the code's mapping; NULL:
 * kernel code.
 * - If the answer is pending, returns false: call again after process_functions_take().
 * - Otherwise returns true, and sets *function to the number of the function's name. NAME_UNKNOWN:
 *   no name was found, or .ended was set before an answer.
 */
bool process_functions_find(struct process_functions *functions,
			    const struct process_entry *process, const struct kept_mapping *mapping,
			    uint64_t ip, uint32_t *function);

/* Marks the names of all files and functions, so that process_names_sweep() keeps them. */
void process_functions_use_names(const struct process_functions *functions);

/*
 * Takes the answers that have come. If none has come, waits up to wait_ms for the first. Returns
 * true if an answer came, or this call has set .ended.
 */
bool process_functions_take(struct process_functions *functions, int wait_ms);

/* Sets .ended, and adds the file that has waited longest for an answer to .skipped. */
void process_functions_give_up(struct process_functions *functions);

#endif
