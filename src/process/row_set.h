/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A set of rows of one kind (enum row_by), with samples of all processes or of chosen ones. Each
 * sample is added to one row, and to the hotness of its memory. If each row belongs to one process,
 * reads by a VM's guest and by its emulator are in separate rows.
 */
#ifndef CXLMON_PROCESS_ROW_SET_H
#define CXLMON_PROCESS_ROW_SET_H

#include "process/heat.h"
#include "process/table.h"

/* Returns the kind of mappings that rows of this kind need. */
enum load_mappings row_by_mappings(enum row_by by);

/* Returns the function that names containers or VMs by cgroup; NULL: rows are of another kind. */
cgroup_namer *row_by_namer(enum row_by by);

/* Makes a table also keep the cgroups, users or group names that rows of this kind need. */
void row_by_facts(enum row_by by, struct process_table *processes);

struct row_set {
	/* set by the caller */
	enum row_by by;
	bool pids_chosen;     /* only processes in .pids are wanted; false: all */
	const unsigned *pids; /* not owned */
	size_t pid_count;
	bool without_heat; /* hotness of memory is not counted */
	/* addresses whose 4 KiB pages are counted in .pages; BY_PAGE: each page has a row */
	struct heat_detail detail;
	uint64_t cool_samples; /* samples between coolings: see heat_table_init() */

	struct sampled_rows rows;
	struct heat_table heat;	 /* hotness of 2 MiB ranges */
	struct heat_table pages; /* hotness of 4 KiB pages in .detail */
};

/* The process, memory and event of a sample. */
struct sample_place {
	const struct process_entry *process; /* NULL: unknown */
	/* mapping of the address or, if rows are by function, of the code; NULL: unknown */
	const struct kept_mapping *mapping;
	uint32_t function; /* number of the function's name; NAME_UNKNOWN: unknown */
	enum read_memory memory;
	int node;	    /* node of the memory; -1: unknown */
	bool counts, timed; /* the sample's event counts reads; measures latencies of reads */
};

/*
 * Initializes .rows, .heat and .pages, after the caller has set the other members. Returns 0 or
 * -ENOMEM. Freed by row_set_free(), even after failure.
 */
int row_set_init(struct row_set *set);
void row_set_free(struct row_set *set);

/* Tells if samples of this process are wanted. */
bool row_set_wants(const struct row_set *set, unsigned pid);

/* Adds a sample to its row, to .rows.all, and to the hotness of its memory. */
void row_set_add(struct row_set *set, const struct load_sample *sample,
		 const struct sample_place *place);

/* Marks the names of all rows and ranges, so that process_names_sweep() keeps them. */
void row_set_use_names(const struct row_set *set, struct process_names *names);

#endif
