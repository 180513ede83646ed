/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which memory is hot: a table of ranges of 2 MiB of processes' addresses, and how often each was
 * sampled. After so many samples all counts are halved, so that what was hot once cools down
 * (MEMTIS, SOSP 2023, which also counts time by samples).
 */
#ifndef CXLMON_PROCESS_HEAT_H
#define CXLMON_PROCESS_HEAT_H

#include "process/report.h"

#define HEAT_RANGES_MOST  524288 /* 1 TiB, in 28 MiB; samples of further ones are left out */
#define HEAT_COOL_SAMPLES 500000 /* after which counts are halved */
/*
 * A range with so few samples is as hot as one with half as many may be: of 16, chance makes 8 or
 * fewer in 2 % of all cases.
 */
#define HEAT_SAMPLES_FEWEST 16

#define HEAT_SORT_NS 200 /* that sorting takes of a range, about */

/*
 * Addresses of which pages are counted, too; whole ranges, in bytes. end is behind it, 0: none.
 */
struct heat_detail {
	uint64_t first, end;
};

#define HEAT_PAGE_SHIFT 12 /* 4 KiB */

/* "7f0000000000-7f0000400000", as in /proc/PID/maps; widened to whole ranges. False: it is none. */
bool heat_detail_parse(const char *text, struct heat_detail *out);

static inline bool heat_detail_has(const struct heat_detail *detail, uint64_t address)
{
	return address >= detail->first && address < detail->end;
}

/* Of a range of 2 MiB, or of a page. */
struct heat_range {
	uint64_t serial; /* of the process */
	uint64_t first;	 /* address */
	uint64_t events; /* the sum of the samples' periods, halved as often as it was cooled */
	uint32_t samples;
	uint32_t command; /* name of the process */
	unsigned pid;
	int node; /* -1: not known */
};

struct heat_table {
	struct heat_range *ranges; /* in no order */
	size_t count, room;
	uint32_t *slots; /* numbers of ranges + 1 by hash, open addressing; a power of 2 of them */
	size_t slot_count;
	unsigned shift;	       /* HEAT_RANGE_SHIFT, or HEAT_PAGE_SHIFT */
	uint64_t cool_samples; /* as HEAT_COOL_SAMPLES */
	uint64_t samples;      /* since the last cooling */
	uint64_t coolings;
	uint64_t left_out; /* samples for whose range there was no room */
};

/* cool_samples 0: HEAT_COOL_SAMPLES; UINT64_MAX: only heat_table_cool() cools. */
void heat_table_init(struct heat_table *heat, unsigned shift, uint64_t cool_samples);
void heat_table_free(struct heat_table *heat);

/* Adds a sample; .serial, .pid, .command, .node are those of its process, .first its address. */
void heat_table_add(struct heat_table *heat, const struct heat_range *sample, uint64_t period);

/* Keeps the names of all ranges in the next sweep. */
void heat_table_use_names(const struct heat_table *heat, struct process_names *names);

/* Halves all counts. */
void heat_table_cool(struct heat_table *heat);

/* By node, then those with the most events first. */
void heat_table_sort(struct heat_table *heat);

/* Of a sorted table: the nodes, ascending; up to room of them. Returns how many. */
size_t heat_table_nodes(const struct heat_table *heat, struct heat_node *out, size_t room);

/* Of a sorted table: ranges of a node with fewer events than that. */
size_t heat_table_colder(const struct heat_table *heat, int node, uint64_t events);

/*
 * Of a sorted table, its nodes, event and .unsampled: sets .hot_cxl_GiB, .colder_dram_GiB and
 * .unseen_dram_GiB.
 */
void heat_table_compare(const struct heat_table *heat, struct process_report *report);

#endif
