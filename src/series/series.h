/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of a table over time: a metric of a row, or an event, whose number is its rate. One pass a
 * sample adds up all that are kept. A cell takes memory once it is known for the first time, and
 * for the parts that were asked for; that of steps grows as time passes.
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
	SERIES_STEPS = 1 << 1, /* mean of each step, for graphs */
	SERIES_PEAKS = 1 << 2, /* and its maximum; with SERIES_DOUBLES */
	/* what was counted, for the value of a longer time, and no other sum */
	SERIES_INPUTS = 1 << 3,
};

struct series_steps;

struct series_cell {
	uint64_t known;		    /* samples in which its number was; if 0, sums are NAN */
	double weighted;	    /* sum of number x seconds */
	double seconds;		    /* that these samples cover */
	double amount;		    /* that sum in base units; of an event, how many there were */
	struct distribution *ranks; /* NULL: not asked for */
	struct value_sum *inputs;   /* likewise */
	struct series_steps *steps; /* likewise. Private */
};

struct series {
	const struct table *table; /* not owned */
	uint64_t samples;
	bool known;	    /* some amount was in the latest sample */
	bool failed;	    /* memory ran out: some sum lacks a sample */
	size_t step_count;  /* ended and kept */
	uint64_t all_steps; /* those that are no longer kept, too */
	size_t known_cells; /* cells that take memory */
	uint64_t step_ns;   /* a step takes so long at least; may be changed */

	/* private */
	struct series_kept *kept;
	size_t kept_count;
	/* by row and column, of events behind these: 1 + index in kept; 0: none */
	uint32_t *places;
	size_t step_bytes; /* bytes of a step's value; 0: without steps */
	size_t most_steps, step_room, first_step;
	uint64_t open_ns; /* time of the samples in the open step */
	uint64_t *ends_ns;
};

/* Keeps nothing at first. -ENOMEM. Freed by series_free(), also after failure. */
int series_init(struct series *series, const struct table *table);
void series_free(struct series *series);

/* Column of an event in its row, which has no metrics. */
static inline size_t series_event(const struct table *table)
{
	return table->column_count;
}

/* Values of steps: doubles, or floats, which take half of the memory. */
enum series_steps_type { SERIES_DOUBLES, SERIES_FLOATS };
/*
 * Divides time into steps of this length, or of a sample if that is longer, and keeps the latest
 * ones; most: 0: all. To be called before cells with steps are kept.
 */
void series_set_steps(struct series *series, enum series_steps_type type, size_t most,
		      uint64_t step_ns);

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

/*
 * Adds the values that the table has now, and ends the open step if its samples take as long as a
 * step, or none has ended before. wall_ns: the sample's end since 1970; ns: the time that it
 * covers, by which it counts in its step. Both are for steps only.
 */
void series_add(struct series *series, uint64_t wall_ns, uint64_t ns);

/* A kept cell, or one that is never known. */
const struct series_cell *series_cell(const struct series *series, size_t row, size_t column);

/*
 * Of a cell with ranks; or with steps, of a sample each, of which all are kept. -ENOMEM, also if
 * there was no memory for it before.
 */
int series_statistics(const struct series *series, const struct series_cell *cell,
		      struct statistics *out);

/*
 * Means of a cell in the steps that are kept, the oldest first: of its samples, weighted by time,
 * as doubles or floats. NAN: not known. NULL: it was never known, or has no steps. Valid until
 * series_add().
 */
const void *series_steps(const struct series *series, const struct series_cell *cell);
/* Largest value of any sample of these steps and of the open one; NAN: none is known. */
double series_peak(const struct series *series, const struct series_cell *cell);
/* Ends of the steps since 1970, ascending also if the clock was set back. */
const uint64_t *series_ends(const struct series *series);

#endif
