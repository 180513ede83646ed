/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statistics of a table's cells over time. A cell is a metric of a row, or an event of a row. The
 * number of an event is its rate. The caller chooses the cells to keep, and then adds samples. A
 * step is a period of one or more samples: a kept cell has a mean for each step. A cell takes
 * memory from its first known value on.
 */
#ifndef CXLMON_SERIES_H
#define CXLMON_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/distribution.h"
#include "table/table.h"

/* Parts of a cell that the caller requests in addition to its sums. */
enum series_part {
	SERIES_RANKS = 1 << 0, /* its distribution, for percentiles */
	SERIES_STEPS = 1 << 1, /* mean of each step, for graphs */
	SERIES_PEAKS = 1 << 2, /* maximum of each step; only with SERIES_STEPS and SERIES_DOUBLES */
	/*
	 * sums of the inputs of the cell's formula, from which one value over all samples can be
	 * computed. The cell then has no other sums
	 */
	SERIES_INPUTS = 1 << 3,
};

struct series_steps;

struct series_cell {
	uint64_t known;	 /* samples with a known number; always 0 with SERIES_INPUTS */
	double weighted; /* sum of number x seconds of these samples; undefined if .known is 0 */
	double seconds;	 /* seconds that these samples cover; undefined if .known is 0 */
	/*
	 * Sum of number x seconds in base units: bytes for a number in MB/s. For an event, the
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
	bool known;		   /* some kept cell had a known amount in the latest sample */
	bool failed;		   /* memory ran out, and some sum lacks a sample; stays set */
	size_t step_count;	   /* steps that have ended and are kept */
	uint64_t all_steps;	   /* steps that have ended, kept or not */
	size_t known_cells;	   /* cells that were known in some sample */
	uint64_t step_ns;	   /* least time of a step, in ns; the caller may change it */

	/* private */
	struct series_kept *kept;
	size_t kept_count;
	/* for each row, its columns and then its event: 1 + index in .kept; 0: not kept */
	uint32_t *places;
	size_t step_bytes; /* bytes of a step's value; 0: without steps */
	size_t most_steps, step_room, first_step;
	uint64_t open_ns; /* time of the samples in the open step */
	uint64_t *ends_ns;
};

/*
 * Initialises a series that keeps no cell yet. The table must outlive the series, and its rows and
 * columns must not change. Returns 0 or -ENOMEM. Freed by series_free(), also after failure.
 */
int series_init(struct series *series, const struct table *table);
void series_free(struct series *series);

/* Returns the column of an event, for the functions of series. */
static inline size_t series_event(const struct table *table)
{
	return table->column_count;
}

/* Type of the values of steps. */
enum series_steps_type { SERIES_DOUBLES, SERIES_FLOATS };
/*
 * Divides time into steps. A step ends once its samples cover step_ns. Keeps the latest `most`
 * ended steps; most 0: all. Call it before the first sample is added. Without it there are no
 * steps.
 */
void series_set_steps(struct series *series, enum series_steps_type type, size_t most,
		      uint64_t step_ns);

/*
 * Keeps a cell from the next sample on. Call it once for a cell. parts: flags of enum series_part,
 * or 0. For a metric, row_count is 1. For an event (column series_event()), the cell is the sum of
 * row_count rows from row on. Returns 0 or -ENOMEM.
 */
int series_keep(struct series *series, size_t row, size_t row_count, size_t column, unsigned parts);
/*
 * Keeps all cells: numbers that rows of metrics can have, with these parts; and events of rows of
 * events, without parts. Returns 0, or -ENOMEM: only some are kept.
 */
int series_keep_all(struct series *series, unsigned parts);

/*
 * Adds the table's current values, a sample. If memory is short, sets .failed. Only for steps:
 * wall_ns is the end of the sample, in ns since 1970; ns is the time that the sample covers, its
 * weight in a step. The first step ends after one sample.
 */
void series_add(struct series *series, uint64_t wall_ns, uint64_t ns);

/*
 * Returns a cell, valid until series_free(). If the cell is not kept, or was never known, returns
 * one whose .known is 0 and whose pointers are NULL.
 */
const struct series_cell *series_cell(const struct series *series, size_t row, size_t column);

/*
 * Computes a cell's statistics from its ranks or, without SERIES_RANKS, from its steps: these must
 * be SERIES_DOUBLES, have one sample each, and all be kept. Returns 0, or -ENOMEM: memory is short,
 * or .failed is set.
 */
int series_statistics(const struct series *series, const struct series_cell *cell,
		      struct statistics *out);

/*
 * Returns the means of a cell in the .step_count kept steps, oldest first: an array of doubles or
 * floats (enum series_steps_type), valid until series_add(). A mean is weighted by the time of the
 * samples. NAN: unknown in that step. NULL: the cell was never known, lacks SERIES_STEPS, or no
 * step has ended.
 */
const void *series_steps(const struct series *series, const struct series_cell *cell);
/*
 * Returns the highest number of a cell with SERIES_PEAKS in the kept steps and in the step that has
 * not ended; NAN: always unknown.
 */
double series_peak(const struct series *series, const struct series_cell *cell);
/*
 * Returns the ends of the .step_count kept steps, oldest first, in ns since 1970, valid until
 * series_add(). Ends never decrease, even if the clock was set back. NULL: no step has ended.
 */
const uint64_t *series_ends(const struct series *series);

#endif
