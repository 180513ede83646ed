/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The value of a cell (a metric in a row), computed from counted numbers, the inputs of a formula.
 * Sums over time, also of recordings, keep inputs, not values. So the value of a long interval is
 * the same as if one sample had covered the interval.
 *
 * A latency with the formula
 *    per_unit(UNC_CHA_TOR_OCCUPANCY.X / UNC_CHA_CLOCKTICKS) / UNC_CHA_TOR_INSERTS.X
 * has two inputs: reads in the queues, and reads per second. Three consecutive seconds have
 *    156.25 in the queues     625000000 reads per second    in 1 s: 250 ns
 *    0.0000016                        8                     in 1 s: too few reads, unknown
 *    100                      500000000                     in 1 s: 200 ns
 * In all, reads were in the queues for (156.25 + 0.0000016 + 100) s, and 1125000008 reads came. The
 * quotient is 227.78 ns. The 8 reads count, too, but hardly change it.
 */
#ifndef CXLMON_VALUE_H
#define CXLMON_VALUE_H

#include "formula/program.h"

#define FEWEST_READS 10	  /* a mean latency of fewer reads is unknown: see value.c */
#define ENOUGH_READS 2500 /* a mean latency of fewer reads is an estimate */

/* An input of a formula (struct program_input). */
struct input_value {
	/* rate; for a level such as a temperature, value at the end of .ns; NAN: unknown */
	double per_second;
	double ns; /* time that it covers: per_second x ns is the sum of counts x 10^9 */
};

/* Counts of a cell in an interval. */
struct inputs {
	const struct formula *formula; /* NULL: the value is unknown */
	struct input_value *items;     /* one per input of the formula's program */
	/*
	 * Only for formulas with .mean_of_reads: number of counted reads, not scaled to all units.
	 * May be inexact above ENOUGH_READS.
	 */
	double reads;
	bool scaled; /* events were multiplexed, or their time is uncertain */
};

/* A cell's displayed value. */
struct value {
	double number; /* NAN: unknown */
	/*
	 * Value of a text column. For a number, the formula's .source, also if .number is unknown
	 * because there were too few reads. May be empty
	 */
	const char *text;
	/*
	 * .number is an estimate: its events were multiplexed, their time is uncertain, or it is a
	 * mean of fewer than ENOUGH_READS.
	 */
	bool scaled;
	bool raised; /* .number is a latency that may be too high: it may include DRAM reads */
	/*
	 * Time that .number covers. For a rate, .number x .seconds is the counted amount. NAN:
	 * .number is unknown.
	 */
	double seconds;
	/* numbers from which .number was computed; NULL: none. Not owned */
	const struct inputs *inputs;
};

extern const struct value value_unknown;

/*
 * Removes a rounding error from a number of events, bytes or nanoseconds. If number differs from
 * the nearest whole number only by rounding, returns the whole number. Otherwise returns number.
 */
double value_whole(double number);

/*
 * Computes the value of a cell. Clears out->raised. *inputs must remain valid while *out is used.
 * is_rate: the metric is a rate (family.counter), not a quotient or a level.
 */
void value_compute(const struct inputs *inputs, bool is_rate, struct value *out);

/* Returns true if some input is unknown or not 0. inputs->formula must not be NULL. */
bool inputs_have_counts(const struct inputs *inputs);

/*
 * Sets the inputs that are other metrics of the row: metric k of the program has the value
 * values[columns[k]]. If that value is .scaled, sets inputs->scaled. inputs->formula must not be
 * NULL.
 */
void inputs_name(struct inputs *inputs, const struct value *values, const size_t *columns);

/*
 * Returns the number of reads of a mean latency, scaled to all units; NAN: unknown. If the formula
 * is not a .mean_of_reads, returns 0. inputs->formula must not be NULL.
 */
double inputs_reads(const struct inputs *inputs);

/* A mean latency as a quotient: the ns of all reads / number of reads, scaled to all units. */
struct quotient {
	double dividend, divisor;
};
/*
 * Returns the latency as a quotient, also for fewer than FEWEST_READS; .divisor: inputs_reads(). If
 * the formula is not a .mean_of_reads, or an input is unknown, .dividend is 0. inputs->formula must
 * not be NULL.
 */
struct quotient inputs_quotient(const struct inputs *inputs);

/*
 * The sum of a cell's inputs over several samples. Initially {.last = NAN}. If samples used
 * different formulas, each formula has its own sum and result. The value is the mean of these
 * results, weighted by reads if the formula is a mean of reads, otherwise by time.
 */
struct value_sum {
	double last; /* a level's last known number; NAN: none */

	/* private */
	struct formula_sum *sums;
	size_t sum_count;
	const struct formula *shown; /* the formula whose number was shown last; NULL: none */
	struct inputs inputs;	     /* inputs of the sum, with room for any formula */
	size_t room;
	bool failed; /* out of memory: everything is unknown */
};

/*
 * Adds the inputs of a value, whose number need not be computed. A value whose .inputs is NULL adds
 * nothing. Returns 0 or -ENOMEM: the whole sum is then unknown until value_sum_clear().
 */
int value_sum_add(struct value_sum *sum, const struct value *value);
/*
 * Adds another sum, whose values are later; it is unchanged. If memory had run out for it, *sum is
 * also unknown. Returns as value_sum_add() does.
 */
int value_sum_merge(struct value_sum *sum, const struct value_sum *other);

/*
 * Computes the value of everything that was added. The value of a level is its mean over time.
 * is_rate: see value_compute(); values, columns: see inputs_name(). out->inputs is valid until the
 * sum is used again; NULL: nothing was added, values of several formulas, or memory ran out.
 */
void value_sum_compute(struct value_sum *sum, bool is_rate, const struct value *values,
		       const size_t *columns, struct value *out);

/* Removes everything that was added, but keeps the memory. */
void value_sum_clear(struct value_sum *sum);
/* Frees the memory. The sum is then as initially. */
void value_sum_free(struct value_sum *sum);

#endif
