/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A formula that was read from its text (formula/formulas.h), as steps in postfix order. Its
 * operands are rates of events, a second.
 */
#ifndef CXLMON_PROGRAM_H
#define CXLMON_PROGRAM_H

#include <stdbool.h>

#include "uncore/event.h"
#include "uncore/model.h"

#define FORMULA_PARTS	 4 /* sums that units add besides their events */
#define FORMULA_METRICS	 8 /* other metrics that it names */
#define FORMULA_OPERANDS (FORMULA_EVENTS + FORMULA_PARTS + 2 * FORMULA_METRICS)
#define PROGRAM_STEPS	 192

/*
 * One event of a formula: the sum over the units that counted it, scaled to all of the row where
 * some are enough; or a part that units add; or what another metric is of: see OP_METRIC.
 */
struct operand {
	double per_second;
	unsigned units; /* number of the units that the sum is of */
	double events;	/* in the whole interval of each */
};

enum operation {
	OP_NUMBER,
	OP_EVENT, /* the rate of an operand */
	OP_MEAN,  /* the same of one unit, on average */
	OP_PART,  /* a sum over all units, see struct program */
	/*
	 * Metric index / 2, as its column has it: a rate; or the dividend of a quotient, and with
	 * an odd index its divisor
	 */
	OP_METRIC,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE, /* by 0: not known */
	OP_NEGATE,
};

struct program_step {
	enum operation kind;
	unsigned index; /* the operand's, or the part's, or the metric's */
	double number;
};

struct program_operand {
	const struct event *event;
	int port; /* only of this port of a socket, on a unit that all share; -1: does not apply */
	bool may_lack; /* 0 where no unit of the machine has it */
};

struct step_range {
	unsigned first, end;
};

struct program {
	struct program_operand operands[FORMULA_EVENTS];
	unsigned operand_count;
	struct program_step steps[PROGRAM_STEPS];
	unsigned step_count;
	/* computed for each unit, and added up: ranges of part_steps */
	struct program_step part_steps[PROGRAM_STEPS];
	unsigned part_step_count;
	struct step_range parts[FORMULA_PARTS];
	unsigned part_count;
	const char *metrics[FORMULA_METRICS]; /* names of the metric table */
	unsigned metric_count;
	struct step_range weight; /* the steps of a quotient's divisor; empty: none */
	double weight_factor;	  /* see program_set_weight() */
};

/* Event i of a formula that was read; NULL behind the last. */
static inline const struct event *formula_event(const struct formula *formula, unsigned i)
{
	return i < formula->program->operand_count ? formula->program->operands[i].event : NULL;
}

/* The first operand of parts, and of metrics, each of which has two. */
#define PART_OPERAND   FORMULA_EVENTS
#define METRIC_OPERAND (FORMULA_EVENTS + FORMULA_PARTS)

/* NAN: not known, or not finite. */
double program_value(const struct program *program, const struct operand *operands);

/*
 * What a unit adds to the parts, from its rates of all events; into parts, by operand. False:
 * nothing is known of the unit.
 */
bool program_parts(const struct program *program, const double *rates,
		   double parts[FORMULA_OPERANDS]);

/*
 * The divisor of a quotient in the whole interval, where it is one sum of events, as a latency by
 * its reads: only such means can be averaged over time. NAN: a program without such a divisor.
 */
bool program_has_weight(const struct program *program);
double program_weight(const struct program *program, const struct operand *operands);
/*
 * The dividend to that divisor: where the weight of an interval is 0, its value is not known, but
 * it counts in longer ones.
 */
double program_undivided(const struct program *program, const struct operand *operands);

/*
 * The inputs of a program are what its steps take from the operands, in their order: rates, of all
 * units or of one on average, parts, and metrics. The mean of each over time, weighted by time,
 * yields the value of the whole time. Room for inputs: program_input_count(), below PROGRAM_STEPS.
 */
unsigned program_input_count(const struct program *program);
void program_inputs(const struct program *program, const struct operand *operands, double *inputs);
double program_value_of(const struct program *program, const double *inputs); /* NAN as above */

/* Whether each step has what it takes, and one number is left. */
bool program_is_valid(const struct program *program);

/*
 * Sets the steps of the weight. Only the ratio of weights matters, and recordings have whole
 * numbers: a divisor of far less or more than a count, such as events / 1e9, or of less than 0, is
 * scaled to be about a count.
 */
void program_set_weight(struct program *program, struct step_range steps);

#endif
