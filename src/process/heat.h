/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hotness of memory: a table of 2 MiB ranges of processes' addresses, with the number of samples
 * in each. At a cooling, after a number of samples, all counts are halved, so that ranges that are
 * not read any more become cold (MEMTIS, SOSP 2023, which also measures time in samples).
 */
#ifndef CXLMON_PROCESS_HEAT_H
#define CXLMON_PROCESS_HEAT_H

#include "process/report.h"

#define HEAT_RANGES_MOST  524288 /* 1 TiB, in a table of 28 MiB; further ones are left out */
#define HEAT_COOL_SAMPLES 500000 /* samples between coolings */
/*
 * Fewest samples that a range needs to be compared with ranges half as hot: if 16 are expected,
 * chance gives 8 or fewer in 2 % of all cases.
 */
#define HEAT_SAMPLES_FEWEST 16

#define HEAT_SORT_NS 200 /* estimated time to sort, per range */

/* Addresses whose pages are also counted one by one: whole ranges, end exclusive; {0}: none. */
struct heat_detail {
	uint64_t first, end;
};

#define HEAT_PAGE_SHIFT 12 /* 4 KiB */

/*
 * Parses addresses such as "7f0000000000-7f0000400000", the form of /proc/PID/maps, and widens them
 * to whole ranges. Returns false for any other string; *out is then undefined.
 */
bool heat_detail_parse(const char *text, struct heat_detail *out);

static inline bool heat_detail_has(const struct heat_detail *detail, uint64_t address)
{
	return address >= detail->first && address < detail->end;
}

/* A range of 2 MiB, or a page. */
struct heat_range {
	uint64_t serial;  /* process_entry.serial of the process */
	uint64_t first;	  /* first address */
	uint64_t events;  /* sum of the samples' periods, halved at each cooling */
	uint32_t samples; /* samples, halved at each cooling */
	uint32_t command; /* number of the process's name */
	unsigned pid;
	int node; /* -1: unknown */
};

struct heat_table {
	struct heat_range *ranges; /* unordered */
	size_t count, room;
	uint32_t *slots; /* numbers of ranges + 1 by hash, open addressing; a power of 2 of them */
	size_t slot_count;
	unsigned shift;	       /* HEAT_RANGE_SHIFT or HEAT_PAGE_SHIFT */
	uint64_t cool_samples; /* samples between coolings */
	uint64_t samples;      /* samples since the last cooling */
	uint64_t coolings;
	uint64_t left_out; /* samples that were dropped, because their range had no room */
};

/*
 * Initializes an empty table. shift: HEAT_RANGE_SHIFT, or HEAT_PAGE_SHIFT for a table of pages.
 * cool_samples: samples between coolings; 0: HEAT_COOL_SAMPLES; UINT64_MAX: only
 * heat_table_cool() cools it.
 */
void heat_table_init(struct heat_table *heat, unsigned shift, uint64_t cool_samples);
void heat_table_free(struct heat_table *heat);

/*
 * Adds a sample to its range, and cools the table first if it is time. The caller sets .serial,
 * .pid, .command and .node of the sample, and .first to its address. period: events that it stands
 * for.
 */
void heat_table_add(struct heat_table *heat, const struct heat_range *sample, uint64_t period);

/* Marks the names of all ranges, so that process_names_sweep() keeps them. */
void heat_table_use_names(const struct heat_table *heat, struct process_names *names);

/* Halves all counts, and drops ranges that have no samples then. */
void heat_table_cool(struct heat_table *heat);

/* Sorts ranges by ascending node, then by events, most first. */
void heat_table_sort(struct heat_table *heat);

/*
 * Sums up each node of a sorted table, in ascending order, at most room nodes. Returns their
 * number.
 */
size_t heat_table_nodes(const struct heat_table *heat, struct heat_node *out, size_t room);

/* Returns the number of a node's ranges that have fewer than these events. */
size_t heat_table_colder(const struct heat_table *heat, int node, uint64_t events);

/*
 * Sets .hot_cxl_GiB, .colder_dram_GiB and .unseen_dram_GiB of a report whose .nodes (from
 * heat_table_nodes()), .event and .unsampled are set. The table is sorted.
 */
void heat_table_compare(const struct heat_table *heat, struct process_report *report);

#endif
