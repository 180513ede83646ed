/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mappings of a process, from records that come far more often than anybody looks one up: a new
 * one is appended, and all are put in order at the next look-up.
 */
#ifndef CXLMON_PROBE_HOT_MAPPINGS_H
#define CXLMON_PROBE_HOT_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

struct hot_mapping {
	uint64_t start, end;	/* addresses; end is behind it */
	uint64_t offset, inode; /* in the file, which it is; inode 0: none */
	uint64_t since_ns;	/* when it was made, or seen first, by clock_ops.now */
	uint32_t name;
};

/* Initially all zero. */
struct hot_mappings {
	struct hot_mapping *at; /* by address, none within another; then new ones, as they came */
	size_t count, sorted;
};

void hot_mappings_free(struct hot_mappings *mappings);

/*
 * How many there are at most once they are in order: a new one may cut an older one in two.
 */
static inline size_t hot_mappings_most(const struct hot_mappings *mappings)
{
	return mappings->sorted + 2 * (mappings->count - mappings->sorted);
}

/* Appends one. It replaces what it covers of others: the kernel has no record of what was unmapped.
 * 0 or -ENOMEM.
 */
int hot_mappings_add(struct hot_mappings *mappings, const struct hot_mapping *mapping);

/* Puts all in order, and joins neighbours that are one piece of one file. 0 or -ENOMEM. */
int hot_mappings_sort(struct hot_mappings *mappings);

/* Replaces what is in to, which has none, by a copy. 0 or -ENOMEM. */
int hot_mappings_copy(const struct hot_mappings *from, struct hot_mappings *to);

/* The mapping of an address, of those in order. NULL: none. */
const struct hot_mapping *hot_mappings_find(const struct hot_mappings *mappings, uint64_t address);

#endif
