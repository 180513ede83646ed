/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes the records of a sampler: each sample gets its process and its memory, and is added to the
 * rows of each set that wants it. If rows are by function, a sample waits for its function's
 * name.
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

#define INTAKE_HELD_MOST 65536 /* samples of all users; further ones get no function */

#define INTAKE_SETS_MOST 4

/* A sample that waits for its function, with all that is needed to add it. */
struct held_sample {
	size_t set; /* set that the sample is added to */
	struct load_sample sample;
	struct process_entry process; /* copy, because the process may end */
	struct kept_mapping mapping;
	struct sample_place place; /* points to .process and .mapping */
};

struct process_intake {
	/* set by the caller */
	struct sampler *sampler;
	/* source of processes; NULL: only records name processes */
	struct platform *p;
	const struct cxl_nodes *nodes;	       /* nodes of CXL memory */
	struct memory_map map;		       /* freed by process_intake_free() */
	struct row_set sets[INTAKE_SETS_MOST]; /* each makes its own rows of the same samples */
	size_t set_count;

	struct process_names names;
	struct process_table processes;
	/* functions of rows by function, unless the sampler reports them */
	struct process_functions functions;
	bool with_functions;
	struct kept_mapping kernel; /* names kernel code; only .name is set */
	struct kept_mapping guest;  /* names all of a guest; only .name is set */
	struct held_sample *held;   /* samples in order of arrival */
	size_t held_count;
	struct share held_by; /* shares of users */
	uint64_t looked_ns;   /* time of the last search for ended processes */
	/* time and duration of the last sweep of names */
	uint64_t swept_ns, sweep_took_ns;
	uint64_t not_held; /* samples that had no room to wait */
	/* samples whose physical address belongs to no known node */
	uint64_t unmapped;
	/* all samples so far by event, also unwanted ones */
	uint64_t samples[LOAD_EVENTS_MOST];
};

/* symbols: not owned; NULL: none. 0 or -ENOMEM. Freed by process_intake_free() in any case. */
int process_intake_init(struct process_intake *intake, struct symbol_process *symbols);
void process_intake_free(struct process_intake *intake);

/* Adds .sets[.set_count - 1] with these options. 0 or -ENOMEM. */
int process_intake_add_set(struct process_intake *intake, const struct row_set *options);

/* Restarts a set, limited to these processes. 0 or -ENOMEM. */
int process_intake_restart(struct process_intake *intake, size_t set, const unsigned *pids,
			   size_t count);

/* Takes all waiting records. */
void process_intake_read(struct process_intake *intake);

/* Begins the next interval of the first set; the others have sums since their start. */
void process_intake_next(struct process_intake *intake);

/*
 * Waits up to wait_ns for names of functions, then adds all samples that wait, with a name or
 * without.
 */
void process_intake_finish(struct process_intake *intake, uint64_t wait_ns);

/* Writes notes at the end of the run about samples and names that are missing or inexact. */
void process_intake_say_left_out(const struct process_intake *intake, const struct log *log);

#endif
