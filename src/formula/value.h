/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers counted for a cell, a metric in a row, and the value computed from them. Only counts are
 * kept, from sample to sample and in recordings: the value of any interval is computed from them
 * here, as if one sample had covered it.
 *
 * A latency with the formula
 *    per_unit(UNC_CHA_TOR_OCCUPANCY.X / UNC_CHA_CLOCKTICKS) / UNC_CHA_TOR_INSERTS.X
 * has two inputs: reads in the queues, and reads per second. Three consecutive seconds had
 *    156.25 in the queues     625000000 reads per second    in 1 s: 250 ns
 *    0.0000016                        8                     in 1 s: too few reads, unknown
 *    100                      500000000                     in 1 s: 200 ns
 * All three seconds together had (156.25 + 0.0000016 + 100) s in the queues and 1125000008 reads.
 * Divided by 3 s each, the formula yields 227.78 ns. So the second one counts, but only with the
 * weight of its 8 reads.
 */
#ifndef CXLMON_VALUE_H
#define CXLMON_VALUE_H

#include "formula/program.h"

/* The fewest reads of a known latency, and of one that is not an estimate: see value.c. */
#define FEWEST_READS 10
#define ENOUGH_READS 2500

/* An input of a formula (struct program_input). */
struct input_value {
	/* its rate; for a level, its value at the end of the time; NAN: unknown */
	double per_second;
	/* the time; if units counted for different times, per_second x ns is the sum of counts */
	double ns;
};

/* Counts of a cell in an interval. */
struct inputs {
	const struct formula *formula; /* NULL: unknown */
	struct input_value *items;     /* by number of the program's inputs */
	/*
	 * Only for a mean of reads: the number of counted reads, not scaled. If it is above
	 * ENOUGH_READS, it may be inexact.
	 */
	double reads;
	bool scaled; /* events were multiplexed, or their time is uncertain */
};

/* A cell's displayed value. */
struct value {
	double number;	  /* NAN: unknown */
	const char *text; /* the source of a number, or the value of a text column; may be empty */
	/*
	 * The number is an estimate: its events were multiplexed, and it is scaled; or their time
	 * is uncertain; or it is from few reads.
	 */
	bool scaled;
	/* The number is a latency that may be too high: it may include reads of DRAM. */
	bool raised;
	/*
	 * Length of its interval; NAN if the number is unknown. For a rate, number x seconds is the
	 * amount that was counted.
	 */
	double seconds;
	/* numbers from which it was computed, not owned; NULL: unknown */
	const struct inputs *inputs;
};

extern const struct value value_unknown;

/*
 * Removes the rounding error from a number of events, bytes or nanoseconds: returns the nearest
 * whole number if number differs from it only by rounding, otherwise number.
 */
double value_whole(double number);

/*
 * Computes the value of a cell; *inputs must remain valid while *out is used. is_rate: it is a
 * counter's rate, not a quotient or a level. Does not set out->raised.
 */
void value_compute(const struct inputs *inputs, bool is_rate, struct value *out);

/* Returns true if some input is not 0. inputs->formula must not be NULL. */
bool inputs_have_counts(const struct inputs *inputs);

/*
 * Sets the inputs that are other metrics, from their values in the same row and time: metric k of
 * the program is values[columns[k]]. inputs->formula must not be NULL.
 */
void inputs_name(struct inputs *inputs, const struct value *values, const size_t *columns);

/* A mean latency as a quotient: the sum of the ns of all counted reads, and their number. */
struct quotient {
	/* both scaled to the row; both 0: the formula is not a mean of reads */
	double dividend, divisor;
};
/* Returns the quotient of a formula with .mean_of_reads. inputs->formula must not be NULL. */
struct quotient inputs_quotient(const struct inputs *inputs);

/*
 * The sum of a cell's inputs over a longer time; {.last = NAN} at first. If several formulas
 * yielded the cell's values, each has its own sum, and the number is the mean of their results,
 * weighted by reads for a latency, otherwise by time.
 */
struct value_sum {
	double last; /* the last known number; NAN: none */

	/* private */
	struct formula_sum *sums;
	size_t sum_count;
	const struct formula *shown; /* the formula whose number was shown last; NULL: none */
	struct inputs inputs;	     /* inputs of the sum, with room for any formula */
	size_t room;
	bool failed; /* out of memory: everything is unknown */
};

/*
 * Add a cell's value, and another sum. A value whose .inputs is NULL adds nothing. Return 0, or
 * -ENOMEM, after which the whole sum is unknown until it is cleared.
 */
int value_sum_add(struct value_sum *sum, const struct value *value);
int value_sum_merge(struct value_sum *sum, const struct value_sum *other);

/*
 * Computes the value of everything that was added; out->inputs is valid until more is added. A
 * level's value is its mean over time. values, columns: see inputs_name().
 */
void value_sum_compute(struct value_sum *sum, bool is_rate, const struct value *values,
		       const size_t *columns, struct value *out);

/* Removes everything that was added, but keeps the memory. */
void value_sum_clear(struct value_sum *sum);
/* Frees the memory; the sum is then as at first. */
void value_sum_free(struct value_sum *sum);

#endif
