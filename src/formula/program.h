/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A formula parsed from its text (formula_parser.h): steps in postfix order, which compute its
 * value from inputs, such as rates of events per second.
 */
#ifndef CXLMON_PROGRAM_H
#define CXLMON_PROGRAM_H

#include <stdbool.h>

#include "uncore/model/event.h"
#include "uncore/model/model.h"

#define FORMULA_PARTS	4 /* most parts; a part is the argument of a per_unit() */
#define FORMULA_METRICS 8 /* most other metrics that a formula names */
#define PROGRAM_INPUTS	(2 * FORMULA_EVENTS + FORMULA_PARTS + FORMULA_METRICS)
#define PROGRAM_STEPS	192

enum operation {
	OP_NUMBER, /* pushes the step's number */
	/* pushes input .index; in a step of a part, pushes the rate of operand .index on a unit */
	OP_INPUT,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE, /* a quotient by 0 is unknown */
	OP_NEGATE,
};

struct program_step {
	enum operation kind;
	unsigned index; /* only for OP_INPUT */
	double number;	/* only for OP_NUMBER */
};

/*
 * An event of a formula. Its rate in a row is the sum over the units of the row. With
 * formula.any_unit, the sum over the units that counted the event is scaled to all units.
 */
struct program_operand {
	const struct event *event;
	/* by_port(): port whose data the event counts, on a unit that all ports share; else -1 */
	int port;
	bool may_lack; /* or_0(): the rate is 0 if no unit of the machine counts the event */
};

/* Kinds of inputs. All but the last three are computed from counters. */
enum input_kind {
	INPUT_EVENT,  /* an operand's events in the row, per second */
	INPUT_MEAN,   /* an operand's events per unit, on average, per second */
	INPUT_PART,   /* a part's results, summed over the units */
	INPUT_METRIC, /* the value of another metric in the same row and interval */
	INPUT_LINK,   /* rate of the link of the row's device, bytes per second per direction */
	INPUT_KERNEL, /* a number that the kernel reports: a rate, or a level */
	INPUT_KINDS
};

struct program_input {
	enum input_kind kind;
	unsigned index; /* number of the operand, the part or the metric; otherwise 0 */
};

/* A range of steps, without .end. */
struct step_range {
	unsigned first, end;
};

struct program {
	struct program_operand operands[FORMULA_EVENTS];
	unsigned operand_count;
	struct program_input inputs[PROGRAM_INPUTS]; /* without duplicates */
	unsigned input_count;
	/* the steps of the value come first; steps of parts fill the array from its end */
	struct program_step steps[PROGRAM_STEPS];
	unsigned step_count, part_step_count;
	/* steps of each part */
	struct step_range parts[FORMULA_PARTS];
	unsigned part_count;
	const char *metrics[FORMULA_METRICS]; /* names of other metrics, of metric_table */
	unsigned metric_count;
	bool is_quotient; /* divides by something that is not constant, outside per_unit() */
};

/* Returns event i of a formula whose .program is set; NULL: i is past the last one. */
static inline const struct event *formula_event(const struct formula *formula, unsigned i)
{
	return i < formula->program->operand_count ? formula->program->operands[i].event : NULL;
}

/* Returns how many steps may still be added. */
static inline unsigned program_room(const struct program *program)
{
	return PROGRAM_STEPS - program->step_count - program->part_step_count;
}

/* Finds an input, or adds it. Returns its number; PROGRAM_INPUTS: there is no room. */
unsigned program_input(struct program *program, enum input_kind kind, unsigned index);

/*
 * Returns the value; inputs has a number for each of program->inputs. NAN: unknown, because an
 * input is NAN, a divisor is 0, or the result is not finite.
 */
double program_value(const struct program *program, const double *inputs);

/*
 * Computes each part for one unit; rates has the unit's rate of each operand. Returns false if some
 * result is unknown (NAN).
 */
bool program_parts(const struct program *program, const double *rates, double parts[FORMULA_PARTS]);

/*
 * Returns true if the steps of the value are valid: each finds its operands on the stack, each
 * OP_INPUT has an input, and one number is left. Does not check parts.
 */
bool program_is_valid(const struct program *program);

#endif
