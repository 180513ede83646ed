/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples by process, mapping, cgroup, node or page: how many, of CXL memory and of DRAM, and how
 * long these reads took, in the interval in progress and in the whole run.
 */
#ifndef CXLMON_HOT_GROUPS_H
#define CXLMON_HOT_GROUPS_H

#include "hot/latencies.h"
#include "hot/processes.h"

/* A row takes 5 KiB. Samples that would need more rows are counted in .others. */
#define HOT_ROWS_MOST 4096

#define HOT_PAGE_SHIFT 21 /* of 2 MiB */

enum hot_by { BY_PROCESS, BY_MAPPING, BY_CGROUP, BY_NODE, BY_PAGE, HOT_BYS };

enum hot_memory { MEMORY_CXL, MEMORY_DRAM, MEMORY_UNKNOWN, HOT_MEMORIES };

enum hot_time { HOT_INTERVAL, HOT_RUN, HOT_TIMES };

struct hot_count {
	uint64_t samples; /* of the event that counts */
	uint64_t events;  /* the sum of their periods */
	uint64_t timed;	  /* samples of the event that takes time, which may be the same */
};

struct hot_key {
	uint64_t a, b; /* by process and page: its serial; by mapping and cgroup: a name; ... */
};

struct hot_row {
	struct hot_key key;
	unsigned pid;	  /* 0: not of a process */
	uint32_t command; /* the process's name */
	uint32_t name;	  /* of the mapping or cgroup */
	int node;	  /* -1: not known, or of several */
	uint64_t address; /* of a page */
	struct hot_count counts[HOT_TIMES][HOT_MEMORIES];
	struct latencies latencies[HOT_TIMES][2]; /* of MEMORY_CXL and MEMORY_DRAM */
};

struct hot_groups {
	enum hot_by by;
	struct hot_row **rows; /* in no order */
	size_t count;
	uint32_t *slots;       /* numbers of rows + 1 by hash, open addressing */
	struct hot_row all;    /* the sum of all samples */
	struct hot_row others; /* of those in no row */
};

/* Where and whose a sample is. */
struct hot_place {
	const struct hot_process *process; /* NULL: not known */
	const struct hot_mapping *mapping; /* likewise */
	enum hot_memory memory;
	int node;	    /* -1: not known */
	bool counts, timed; /* what its event is for */
};

/* "process"; NULL: there are no more. */
const char *hot_by_name(size_t by);

/* 0 or -ENOMEM. Freed by hot_groups_free(), also after failure. */
int hot_groups_init(struct hot_groups *groups, enum hot_by by);
void hot_groups_free(struct hot_groups *groups);

void hot_groups_add(struct hot_groups *groups, const struct load_sample *sample,
		    const struct hot_place *place);

/*
 * Rows with samples in that time: those with the most from CXL memory first, then by those from
 * DRAM. out has room for groups->count. Returns how many.
 */
size_t hot_groups_sort(const struct hot_groups *groups, enum hot_time time,
		       const struct hot_row **out);

/* Begins the next interval. Where there are many rows, those that were idle are given up. */
void hot_groups_next(struct hot_groups *groups);

uint64_t hot_row_samples(const struct hot_row *row, enum hot_time time);

#endif
