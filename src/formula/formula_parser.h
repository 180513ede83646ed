/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parser of formulas: the texts in processors' tables and of user-defined metrics.
 *
 *   UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ * 64 bytes
 *   per_unit(UNC_CHA_TOR_OCCUPANCY.ALL / UNC_CHA_CLOCKTICKS) / UNC_CHA_TOR_INSERTS.ALL
 *
 *   NAME         an event's rate per second, summed over the units of the row; in user-defined
 *                metrics also another metric: the value of its column, whichever of its formulas
 *                yields it; inside per_unit(), its first formula
 *   64 bytes     a number, with or without a unit
 *   + - * / ( )  as usual; a quotient by 0 is unknown
 *   per_unit(X)  the sum of X over the units: X is computed from the rates of each unit
 *   mean(EVENT)  the event's rate per unit, on average
 *   or_0(EVENT)  the event's rate; 0 if this machine has no unit that counts the event
 *   by_port(EVENT, ...)  the sum of events of a unit that all ports of a socket share: the first
 *                counts port 0, the next port 1...; only events of the row's ports are added
 *
 * Events are numbered in the order of the text. In a table's formula a clock is moved to the end:
 * any counter can count it, so the other events get counters first.
 */
#ifndef CXLMON_FORMULA_PARSER_H
#define CXLMON_FORMULA_PARSER_H

#include "base/error.h"
#include "events/event_catalogue.h"
#include "formula/program.h"
#include "metrics/metric.h"

#define FORMULA_DEPTH 32 /* the most nested brackets, and metrics in metrics */

/* The meaning of names in formulas. */
struct formula_names {
	const struct event_catalogue *catalogue;
	/*
	 * Returns the text of a metric's formula; NULL: it has none. The pointer is NULL for
	 * processors' tables, whose formulas name no metrics.
	 */
	const char *(*metric)(const void *context, const char *name);
	const void *context; /* first argument of metric() */
};

/* The result of a formula: a number x 10^exponent, of a dimension. */
struct quantity {
	struct dimension dimension;
	int exponent;
	/* an average: it stays the same if twice as many units each count as much */
	bool average;
};

/*
 * Parses a formula. *out refers to events of the catalogue, which must outlive it. -EINVAL
 * (ERROR_USAGE): the text is invalid; the message says where.
 */
int formula_parse(const struct formula_names *names, const char *text, struct program *out,
		  struct quantity *quantity, struct error *err);

/*
 * Changes the program so that its result is a number x 10^exponent, and sets quantity->exponent.
 * -EINVAL (ERROR_USAGE): the program would be too long.
 */
int formula_convert(struct program *program, struct quantity *quantity, int exponent,
		    struct error *err);

#endif
