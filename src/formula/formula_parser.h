/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formulas as text: those of the processors' tables, and of custom metrics.
 *
 *   UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ * 64 bytes
 *   per_unit(UNC_CHA_TOR_OCCUPANCY.ALL / UNC_CHA_CLOCKTICKS) / UNC_CHA_TOR_INSERTS.ALL
 *
 *   NAME         an event's rate a second, summed over the units of the row; in custom
 *                metrics, or another metric: what its column has, from whichever formula that is;
 *                inside per_unit(), its first formula
 *   64 bytes     a number, with a unit or without
 *   + - * / ( )  as usual; what is divided by 0 is not known
 *   per_unit(X)  X of each unit, added up
 *   mean(EVENT)  the event's rate of one unit, on average
 *   or_0(EVENT)  0 where this machine has no unit that counts the event
 *   by_port(EVENT, ...)  of a unit that all ports of a socket share: the first event is that of
 *                port 0, the next that of port 1...; of the row's ports alone
 *
 * Events are numbered in the order of the text; but of a table's formula a clock is the last: any
 * counter can count it, and the others take theirs before.
 */
#ifndef CXLMON_FORMULA_PARSER_H
#define CXLMON_FORMULA_PARSER_H

#include "base/error.h"
#include "events/event_catalogue.h"
#include "formula/program.h"
#include "metrics/metric.h"

#define FORMULA_DEPTH 32 /* brackets, and metrics in metrics */

/* What the names in formulas mean. */
struct formula_names {
	const struct event_catalogue *catalogue;
	/* The formula of a metric; it returns NULL where there is none. NULL itself in tables,
	 * where formulas name no metrics */
	const char *(*metric)(const void *context, const char *name);
	const void *context;
};

/* The result of a formula: a number x 10^exponent. */
struct quantity {
	struct dimension dimension;
	int exponent;
	/* whether it stays the same if there are twice as many units that count as much each */
	bool average;
};

/* -EINVAL (ERROR_USAGE): invalid text; the message says where. */
int formula_parse(const struct formula_names *names, const char *text, struct program *out,
		  struct quantity *quantity, struct error *err);

/* Scales the program so that its result is in units of 10^exponent. */
int formula_convert(struct program *program, struct quantity *quantity, int exponent,
		    struct error *err);

#endif
