/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parser of formulas: the texts in processors' tables and of user-defined metrics.
 *
 *   UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ * 64 bytes
 *   per_unit(UNC_CHA_TOR_OCCUPANCY.ALL / UNC_CHA_CLOCKTICKS) / UNC_CHA_TOR_INSERTS.ALL
 *
 *   EVENT        the event's rate per second, summed over the units of the row
 *   METRIC       only in user-defined metrics. A built-in metric's name stands for its value in
 *                the same row or, inside per_unit(), for its first formula. The name of an
 *                earlier user-defined metric stands for its formula
 *   64 bytes     a number, with or without a unit
 *   + - * / ( )  arithmetic; a quotient by 0 is unknown
 *   per_unit(X)  X computed from the rates of each unit, then summed over the units. A formula with
 *                per_unit() must have all its events on one kind of unit, inside and outside
 *                per_unit(), and must not use or_0() or by_port()
 *   mean(EVENT)  the event's rate per unit, on average
 *   or_0(EVENT)  the event's rate; 0 if no unit of this machine counts the event
 *   by_port(EVENT, ...)  for a unit that all ports of a socket share: one event for each port,
 *                from port 0 on. The result is the sum of the events of the row's ports
 *
 * The operands of a program are the events in the order of the text, each once. The same event in
 * or_0(), or for another port, is another operand. A metric's value in the row adds no operand.
 */
#ifndef CXLMON_FORMULA_PARSER_H
#define CXLMON_FORMULA_PARSER_H

#include "base/error.h"
#include "events/event_catalogue.h"
#include "formula/program.h"
#include "metrics/metric.h"

#define FORMULA_DEPTH 32 /* most levels of nested brackets and metrics */

/* The meaning of names in formulas. */
struct formula_names {
	const struct event_catalogue *catalogue;
	/*
	 * Returns the text of the formula of a metric; NULL: none, or no metric has this name.
	 * .metric itself is NULL if formulas cannot name metrics.
	 */
	const char *(*metric)(const void *context, const char *name);
	const void *context; /* first argument of .metric */
};

/* The result of a formula: a number x 10^exponent, of a dimension. */
struct quantity {
	struct dimension dimension;
	int exponent;
	/* an average: unchanged if there are twice as many units, each with the same counts */
	bool average;
};

/*
 * Parses a formula. The catalogue must outlive *out. Returns 0 or -EINVAL (ERROR_USAGE): the text
 * is invalid, and the message says why; *out and *quantity are then unspecified.
 */
int formula_parse(const struct formula_names *names, const char *text, struct program *out,
		  struct quantity *quantity, struct error *err);

/*
 * Scales the result of a program from quantity->exponent to a number x 10^exponent, and sets
 * quantity->exponent. Returns 0 or -EINVAL (ERROR_USAGE): the program would be too long.
 */
int formula_convert(struct program *program, struct quantity *quantity, int exponent,
		    struct error *err);

#endif
