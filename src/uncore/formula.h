/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas: how a processor's metrics are computed from event rates. */
#ifndef CXLMON_FORMULA_H
#define CXLMON_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore/program.h"

/*
 * Bytes a second each way of a port whose link is not known: 16 lanes of PCIe 5.0, the fastest of
 * these processors.
 */
#define PORT_RATE 64e9

struct formula {
	const char *metric; /* a name of the metric table */
	/* As metrics/formula_parser.h reads it: the unit of the metric says that of the result */
	const char *text;
	/*
	 * No unit counts more of the last event a second: a higher rate is a wrong reading, and the
	 * value is implausible. 0: no limit is known. Of a port, it is for a link of PORT_RATE
	 */
	double max_rate;
	const char *source; /* value of the *_source column; or NULL */
	bool same_group;    /* its events must be counted at the same time, in one group */
	bool any_unit;	    /* counting on some of the units is enough: it is an average */
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
	bool mean_of_reads; /* a latency: the second event counts the reads that it is a mean of */
	bool from_core;	    /* a latency as long as the core waits; else it begins at the CHA */
	bool of_device;	    /* a CXL device counts it itself; some count nothing */
	/* Counted where requests are made: only the sum of all sockets is that of all ports. */
	bool of_all_sockets;

	/* What metrics/formulas.h adds to a row of a processor's table. */
	const struct program *program; /* its text, as it is computed */
	unsigned number; /* from 1, of the processor's and devices'; 0: of a user-defined metric */
};

/* Event i of a formula that was read; NULL behind the last. */
static inline const struct event *formula_event(const struct formula *formula, unsigned i)
{
	return i < formula->program->operand_count ? formula->program->operands[i].event : NULL;
}

#endif
