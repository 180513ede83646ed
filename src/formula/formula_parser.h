/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas as text, for the processors' tables and for user-defined metrics.
 *
 *   UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ * 64 bytes
 *   per_unit(UNC_CHA_TOR_OCCUPANCY.ALL / UNC_CHA_CLOCKTICKS) / UNC_CHA_TOR_INSERTS.ALL
 *
 *   NAME         an event's rate per second, summed over the units of the row; in user-defined
 *                metrics also another metric: the value of its column, whichever of its formulas
 *                yields it; inside per_unit(), its first formula
 *   64 bytes     a number, with or without a unit
 *   + - * / ( )  as usual; a quotient by 0 is unknown
 *   per_unit(X)  X of each unit, added up
 *   mean(EVENT)  the event's rate per unit, on average
 *   or_0(EVENT)  0 if this machine has no unit that counts the event
 *   by_port(EVENT, ...)  events of a unit that all ports of a socket share: the first is port
 *                0's, the next port 1's...; only ports of the row are counted
 *
 * Events are numbered in the order of the text, except that in a table's formula a clock is the
 * last: any counter can count it, and the other events take theirs first.
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
	/* Returns the formula of a metric, or NULL if it has none. It is NULL itself for the
	 * processors' tables, whose formulas name no metrics. */
	const char *(*metric)(const void *context, const char *name);
	const void *context;
};

/* Dimension and scale of a formula's result: a number x 10^exponent. */
struct quantity {
	struct dimension dimension;
	int exponent;
	/* it stays the same if twice as many units each count as much */
	bool average;
};

/* Parses a formula. -EINVAL (ERROR_USAGE): the text is invalid; the message says where. */
int formula_parse(const struct formula_names *names, const char *text, struct program *out,
		  struct quantity *quantity, struct error *err);

/* Scales the program so that its result is in units of 10^exponent. */
int formula_convert(struct program *program, struct quantity *quantity, int exponent,
		    struct error *err);

#endif
