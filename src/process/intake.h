/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What becomes of the records of a sampler: each sample gets its process and its memory, and is
 * added to the rows of each set that wants it. Where rows are by function, a sample waits until its
 * name is known.
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

#define INTAKE_HELD_MOST 65536 /* of all users; further samples have no function */

#define INTAKE_SETS_MOST 4

/* A sample whose function is not known yet, and all that it is added by. */
struct held_sample {
	size_t set; /* that it is added to */
	struct load_sample sample;
	struct process_entry process; /* copies, as the process may end */
	struct kept_mapping mapping;
	struct sample_place place; /* that points to them */
};

struct process_intake {
	/* set by the caller */
	struct sampler *sampler;
	struct platform *p;	       /* of the processes; NULL: nothing is known but records */
	const struct cxl_nodes *nodes; /* whose memory is CXL memory */
	struct memory_map map;	       /* freed by process_intake_free() */
	struct row_set sets[INTAKE_SETS_MOST]; /* each has its rows of the same samples */
	size_t set_count;

	struct process_names names;
	struct process_table processes;
	struct process_functions functions; /* of rows by function, unless the sampler knows them */
	bool with_functions;
	struct kept_mapping kernel; /* of its code: a name alone */
	struct kept_mapping guest;  /* of all that a guest does, likewise */
	struct held_sample *held;   /* in the order of their coming */
	size_t held_count;
	struct share held_by;		  /* users */
	uint64_t looked_ns;		  /* when ended processes were looked for */
	uint64_t swept_ns, sweep_took_ns; /* when names were swept; how long that took */
	uint64_t not_held;		  /* samples, as there was no room */
	uint64_t unmapped; /* samples with a physical address of which no node is known */
	uint64_t samples[LOAD_EVENTS_MOST]; /* so far by event, also those that are not wanted */
};

/* symbols: not owned; NULL: none. 0 or -ENOMEM. Freed by process_intake_free() in any case. */
int process_intake_init(struct process_intake *intake, struct symbol_process *symbols);
void process_intake_free(struct process_intake *intake);

/* Adds a set with these options, .sets[.set_count - 1]. 0 or -ENOMEM. */
int process_intake_add_set(struct process_intake *intake, const struct row_set *options);

/* Begins a set anew, with these processes only. 0 or -ENOMEM. */
int process_intake_restart(struct process_intake *intake, size_t set, const unsigned *pids,
			   size_t count);

/* Takes all records that are there. */
void process_intake_read(struct process_intake *intake);

/* Begins the next interval of the first set; the others have sums since their start. */
void process_intake_next(struct process_intake *intake);

/* Waits for the names of functions up to so long, so that no sample is left. */
void process_intake_finish(struct process_intake *intake, uint64_t wait_ns);

/* At the end of the run: says in notes what is not in the rows, or not as it should be. */
void process_intake_say_left_out(const struct process_intake *intake, const struct log *log);

#endif
