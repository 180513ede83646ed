/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of a table over time. A cell is a metric of a row, or a row's event, whose number is its
 * rate. The caller chooses the cells to keep, and each sample is then added to all of them. A cell
 * takes memory from its first known value on, and only for the parts requested. Steps (periods with
 * a mean each) take more memory as time passes.
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
	/* sums of its formula's inputs, for a value of all samples; the cell has no other sums */
	SERIES_INPUTS = 1 << 3,
};

struct series_steps;

struct series_cell {
	uint64_t known;	 /* samples with a known number; always 0 with SERIES_INPUTS */
	double weighted; /* sum of number x seconds of these samples; undefined if .known is 0 */
	double seconds;	 /* seconds that these samples cover; undefined if .known is 0 */
	/*
	 * Number x seconds in base units, such as bytes if the number is in MB/s; for an event, the
	 * number of events. Undefined if .known is 0.
	 */
	double amount;
	struct distribution *ranks; /* NULL: not requested */
	struct value_sum *inputs;   /* NULL: not requested */
	struct series_steps *steps; /* NULL: not requested. Private */
};

struct series {
	const struct table *table; /* not owned */
	uint64_t samples;	   /* samples added */
	bool known;		   /* some cell's amount was known in the latest sample */
	bool failed;		   /* memory ran out, and some sum lacks a sample; stays set */
	size_t step_count;	   /* steps that have ended and are kept */
	uint64_t all_steps;	   /* steps that have ended, kept or not */
	size_t known_cells;	   /* cells that were known in some sample, and take memory */
	uint64_t step_ns;	   /* least time of a step; the caller may change it */

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

/*
 * Initialises a series that keeps no cell of a table, which must outlive it and must not get other
 * rows or columns. 0 or -ENOMEM. Freed by series_free(), even after failure.
 */
int series_init(struct series *series, const struct table *table);
void series_free(struct series *series);

/* Returns the number that functions here take as the column of an event. */
static inline size_t series_event(const struct table *table)
{
	return table->column_count;
}

/* Type of the values of steps. */
enum series_steps_type { SERIES_DOUBLES, SERIES_FLOATS };
/*
 * Divides time into steps: each has as few samples as cover step_ns. Of the ended steps, the latest
 * most are kept; 0: all. Called before the first sample is added; without it there are no steps.
 */
void series_set_steps(struct series *series, enum series_steps_type type, size_t most,
		      uint64_t step_ns);

/*
 * Keeps a cell from the next sample on. parts: flags of enum series_part, or 0. For an event
 * (column series_event()), the cell is the sum of row_count rows, of which row is the first; for a
 * metric, row_count is 1. A cell must be kept only once. 0 or -ENOMEM.
 */
int series_keep(struct series *series, size_t row, size_t row_count, size_t column, unsigned parts);
/*
 * Keeps all cells: each number that a row of metrics can have, with these parts, and each row of
 * events, without parts. 0 or -ENOMEM: only some are kept.
 */
int series_keep_all(struct series *series, unsigned parts);

/*
 * Adds the table's current values. wall_ns: the sample's end since 1970; ns: the time it covers,
 * which is its weight in its step. Both are used only for steps. Ends the open step if its samples
 * cover step_ns; the first step ends after one sample. Sets .failed if memory is short.
 */
void series_add(struct series *series, uint64_t wall_ns, uint64_t ns);

/*
 * Returns a kept cell, valid until series_free(). If it was never known, or is not kept, returns a
 * cell whose .known is 0 and whose pointers are NULL.
 */
const struct series_cell *series_cell(const struct series *series, size_t row, size_t column);

/*
 * Computes a cell's statistics from its ranks or, without SERIES_RANKS, from its steps. Steps must
 * then be doubles, each of one sample, and all be kept. 0; -ENOMEM: memory is short, or .failed is
 * set.
 */
int series_statistics(const struct series *series, const struct series_cell *cell,
		      struct statistics *out);

/*
 * Returns step_count means of a cell in the kept steps, oldest first, as doubles or floats by the
 * series_steps_type; NAN: unknown in that step. A mean is weighted by the time of the samples.
 * NULL: the cell was never known or lacks SERIES_STEPS, or no step has ended. Valid until
 * series_add().
 */
const void *series_steps(const struct series *series, const struct series_cell *cell);
/*
 * Returns the highest number of a cell with SERIES_PEAKS in the kept steps and the open one; NAN:
 * it was unknown in all of them.
 */
double series_peak(const struct series *series, const struct series_cell *cell);
/*
 * Returns the step_count ends of the kept steps, oldest first, in ns since 1970; NULL: no step has
 * ended. They never decrease, even if the clock was set back. Valid until series_add().
 */
const uint64_t *series_ends(const struct series *series);

#endif
