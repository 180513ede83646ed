/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas: how a processor's metrics are computed from event rates. */
#ifndef CXLMON_FORMULA_H
#define CXLMON_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#define FORMULA_EVENTS	  16
#define FORMULA_TEXT_SIZE 1024 /* for any formula_describe() */

/* One event of a row: the sum over the units that counted it. */
struct operand {
	double per_second;
	unsigned units; /* number of those units */
	double events;	/* in the whole interval of each */
};

struct formula {
	const char *metric;		    /* a name of the metric table */
	const char *events[FORMULA_EVENTS]; /* names in the model's event table; NULL ends them */
	/* NAN: not known; INFINITY: above the hardware's limit, so implausible */
	double (*value)(const struct formula *formula, const struct operand *operands);
	/*
	 * What a unit adds to the first operand, from its rates of all events; NULL: the rate of
	 * the first event. NAN: nothing known of the unit; INFINITY: implausible
	 */
	double (*of_unit)(const double *rates);
	double factor;
	double weights[FORMULA_EVENTS]; /* of each event in a sum, beside the factor; 0: 1 */
	double max;	    /* the hardware's limit; larger values are implausible; 0: none known */
	const char *source; /* value of the *_source column; or NULL */
	bool same_group;    /* its events must be counted at the same time, in one group */
	bool any_unit;	    /* counting on some of the units is enough: it is an average */
	bool absent_is_0;   /* a sum without the events that no unit of the machine has */
	bool by_port;	    /* events[n] is that of port n of a socket, on a unit that all share */
	bool pinned;	    /* its events are counted all the time, never multiplexed */
	/*
	 * A cross-check of the metric's other formulas, computed only if its units are open anyway.
	 * It is a sum, but some of the units are enough: lines are hashed evenly over all of them.
	 */
	bool cross_check;
	/* Counted where requests are made: only the sum of all sockets is that of all ports. */
	bool of_all_sockets;
};

/* The first event's rate times factor; the weighted sum of all events' rates times factor. */
double formula_scaled(const struct formula *formula, const struct operand *operands);
double formula_sum(const struct formula *formula, const struct operand *operands);

/* The first event's rate divided by the second's, times factor; NAN if the second is 0. */
double formula_ratio(const struct formula *formula, const struct operand *operands);

/*
 * Latency in ns by Little's law: events[0] is queue occupancy (entries summed over clocks),
 * events[1] inserts, events[2] clock ticks. The occupancy of each unit is divided by its own clock
 * in GHz (formula_occupancy_ns), since dies may have different clocks, and the sum by that of the
 * inserts. NAN without inserts.
 */
double formula_latency(const struct formula *formula, const struct operand *operands);
double formula_occupancy_ns(const double *rates);

/* Whether a value is divided by the count of events[1]: a ratio, a latency, a frequency. */
bool formula_is_quotient(const struct formula *formula);

/*
 * Core frequency in MHz while not halted: cycles / reference cycles * time stamp counter rate.
 */
double formula_frequency(const struct formula *formula, const struct operand *operands);

/* Writes the formula as text, such as "UNC_X.Y x 64 bytes"; cut off at size. */
void formula_describe(const struct formula *formula, char *text, size_t size);

#endif
