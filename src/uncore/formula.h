/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas: how a processor's metrics are computed from event rates. */
#ifndef CXLMON_FORMULA_H
#define CXLMON_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#define FORMULA_EVENTS	  16
#define FORMULA_PARTS	  4 /* sums that units add besides their events */
#define FORMULA_OPERANDS  (FORMULA_EVENTS + FORMULA_PARTS)
#define FORMULA_TEXT_SIZE 1024 /* for any formula_describe() */

struct program;

/* One event of a row: the sum over the units that counted it. */
struct operand {
	double per_second;
	unsigned units; /* number of those units */
	double events;	/* in the whole interval of each */
};

struct formula {
	/* of the user's own: what is computed, of which operands; NULL: what stands below */
	const struct program *program;
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
	double weights[FORMULA_EVENTS]; /* each event's in a sum, beside the factor; 0: 1 */
	double max;	    /* the hardware's limit; larger values are implausible; 0: none known */
	const char *source; /* value of the *_source column; or NULL */
	bool same_group;    /* its events must be counted at the same time, in one group */
	bool any_unit;	    /* counting on some of the units is enough: it is an average */
	bool optional;	    /* a sum without the events that no unit of the machine has */
	bool first_required; /* but for the first, which some unit must have */
	bool by_port;	     /* events[n] is that of port n of a socket, on a unit that all share */
	/*
	 * Its events are counted all the time, never multiplexed. A sum over CHAs needs that:
	 * beside latencies, which take turns on them, it would not be known.
	 */
	bool pinned;
	/*
	 * A cross-check of the metric's other formulas, computed only if its units are open anyway.
	 * It is a sum, but some of the units are enough: lines are hashed evenly over all of them.
	 */
	bool cross_check;
	/*
	 * Used only where no formula of the metric before it can be counted; others are counted
	 * beside each other, and the first whose value is known is used.
	 */
	bool fallback;
	/* Where a formula before it gave a value, that is compared with this one's. */
	bool compared;
	/* One class of requests, where reads may be of another: 0 says nothing of them. */
	bool one_class;
	bool mean_of_reads; /* a latency: events[1] counts the reads that it is a mean of */
	bool from_core;	    /* a latency as long as the core waits; else it begins at the CHA */
	bool of_device;	    /* a CXL device counts it itself; some count nothing */
	/* Counted where requests are made: only the sum of all sockets is that of all ports. */
	bool of_all_sockets;
};

/* The first event's rate times factor; the weighted sum of all events' rates times factor. */
double formula_scaled(const struct formula *formula, const struct operand *operands);
double formula_sum(const struct formula *formula, const struct operand *operands);

/* The first event's rate divided by the second's, times factor; NAN if the second is 0. */
double formula_ratio(const struct formula *formula, const struct operand *operands);

/* The same of the rates of the first half of the events, added up, and those of the second. */
double formula_ratio_of_sums(const struct formula *formula, const struct operand *operands);

/*
 * Latency in ns by Little's law: events[0] is queue occupancy (entries summed over clocks),
 * events[1] inserts, events[2] clock ticks. The occupancy of each unit is divided by its own clock
 * (formula_mean_occupancy), since dies may have different clocks, and the sum by that of the
 * inserts. NAN without inserts.
 */
double formula_latency(const struct formula *formula, const struct operand *operands);
double formula_mean_occupancy(const double *rates);

/* The value of a program, without a limit of the hardware. */
double formula_program(const struct formula *formula, const struct operand *operands);

/*
 * Whether units add parts of their own; those of a unit then, from its rates of all events, in
 * parts, by operand. False: nothing is known of the unit.
 */
bool formula_has_parts(const struct formula *formula);
bool formula_parts(const struct formula *formula, const double *rates, unsigned count,
		   double parts[FORMULA_OPERANDS]);

/* Whether event i may be missing on the machine, and counts as 0 then. */
bool formula_may_lack(const struct formula *formula, unsigned i);
/* The port of a socket whose event i is, where a unit counts those of all ports; -1: any. */
int formula_port(const struct formula *formula, unsigned i);

/*
 * How many events of a quotient it is divided by, in the interval; 0 if it is none. NAN: a program
 * without a single divisor.
 */
double formula_weight(const struct formula *formula, const struct operand *operands);
/*
 * The dividend to this divisor, of a quotient of the tables; 0 if it is none.
 * Where the weight of an interval is 0, its value is not known, but it counts in longer ones.
 */
double formula_undivided(const struct formula *formula, const struct operand *operands);

/*
 * Core frequency in MHz while not halted: cycles / reference cycles * time stamp counter rate.
 */
double formula_frequency(const struct formula *formula, const struct operand *operands);

/*
 * Writes the formula as metrics of the user's own are written (metrics/formula_parser.h), such as
 * "UNC_X.Y * 64 bytes"; cut off at size.
 */
void formula_describe(const struct formula *formula, char *text, size_t size);

#endif
