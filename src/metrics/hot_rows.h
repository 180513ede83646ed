/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of sampled loads: how many samples were of CXL memory and of DRAM, and how long these reads
 * took, in the interval in progress and in the whole run. cxlmon hot adds samples to them, and who
 * reads a recording the rows of each interval.
 */
#ifndef CXLMON_HOT_ROWS_H
#define CXLMON_HOT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "metrics/distribution.h"

/*
 * Names of processes, mappings and cgroups, as numbers: each is kept once, and as printable(). They
 * are names of strangers, so that there may be any number of them: memory is bounded.
 */

#define HOT_NAME_SIZE  256   /* a longer one is cut off */
#define HOT_NAMES_MOST 65536 /* further ones are HOT_NAME_UNKNOWN */

#define HOT_NAME_UNKNOWN 0 /* "" */

struct hot_names {
	char **texts; /* by number */
	size_t count;
	uint32_t *slots;   /* numbers by hash, open addressing */
	uint64_t left_out; /* names that did not fit */
};

/* 0 or -ENOMEM. Freed by hot_names_free(), also after failure. */
int hot_names_init(struct hot_names *names);
void hot_names_free(struct hot_names *names);

uint32_t hot_names_add(struct hot_names *names, const char *text);

static inline const char *hot_name(const struct hot_names *names, uint32_t name)
{
	return names->texts[name];
}

/* Hashes what is sampled: the finalizer of MurmurHash3. */
static inline uint64_t hot_hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) ^ b;

	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

/* A row takes 5 KiB. Samples that would need more rows are counted in .others. */
#define HOT_ROWS_MOST 4096

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
	uint32_t command; /* the process's name, a number of struct hot_names */
	uint32_t name;	  /* of the mapping or cgroup, likewise */
	uint32_t function;
	int node;	  /* -1: not known, or of several */
	uint64_t address; /* of a page */
	struct hot_count counts[HOT_TIMES][HOT_MEMORIES];
	struct latencies latencies[HOT_TIMES][2]; /* of MEMORY_CXL and MEMORY_DRAM */
};

struct hot_rows {
	struct hot_row **at; /* in no order */
	size_t count;
	uint32_t *slots;       /* numbers of rows + 1 by hash, open addressing */
	struct hot_row all;    /* the sum of all samples */
	struct hot_row others; /* of those in no row */
};

/* 0 or -ENOMEM. Freed by hot_rows_free(), also after failure. */
int hot_rows_init(struct hot_rows *rows);
void hot_rows_free(struct hot_rows *rows);

/* The row of this key, which may be a new one, or where there is no room for it, that of the
 * others.
 */
struct hot_row *hot_rows_find(struct hot_rows *rows, const struct hot_key *key);

/*
 * Rows with samples in that time: those with the most from CXL memory first, then by those from
 * DRAM. out has room for rows->count. Returns how many.
 */
size_t hot_rows_sort(const struct hot_rows *rows, enum hot_time time, const struct hot_row **out);

/* Begins the next interval. Where there are many rows, those that were idle are given up. */
void hot_rows_next(struct hot_rows *rows);

uint64_t hot_row_samples(const struct hot_row *row, enum hot_time time);

/* For which samples of the event that counts stand; without them, samples of the other one. */
uint64_t hot_row_events(const struct hot_row *row, enum hot_time time, enum hot_memory memory);

/* Adds what a row has of its interval or run to another one. */
void hot_row_add(struct hot_row *to, enum hot_time to_time, const struct hot_row *from,
		 enum hot_time from_time);

#endif
