/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers counted for a cell, and the value computed from them. Only the counts are kept, from
 * sample to sample and in recordings: the value of any interval is computed from them here, as if
 * one sample had covered it.
 *
 * A latency with the formula
 *    per_unit(UNC_CHA_TOR_OCCUPANCY.X / UNC_CHA_CLOCKTICKS) / UNC_CHA_TOR_INSERTS.X
 * has two inputs: reads in the queues, and reads per second. Three consecutive seconds had
 *    156.25 in the queues     625000000 reads per second    in 1 s: 250 ns
 *    0.0000016                        8                     in 1 s: too few reads, unknown
 *    100                      500000000                     in 1 s: 200 ns
 * All three had (156.25 + 0.0000016 + 100) s in the queues and 1125000008 reads, each in 3 s: per
 * second, the formula yields 227.78 ns. So the second one counts, but only with the weight of its 8
 * reads.
 */
#ifndef CXLMON_VALUE_H
#define CXLMON_VALUE_H

#include "formula/program.h"

/* Reads below which a latency is unknown, and below which it is an estimate: see value.c. */
#define FEWEST_READS 10
#define ENOUGH_READS 2500

/*
 * An input of a formula (struct program). If units counted for different times, ns is the time for
 * which per_second x ns is the sum of their counts. NAN: unknown. A level is not a rate: it is the
 * value at the end of that time.
 */
struct input_value {
	double per_second;
	double ns;
};

/* Counts of a cell in an interval. */
struct inputs {
	const struct formula *formula; /* NULL: unknown */
	struct input_value *items;     /* program.input_count of them */
	/* only for a mean of reads: how many were counted, not scaled; above ENOUGH_READS maybe
	 * inexact */
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
	/* The number is an estimate of a latency that may be too high: it may include reads of
	 * DRAM. */
	bool raised;
	/*
	 * Length of its interval; NAN if the number is unknown. For a rate, number x seconds is the
	 * amount that was counted.
	 */
	double seconds;
	const struct inputs *inputs; /* numbers from which it was computed; NULL: unknown */
};

extern const struct value value_unknown;

/* Removes the rounding error from a number of events, bytes or nanoseconds. */
double value_whole(double number);

/* Computes the value of a cell. is_rate: it is a counter's rate, not a quotient or a level. */
void value_compute(const struct inputs *inputs, bool is_rate, struct value *out);

/*
 * Returns true if some input is not 0. Here and in the functions below, inputs->formula must not be
 * NULL.
 */
bool inputs_have_counts(const struct inputs *inputs);

/*
 * Sets the inputs that are other metrics, from their values in the same row and time: metric k is
 * values[columns[k]].
 */
void inputs_name(struct inputs *inputs, const struct value *values, const size_t *columns);

/*
 * A mean of reads as a quotient: ns of all reads that were counted, and their number, scaled to the
 * row. Both are 0 for other formulas.
 */
struct quotient {
	double dividend, divisor;
};
struct quotient inputs_quotient(const struct inputs *inputs);

/*
 * Inputs over a longer time; {.last = NAN} at first. If a cell was shown by several formulas, each
 * has its sum, and the number is their mean, weighted by reads for a latency, otherwise by time.
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

/* Add a cell's value, or another sum. -ENOMEM: then the whole sum is unknown. */
int value_sum_add(struct value_sum *sum, const struct value *value);
int value_sum_merge(struct value_sum *sum, const struct value_sum *other);

/*
 * Computes the value of everything that was added; it is valid until more is added. A level's value
 * is its mean over time. values, columns: see inputs_name().
 */
void value_sum_compute(struct value_sum *sum, bool is_rate, const struct value *values,
		       const size_t *columns, struct value *out);

/* Removes everything that was added. */
void value_sum_clear(struct value_sum *sum);
void value_sum_free(struct value_sum *sum);

#endif
