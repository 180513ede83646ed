/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples by process, mapping, function, cgroup, node or page, of all processes or of a few: the
 * row that each is added to, and how hot the memory is that they read. What a guest reads has a row
 * of its own beside that of its emulator.
 */
#ifndef CXLMON_PROCESS_ROW_SET_H
#define CXLMON_PROCESS_ROW_SET_H

#include "process/heat.h"
#include "process/table.h"

enum row_by {
	BY_PROCESS,
	BY_MAPPING,
	BY_FUNCTION,
	BY_CGROUP,
	BY_CONTAINER,
	BY_VM,
	BY_USER,
	BY_NODE,
	BY_CPU,
	BY_PAGE,
	ROW_BYS
};

/* Of enum row_by; ended by a NULL. */
extern const char *const row_by_names[ROW_BYS + 1];

/* Which mappings of processes rows of this kind need. */
enum load_mappings row_by_mappings(enum row_by by);

/* Sets which facts of processes rows of this kind need. */
void row_by_facts(enum row_by by, struct process_table *processes);

struct row_set {
	/* set by the caller */
	enum row_by by;
	bool pids_chosen; /* only these processes: */
	const unsigned *pids;
	size_t pid_count;
	bool without_heat;	   /* ranges of memory are not counted */
	struct heat_detail detail; /* addresses whose pages are counted, too, and are rows */
	uint64_t cool_samples;	   /* see heat.h */

	struct process_rows rows;
	struct heat_table heat;
	struct heat_table pages; /* the same of pages of .detail */
};

/* Where and whose a sample is. */
struct sample_place {
	const struct process_entry *process; /* NULL: unknown */
	const struct kept_mapping *mapping; /* likewise; of the address or, by function, the code */
	uint32_t function;		    /* name */
	enum read_memory memory;
	int node;	    /* -1: unknown */
	bool counts, timed; /* what its event is for */
};

/* 0 or -ENOMEM. Freed by row_set_free(), also after failure. */
int row_set_init(struct row_set *set);
void row_set_free(struct row_set *set);

/* Tells if samples of this process are wanted. */
bool row_set_wants(const struct row_set *set, unsigned pid);

void row_set_add(struct row_set *set, const struct load_sample *sample,
		 const struct sample_place *place);

/* Keeps the names that it has in the next sweep. */
void row_set_use_names(const struct row_set *set, struct process_names *names);

#endif
