/* SPDX-License-Identifier: BSD-3-Clause */
/* How a processor makes a metric out of the rates of its events. */
#ifndef CXLMON_FORMULA_H
#define CXLMON_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#define FORMULA_EVENTS	  12
#define FORMULA_TEXT_SIZE 1024 /* for any formula_describe() */

/* One event of a row: summed over the units that counted it. */
struct operand {
	double per_second;
	unsigned units; /* how many those are */
};

struct formula {
	const char *metric;		    /* a name of the metric table */
	const char *events[FORMULA_EVENTS]; /* names in the model's event table; NULL ends them */
	/* NAN: not known; INFINITY: more than the hardware can do, so it is not to be believed */
	double (*value)(const struct formula *formula, const struct operand *operands);
	double factor;
	double max;	    /* the hardware can't do more; 0: no such bound is known */
	const char *source; /* what kind of count it rests on, for *_source columns; or NULL */
	bool same_group;    /* its events must be counted at the same time */
	bool any_unit;	    /* some of the row's units are enough: it is an average, no sum */
	bool pinned; /* its events never take turns: errors are rare, and bandwidth is what matters
		      */
	/*
	 * A second opinion on the ways before it, measured only where its units are opened anyway.
	 * It is a sum, but some units are enough: lines are hashed over all of them alike.
	 */
	bool cross_check;
};

/* The first event's rate times factor; and the sum of all events' rates. */
double formula_scaled(const struct formula *formula, const struct operand *operands);
double formula_sum(const struct formula *formula, const struct operand *operands);

/* The first event's rate by the second's, times factor. Where the second is 0, it is not known. */
double formula_ratio(const struct formula *formula, const struct operand *operands);

/*
 * Little's law: entries in a queue (occupancy, summed each clock) by entries that came (inserts)
 * are clocks, and by the clock (ticks of .units clocks) nanoseconds. Without inserts not known.
 */
double formula_latency(const struct formula *formula, const struct operand *operands);

/*
 * The clock of cores while they run, in MHz: core cycles by reference cycles, times the rate of the
 * time stamp counter.
 */
double formula_frequency(const struct formula *formula, const struct operand *operands);

/* The formula in words, such as "UNC_X.Y x 64 bytes"; cut to size. */
void formula_describe(const struct formula *formula, char *text, size_t size);

#endif
