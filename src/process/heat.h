/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hotness of memory: the number of samples in each 2 MiB range of a process's addresses. After a
 * fixed number of samples, a cooling halves all counts: ranges that are not read any more become
 * cold. Source: MEMTIS, SOSP 2023, which also measures time in samples.
 */
#ifndef CXLMON_PROCESS_HEAT_H
#define CXLMON_PROCESS_HEAT_H

#include "process/report.h"

#define HEAT_RANGES_MOST  524288 /* most ranges of a table: 24 MiB for 1 TiB */
#define HEAT_COOL_SAMPLES 500000 /* default number of samples between coolings */
/*
 * Fewest samples with which a range is compared with ranges half as hot. If 16 samples are
 * expected, chance gives 8 or fewer in 2 % of all cases.
 */
#define HEAT_SAMPLES_FEWEST 16

#define HEAT_SORT_NS 200 /* estimated time of heat_table_sort() per range */

/* Addresses whose 4 KiB pages are also counted; {0}: none. */
struct heat_detail {
	uint64_t first, end; /* multiples of 2 MiB; end is exclusive */
};

#define HEAT_PAGE_SHIFT 12 /* 4 KiB */

/*
 * Parses addresses in the form of /proc/PID/maps, "7f0000000000-7f0000400000", and widens them to
 * whole 2 MiB ranges. If text has another form, returns false and leaves *out undefined.
 */
bool heat_detail_parse(const char *text, struct heat_detail *out);

static inline bool heat_detail_has(const struct heat_detail *detail, uint64_t address)
{
	return address >= detail->first && address < detail->end;
}

/* A range of 2 MiB or, in a table of pages, a page of 4 KiB. */
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
	struct heat_range *ranges; /* in any order until heat_table_sort() */
	size_t count, room;
	uint32_t *slots;       /* hash table of indices in .ranges, plus 1; 0: a free slot */
	size_t slot_count;     /* a power of 2 */
	unsigned shift;	       /* HEAT_RANGE_SHIFT or HEAT_PAGE_SHIFT */
	uint64_t cool_samples; /* samples between coolings */
	uint64_t samples;      /* samples since the last cooling */
	uint64_t coolings;     /* coolings so far */
	uint64_t left_out;     /* samples that were dropped: a full table lacked their range */
};

/*
 * Initializes an empty table. shift: HEAT_RANGE_SHIFT, or HEAT_PAGE_SHIFT for a table of pages.
 * cool_samples: samples between coolings; 0: HEAT_COOL_SAMPLES; UINT64_MAX: never, except by
 * heat_table_cool(). Freed by heat_table_free().
 */
void heat_table_init(struct heat_table *heat, unsigned shift, uint64_t cool_samples);
void heat_table_free(struct heat_table *heat);

/*
 * Cools the table if a cooling is due, then adds a sample to its range. sample: has the sampled
 * address in .first; .events and .samples are ignored. period: events that the sample stands for.
 */
void heat_table_add(struct heat_table *heat, const struct heat_range *sample, uint64_t period);

/* Marks the names of all ranges, so that process_names_sweep() keeps them. */
void heat_table_use_names(const struct heat_table *heat, struct process_names *names);

/* Halves all counts, and drops ranges whose samples become 0. */
void heat_table_cool(struct heat_table *heat);

/* Sorts ranges by ascending node, then by events, most first. */
void heat_table_sort(struct heat_table *heat);

/*
 * Writes the sums of each node of a sorted table to out, ascending by node. room: elements of out;
 * further nodes are left out. Returns the number of nodes written.
 */
size_t heat_table_nodes(const struct heat_table *heat, struct heat_node *out, size_t room);

/* Returns the number of a node's ranges that have fewer events than `events`. */
size_t heat_table_colder(const struct heat_table *heat, int node, uint64_t events);

/*
 * Sets .hot_cxl_GiB, .colder_dram_GiB and .unseen_dram_GiB of a report from a sorted table. The
 * caller has set report->nodes (by heat_table_nodes()), .node_count, .event and .unsampled.
 */
void heat_table_compare(const struct heat_table *heat, struct process_report *report);

#endif
