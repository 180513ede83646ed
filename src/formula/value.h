/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was counted for a cell, and the number that follows. Only what was counted is kept, from
 * sample to sample and in recordings: the value of any interval is computed from it here, as of a
 * run that sampled so.
 *
 * Of a latency, whose formula is
 *    per_unit(UNC_CHA_TOR_OCCUPANCY.X / UNC_CHA_CLOCKTICKS) / UNC_CHA_TOR_INSERTS.X
 * there are two inputs: reads in the queues, and reads a second. Three seconds on end had
 *    156.25 in the queues     625000000 reads a second    in 1 s: 250 ns
 *    0.0000016                        8                   in 1 s: of too few reads to be known
 *    100                      500000000                   in 1 s: 200 ns
 * All three had (156.25 + 0.0000016 + 100) s in the queues and 1125000008 reads, each in 3 s: the
 * formula of these, a second, is 227.78 ns. So the second one counts, but for no more than its 8
 * reads.
 */
#ifndef CXLMON_VALUE_H
#define CXLMON_VALUE_H

#include "formula/program.h"

/* Below so many reads a latency is not known, and below so many it is an estimate: see value.c. */
#define FEWEST_READS 10
#define ENOUGH_READS 2500

/*
 * An input of a formula (struct program). Where units counted for different times, ns is the time
 * for which per_second x ns is the sum of their counts. NAN: not known. A level is no rate: it is
 * what it is at the end of that time.
 */
struct input_value {
	double per_second;
	double ns;
};

/* What was counted for a cell in an interval. */
struct inputs {
	const struct formula *formula; /* NULL: nothing is known */
	struct input_value *items;     /* program.input_count */
	/* of a mean of reads: how many were counted, not scaled; above ENOUGH_READS it need not be
	 * exact */
	double reads;
	bool scaled; /* events were multiplexed, or their time is uncertain */
};

/* What a cell shows. */
struct value {
	double number;	  /* NAN: not known */
	const char *text; /* the source of a number, or the value of a text column; may be empty */
	/*
	 * An estimate: its events were multiplexed, and it is scaled; their time is uncertain; or
	 * it is of few reads
	 */
	bool scaled;
	/* Such an estimate, of a latency, that may be too high: reads of DRAM may be in it. */
	bool raised;
	/*
	 * The interval that it is of; NAN where the number is. Of a rate, number x seconds is the
	 * amount that was counted.
	 */
	double seconds;
	const struct inputs *inputs; /* what it was computed from; NULL: nothing is known */
};

extern const struct value value_unknown;

/* Without the rounding error of a number of events, bytes or nanoseconds. */
double value_whole(double number);

/* Computes what a cell shows. is_rate: of a counter, else a quotient or a level. */
void value_compute(const struct inputs *inputs, bool is_rate, struct value *out);

/* Whether some input is not 0. The formula must be known, here and in the functions below. */
bool inputs_have_counts(const struct inputs *inputs);

/*
 * Sets the inputs that are other metrics, by their values in the same row and time: number k is
 * values[columns[k]].
 */
void inputs_name(struct inputs *inputs, const struct value *values, const size_t *columns);

/*
 * A mean of reads: ns of all reads that were counted, and these, scaled to the row; of another
 * formula 0.
 */
struct quotient {
	double dividend, divisor;
};
struct quotient inputs_quotient(const struct inputs *inputs);

/*
 * Inputs over a longer time; {.last = NAN} at first. Of a cell that was shown by several formulas,
 * each has its sum: the number is their mean, of a latency by reads, else by time.
 */
struct value_sum {
	double last; /* the last number that was known, if one was */

	/* private */
	struct formula_sum *sums;
	size_t sum_count;
	const struct formula *shown; /* that has shown a number last; NULL: none */
	struct inputs inputs;	     /* of the sum, with room for those of any formula */
	size_t room;
	bool failed; /* out of memory: nothing is known */
};

/* Adds what a cell shows, or another sum. -ENOMEM: then nothing is known of the sum. */
int value_sum_add(struct value_sum *sum, const struct value *value);
int value_sum_merge(struct value_sum *sum, const struct value_sum *other);

/*
 * Computes the value of all that was added, which is valid until more is added. A level is its mean
 * over time. values, columns: see inputs_name().
 */
void value_sum_compute(struct value_sum *sum, bool is_rate, const struct value *values,
		       const size_t *columns, struct value *out);

/* Begins anew. */
void value_sum_clear(struct value_sum *sum);
void value_sum_free(struct value_sum *sum);

#endif
