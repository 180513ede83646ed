/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples by process, mapping, function, cgroup, container, VM, user, node, CPU or page, of all or
 * of chosen processes: each sample is added to a row and to the hotness of its memory. Reads by a
 * guest have a row of their own, apart from their emulator's row, if rows belong to single
 * processes.
 */
#ifndef CXLMON_PROCESS_ROW_SET_H
#define CXLMON_PROCESS_ROW_SET_H

#include "process/heat.h"
#include "process/table.h"

/* Returns the mappings that rows of this kind need. */
enum load_mappings row_by_mappings(enum row_by by);

/* Returns the namer of cgroups' containers or VMs; NULL: rows are of another kind. */
cgroup_namer *row_by_namer(enum row_by by);

/* Sets the facts that rows of this kind need. */
void row_by_facts(enum row_by by, struct process_table *processes);

struct row_set {
	/* set by the caller */
	enum row_by by;
	bool pids_chosen; /* only processes in .pids are wanted */
	const unsigned *pids;
	size_t pid_count;
	bool without_heat;	   /* ranges of memory are not counted */
	struct heat_detail detail; /* addresses whose pages are also counted, and become rows */
	uint64_t cool_samples;	   /* argument of heat_table_init() */

	struct process_rows rows;
	struct heat_table heat;
	struct heat_table pages; /* hotness of pages of .detail */
};

/* Place of a sample: its process and its memory. */
struct sample_place {
	const struct process_entry *process; /* NULL: unknown */
	/* mapping of the address or, if rows are by function, of the code; NULL: unknown */
	const struct kept_mapping *mapping;
	uint32_t function; /* name of the function */
	enum read_memory memory;
	int node;	    /* -1: unknown */
	bool counts, timed; /* purposes of the sample's event */
};

/* 0 or -ENOMEM. Freed by row_set_free(), also after failure. */
int row_set_init(struct row_set *set);
void row_set_free(struct row_set *set);

/* Tells if samples of this process are wanted. */
bool row_set_wants(const struct row_set *set, unsigned pid);

void row_set_add(struct row_set *set, const struct load_sample *sample,
		 const struct sample_place *place);

/* Keeps the names of all rows and ranges in the next sweep. */
void row_set_use_names(const struct row_set *set, struct process_names *names);

#endif
