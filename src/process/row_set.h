/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A set of rows: samples by process, mapping, function, cgroup, container, VM, user, node, CPU or
 * page, of all or of chosen processes. Each sample is added to a row, and to the hotness of its
 * memory. If rows belong to single processes, reads by a guest have another row than those by its
 * emulator.
 */
#ifndef CXLMON_PROCESS_ROW_SET_H
#define CXLMON_PROCESS_ROW_SET_H

#include "process/heat.h"
#include "process/table.h"

/* Returns the mappings of processes that rows of this kind need. */
enum load_mappings row_by_mappings(enum row_by by);

/*
 * Returns the function that names rows of containers or VMs by their cgroups; NULL: rows are of
 * another kind.
 */
cgroup_namer *row_by_namer(enum row_by by);

/* Sets .cgroups, .users and .group_name of a table for rows of this kind. */
void row_by_facts(enum row_by by, struct process_table *processes);

struct row_set {
	/* set by the caller */
	enum row_by by;
	bool pids_chosen;     /* only processes in .pids are wanted */
	const unsigned *pids; /* not owned */
	size_t pid_count;
	bool without_heat;	   /* ranges of memory are not counted */
	struct heat_detail detail; /* addresses whose pages are also counted, and become rows */
	uint64_t cool_samples;	   /* samples between coolings: see heat_table_init() */

	struct sampled_rows rows;
	struct heat_table heat;	 /* hotness of ranges */
	struct heat_table pages; /* hotness of pages in .detail */
};

/* Place of a sample: its process and its memory. */
struct sample_place {
	const struct process_entry *process; /* NULL: unknown */
	/* mapping of the address or, if rows are by function, of the code; NULL: unknown */
	const struct kept_mapping *mapping;
	uint32_t function; /* number of the function's name; NAME_UNKNOWN: unknown */
	enum read_memory memory;
	int node;	    /* node of the memory; -1: unknown */
	bool counts, timed; /* the sample's event counts reads; it measures their latencies */
};

/*
 * Empties the results of a set whose other members the caller has set. 0 or -ENOMEM. Freed by
 * row_set_free(), even after failure.
 */
int row_set_init(struct row_set *set);
void row_set_free(struct row_set *set);

/* Tells if samples of this process are wanted. */
bool row_set_wants(const struct row_set *set, unsigned pid);

/* Adds a sample to its row, to .rows.all, and to the hotness of its range and page. */
void row_set_add(struct row_set *set, const struct load_sample *sample,
		 const struct sample_place *place);

/* Marks the names of all rows and ranges, so that process_names_sweep() keeps them. */
void row_set_use_names(const struct row_set *set, struct process_names *names);

#endif
