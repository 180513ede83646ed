/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of a table over time: a metric of a row, or an event, whose number is its rate. One pass
 * per sample adds up all kept cells. A cell takes memory once it is known for the first time, and
 * only for the requested parts; the memory of steps grows as time passes.
 */
#ifndef CXLMON_SERIES_H
#define CXLMON_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/distribution.h"
#include "table/table.h"

/* Parts of a cell in addition to its sums. */
enum series_part {
	SERIES_RANKS = 1 << 0, /* its distribution, for percentiles */
	SERIES_STEPS = 1 << 1, /* mean of each step, for graphs */
	SERIES_PEAKS = 1 << 2, /* maximum of each step; only with SERIES_STEPS and SERIES_DOUBLES */
	/* inputs of its values, for the value of a longer time, and no other sum */
	SERIES_INPUTS = 1 << 3,
};

struct series_steps;

struct series_cell {
	uint64_t known;	 /* samples in which its number was known; if 0, sums are NAN */
	double weighted; /* sum of number x seconds */
	double seconds;	 /* seconds that these samples cover */
	/* .weighted in base units; for an event, the number of events */
	double amount;
	struct distribution *ranks; /* NULL: not requested */
	struct value_sum *inputs;   /* NULL: not requested */
	struct series_steps *steps; /* NULL: not requested. Private */
};

struct series {
	const struct table *table; /* not owned */
	uint64_t samples;
	bool known;	    /* the latest sample had some amount */
	bool failed;	    /* memory ran out: some sum lacks a sample */
	size_t step_count;  /* steps that have ended and are kept */
	uint64_t all_steps; /* all steps that have ended, even if no longer kept */
	size_t known_cells; /* cells that take memory */
	uint64_t step_ns;   /* the shortest time of a step; may be changed */

	/* private */
	struct series_kept *kept;
	size_t kept_count;
	/* by row and column, then the event: 1 + index in kept; 0: none */
	uint32_t *places;
	size_t step_bytes; /* bytes of a step's value; 0: without steps */
	size_t most_steps, step_room, first_step;
	uint64_t open_ns; /* time of the samples in the open step */
	uint64_t *ends_ns;
};

/* Initialises a series that keeps no cell. -ENOMEM. Freed by series_free(), also after failure. */
int series_init(struct series *series, const struct table *table);
void series_free(struct series *series);

/* Returns the column of an event in its row, which has no metrics. */
static inline size_t series_event(const struct table *table)
{
	return table->column_count;
}

/* Type of steps' values: doubles, or floats, which take half of the memory. */
enum series_steps_type { SERIES_DOUBLES, SERIES_FLOATS };
/*
 * Divides time into steps of this length, or of a sample if that is longer, and keeps the latest
 * most steps; 0: all. To be called before cells with steps are kept.
 */
void series_set_steps(struct series *series, enum series_steps_type type, size_t most,
		      uint64_t step_ns);

/*
 * Keeps a cell, with these parts, from the next sample on. An event's cell is the sum of row_count
 * rows from this one on; otherwise row_count is 1. -ENOMEM.
 */
int series_keep(struct series *series, size_t row, size_t row_count, size_t column, unsigned parts);
/*
 * Keeps every number that rows of metrics can have, with these parts, and sums of each row of
 * events. -ENOMEM.
 */
int series_keep_all(struct series *series, unsigned parts);

/*
 * Adds the table's current values, and ends the open step if its samples take as long as a step, or
 * none has ended before. wall_ns is the sample's end since 1970; ns is the time that it covers, its
 * weight in its step. Both are only for steps.
 */
void series_add(struct series *series, uint64_t wall_ns, uint64_t ns);

/* Returns a kept cell, or one that is never known. */
const struct series_cell *series_cell(const struct series *series, size_t row, size_t column);

/*
 * Computes the statistics of a cell with ranks; or with steps, if each is one sample, and all are
 * kept. -ENOMEM, also if memory was short before.
 */
int series_statistics(const struct series *series, const struct series_cell *cell,
		      struct statistics *out);

/*
 * Returns the means of a cell in the kept steps, the oldest first: of its samples, weighted by
 * time, as doubles or floats. NAN: unknown. NULL: the cell was never known, or has no steps. Valid
 * until series_add().
 */
const void *series_steps(const struct series *series, const struct series_cell *cell);
/*
 * Returns the largest value of any sample of these steps and of the open one; NAN: unknown.
 */
double series_peak(const struct series *series, const struct series_cell *cell);
/* Returns the ends of the steps since 1970, ascending even if the clock was set back. */
const uint64_t *series_ends(const struct series *series);

#endif
