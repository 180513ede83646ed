/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The intake takes the records of a sampler. It finds the process and the memory of each sample,
 * and adds it to the rows of each set that wants it. If rows are by function, a sample may wait for
 * its function's name.
 */
#ifndef CXLMON_PROCESS_INTAKE_H
#define CXLMON_PROCESS_INTAKE_H

#include "base/error.h"
#include "base/share.h"
#include "platform/load_sample.h"
#include "platform/memory.h"
#include "process/functions.h"
#include "process/row_set.h"
#include "uncore/devices/cxl_nodes.h"

/* The most samples that wait for a function; further samples get no function. */
#define INTAKE_HELD_MOST 65536

#define INTAKE_SETS_MOST 4

/* A sample that waits for its function, with all that is needed to add it. */
struct held_sample {
	size_t set; /* index of the set that it is added to */
	struct load_sample sample;
	struct process_entry process; /* copy, because the process may end */
	struct kept_mapping mapping;
	struct sample_place place; /* points to .process and .mapping */
};

/*
 * All zero before process_intake_init(), except members that the caller sets. Used by one thread.
 */
struct process_intake {
	/* set by the caller: .p before process_intake_init(), others before a reading; not owned */
	struct sampler *sampler;
	/* source of processes; NULL: only records name processes */
	struct platform *p;
	const struct cxl_nodes *nodes; /* nodes of CXL memory */
	struct memory_map map;	       /* nodes by physical address; owned */

	struct row_set sets[INTAKE_SETS_MOST]; /* each makes its own rows of the same samples */
	size_t set_count;
	struct process_names names; /* names of all rows */
	struct process_table processes;
	/* functions of rows by function, if .with_functions */
	struct process_functions functions;
	bool with_functions;	    /* symbol processes find functions */
	struct kept_mapping kernel; /* names kernel code; only .name is set */
	struct kept_mapping guest;  /* names all memory of a guest; only .name is set */
	struct held_sample *held;   /* samples that wait, in order of arrival */
	size_t held_count;
	struct share held_by; /* shares of users in .held */
	uint64_t looked_ns;   /* time of the last search for ended processes */
	/* end and duration of the last removal of unused names */
	uint64_t swept_ns, sweep_took_ns;
	uint64_t not_held; /* samples that had no room to wait */
	/* samples whose physical address belongs to no known node */
	uint64_t unmapped;
	/* all samples so far by event, wanted or not */
	uint64_t samples[LOAD_EVENTS_MOST];
};

/*
 * Makes an intake without sets. symbols: processes that find names of functions; not owned; NULL:
 * none. 0 or -ENOMEM. Freed by process_intake_free(), even after failure.
 */
int process_intake_init(struct process_intake *intake, struct symbol_process *symbols);
/* Frees all except what the caller owns; also frees .map. */
void process_intake_free(struct process_intake *intake);

/*
 * Adds a set of rows, whose index is .set_count - 1 then. The caller adds at most INTAKE_SETS_MOST
 * sets. options: a row_set with the members that the caller sets. 0 or -ENOMEM.
 */
int process_intake_add_set(struct process_intake *intake, const struct row_set *options);

/* Empties a set, and limits it to these processes; pids are not copied. 0 or -ENOMEM. */
int process_intake_restart(struct process_intake *intake, size_t set, const unsigned *pids,
			   size_t count);

/* Takes all waiting records, without waiting for more. */
void process_intake_read(struct process_intake *intake);

/*
 * Begins the next interval of the first set; the sums of the others go on. Sometimes also removes
 * names that nothing uses any more.
 */
void process_intake_next(struct process_intake *intake);

/*
 * Waits up to wait_ns for names of functions, then adds all samples that wait, with a name or
 * without. If names are still missing after wait_ns, later samples also get none.
 */
void process_intake_finish(struct process_intake *intake, uint64_t wait_ns);

/* Writes notes about samples and names that are missing or inexact, at the end of the run. */
void process_intake_say_left_out(const struct process_intake *intake, const struct log *log);

#endif
