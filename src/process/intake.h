/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The intake takes the records of a sampler (platform/load_sample.h): sampled loads, and starts,
 * names and mappings of processes. It finds the process and the memory of each sample, and adds the
 * sample to sets of rows (row_set.h). If a set's rows are functions, a sample may wait for the name
 * of its function.
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

/* Most samples that wait for names of functions; further samples get none. */
#define INTAKE_HELD_MOST 65536

#define INTAKE_SETS_MOST 4 /* most sets of rows */

/* A sample that waits for the name of its function. */
struct held_sample {
	size_t set; /* index of the set that wants the sample */
	struct load_sample sample;
	struct process_entry process; /* copy, because the process may end */
	struct kept_mapping mapping;
	struct sample_place place; /* its pointers lead to .process and .mapping, or are NULL */
};

/* An intake, used by one thread. Initially all zero, except members that the caller sets. */
struct process_intake {
	/* set by the caller before process_intake_read(); not owned */
	struct sampler *sampler;
	/*
	 * tells names and owners of processes; set by the caller before process_intake_init();
	 * NULL: only records tell names
	 */
	struct platform *p;
	/* nodes of CXL memory; set by the caller before process_intake_read(); not owned */
	const struct cxl_nodes *nodes;
	/* nodes by physical address; set by the caller before process_intake_read(); owned */
	struct memory_map map;

	struct row_set sets[INTAKE_SETS_MOST]; /* each gets the samples of its processes */
	size_t set_count;
	struct process_names names; /* names in all rows */
	struct process_table processes;
	/* names of functions, if .with_functions */
	struct process_functions functions;
	bool with_functions;	    /* helper processes find names of functions */
	struct kept_mapping kernel; /* mapping of kernel code; only .name is set */
	struct kept_mapping guest;  /* mapping of a guest's memory; only .name is set */
	struct held_sample *held;   /* samples that wait, in order of arrival */
	size_t held_count;
	struct share held_by; /* shares of users in .held */
	uint64_t looked_ns;   /* time of the last search for ended processes */
	/* end and duration of the last removal of unused names */
	uint64_t swept_ns, sweep_took_ns;
	uint64_t not_held; /* samples that had no room to wait */
	/* samples whose physical address belongs to no known node */
	uint64_t unmapped;
	/* samples that have come so far, by event, including those that no set wants */
	uint64_t samples[LOAD_EVENTS_MOST];
};

/*
 * Makes an intake without sets. symbols: helper processes that find names of functions; not owned;
 * NULL: none. Returns 0 or -ENOMEM. Freed by process_intake_free(), even after failure.
 */
int process_intake_init(struct process_intake *intake, struct symbol_process *symbols);
/* Frees the intake and .map, but not .sampler, .p and .nodes. */
void process_intake_free(struct process_intake *intake);

/*
 * Adds a set of rows at the end of .sets, which must have room. options: a set as row_set_init()
 * takes it; copied. Returns 0 or -ENOMEM.
 */
int process_intake_add_set(struct process_intake *intake, const struct row_set *options);

/*
 * Empties a set, and limits it to the processes in pids. set: index in .sets. pids must remain
 * valid. Returns 0 or -ENOMEM.
 */
int process_intake_restart(struct process_intake *intake, size_t set, const unsigned *pids,
			   size_t count);

/* Takes the records that have come, without waiting for more. */
void process_intake_read(struct process_intake *intake);

/*
 * Begins the next interval of the first set; intervals of other sets never end. If many names were
 * added, also removes names that are not in use any more.
 */
void process_intake_next(struct process_intake *intake);

/*
 * Waits up to wait_ns until all names of functions have come, then adds the samples that wait. If
 * names are missing by then, takes no more: samples whose name has not come get none.
 */
void process_intake_finish(struct process_intake *intake, uint64_t wait_ns);

/* Writes notes about samples and names that are missing or inexact, at the end of the run. */
void process_intake_say_left_out(const struct process_intake *intake, const struct log *log);

#endif
