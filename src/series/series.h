/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of a table over time: a metric of a row, or an event, whose number is its rate. One pass a
 * sample adds up all that are kept. A cell takes memory once it is known for the first time, and
 * for the parts that were asked for.
 */
#ifndef CXLMON_SERIES_H
#define CXLMON_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/distribution.h"
#include "table/table.h"

/* Parts of a cell beside its sums. */
enum series_part {
	SERIES_RANKS = 1 << 0, /* its distribution, for percentiles */
};

struct series_cell {
	uint64_t known;	 /* samples in which its number was; if 0, sums are NAN */
	double weighted; /* sum of number x seconds */
	double amount;	 /* sum of what was counted: of number x seconds in base units, or of events
			  */
	struct distribution *ranks; /* NULL: not asked for */
};

struct series {
	const struct table *table; /* not owned */
	uint64_t samples;
	bool known; /* some amount was in the latest sample */

	/* private */
	struct series_kept *kept;
	size_t kept_count;
	uint32_t
		*places; /* by row and column, of events behind these: 1 + index in kept; 0: none */
	bool failed;	 /* out of memory: a sum lacks some sample */
};

/* Keeps nothing at first. -ENOMEM. Freed by series_free(), also after failure. */
int series_init(struct series *series, const struct table *table);
void series_free(struct series *series);

/* Column of an event in its row. */
static inline size_t series_event(const struct table *table)
{
	return table->column_count;
}

/*
 * Keeps a cell, with these parts, from the next sample on. An event's is the sum of row_count rows
 * from this one on; else that is 1. -ENOMEM.
 */
int series_keep(struct series *series, size_t row, size_t row_count, size_t column, unsigned parts);
/*
 * Keeps every number that rows of metrics can have, with these parts, and sums of each row of
 * events. -ENOMEM.
 */
int series_keep_all(struct series *series, unsigned parts);

/* Adds the values that the table has now. */
void series_add(struct series *series);

/* A kept cell, or one that is never known. */
const struct series_cell *series_cell(const struct series *series, size_t row, size_t column);

/* Of a cell with ranks; -ENOMEM, also where there was no memory for it before. */
int series_statistics(const struct series *series, const struct series_cell *cell,
		      struct statistics *out);

#endif
