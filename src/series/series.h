/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of a table over time. A cell is a metric of a row, or an event, whose number is its rate.
 * One pass per sample adds up all kept cells. A cell takes memory once it is known for the first
 * time, and only for the requested parts; the memory of steps grows as time passes.
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
	/* sums of its formula's inputs, for a value over a longer time; other sums are unused */
	SERIES_INPUTS = 1 << 3,
};

struct series_steps;

struct series_cell {
	uint64_t known;	 /* samples in which its number was known; if 0, sums are NAN or unused */
	double weighted; /* sum of number x seconds */
	double seconds;	 /* seconds that these samples cover */
	/* sum in base units: bytes, if the number is in MB/s; for an event, the number of events */
	double amount;
	struct distribution *ranks; /* NULL: not requested */
	struct value_sum *inputs;   /* NULL: not requested */
	struct series_steps *steps; /* NULL: not requested. Private */
};

struct series {
	const struct table *table; /* not owned */
	uint64_t samples;
	bool known;	    /* the latest sample had a known amount of some cell */
	bool failed;	    /* memory ran out: some sum lacks a sample */
	size_t step_count;  /* steps that have ended and are kept */
	uint64_t all_steps; /* all steps that have ended, even if no longer kept */
	size_t known_cells; /* cells that take memory */
	uint64_t step_ns;   /* shortest time of a step; the caller may change it */

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
 * Divides time into steps of step_ns, or of one sample if it is longer. most: how many of the
 * latest steps are kept; 0: all. Call it before cells with steps are kept.
 */
void series_set_steps(struct series *series, enum series_steps_type type, size_t most,
		      uint64_t step_ns);

/*
 * Keeps a cell, with these parts, from the next sample on. An event's cell is the sum of row_count
 * rows from this one on; otherwise row_count is 1. A cell is to be kept only once. -ENOMEM.
 */
int series_keep(struct series *series, size_t row, size_t row_count, size_t column, unsigned parts);
/*
 * Keeps all cells: each number that a row of metrics can have, with these parts, and each row of
 * events, without parts. -ENOMEM.
 */
int series_keep_all(struct series *series, unsigned parts);

/*
 * Adds the table's current values. Ends the open step if its samples cover step_ns, or if it is the
 * first step. wall_ns is the sample's end since 1970; ns is the time that it covers, its weight in
 * its step. Both are only for steps.
 */
void series_add(struct series *series, uint64_t wall_ns, uint64_t ns);

/* Returns a kept cell. If it was never known, or is not kept, returns one whose .known is 0. */
const struct series_cell *series_cell(const struct series *series, size_t row, size_t column);

/*
 * Computes a cell's statistics from its ranks or, without ranks, from its steps. Steps have to be
 * doubles, each of one sample, and all kept. -ENOMEM: memory is short now, or .failed is set.
 */
int series_statistics(const struct series *series, const struct series_cell *cell,
		      struct statistics *out);

/*
 * Returns a cell's means in the kept steps, the oldest first, as doubles or floats; NAN: unknown. A
 * step's mean is weighted by the time of its samples. NULL: the cell was never known or is without
 * steps, or no step has ended. Valid until series_add().
 */
const void *series_steps(const struct series *series, const struct series_cell *cell);
/*
 * Returns the maximum of a cell with SERIES_PEAKS in the kept steps and the open one; NAN: unknown.
 */
double series_peak(const struct series *series, const struct series_cell *cell);
/*
 * Returns the ends of the kept steps, in ns since 1970; NULL: no step has ended. None is before the
 * previous one, even if the clock was set back.
 */
const uint64_t *series_ends(const struct series *series);

#endif
