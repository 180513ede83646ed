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

#define FORMULA_PARTS	4 /* the most per_unit() in a formula */
#define FORMULA_METRICS 8 /* the most other metrics that a formula names */
#define PROGRAM_INPUTS	(2 * FORMULA_EVENTS + FORMULA_PARTS + FORMULA_METRICS)
#define PROGRAM_STEPS	192

enum operation {
	OP_NUMBER, /* pushes the step's number */
	/* pushes the input with the step's index; in a part, the unit's rate of that operand */
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
 * An event of a formula. Its rate in a row is the sum over the units that counted it, scaled to all
 * units of the row if some are enough (formula.any_unit).
 */
struct program_operand {
	const struct event *event;
	/* counts only this port of a socket, on a unit that all ports share; -1: not by_port() */
	int port;
	bool may_lack; /* or_0(): the rate is 0 if no unit of the machine has the event */
};

/* Kinds of inputs. All but the last three are computed from counters. */
enum input_kind {
	INPUT_EVENT,  /* an operand's events in the row, per second */
	INPUT_MEAN,   /* an operand's events per unit, on average, per second */
	INPUT_PART,   /* the sum of a part's results of all units */
	INPUT_METRIC, /* the value of another metric in the same row and time */
	INPUT_LINK,   /* bytes per second that the link of the row's device carries per direction */
	INPUT_KERNEL, /* a number that the kernel reports: a rate, or a level */
	INPUT_KINDS
};

struct program_input {
	enum input_kind kind;
	unsigned index; /* number of the operand, the part or the metric; otherwise 0 */
};

/* Steps from first to before end. */
struct step_range {
	unsigned first, end;
};

struct program {
	struct program_operand operands[FORMULA_EVENTS];
	unsigned operand_count;
	struct program_input inputs[PROGRAM_INPUTS]; /* each occurs once */
	unsigned input_count;
	/* steps of the value are the first ones; steps of parts fill the array from its end */
	struct program_step steps[PROGRAM_STEPS];
	unsigned step_count, part_step_count;
	/* steps of each part: the argument of a per_unit() */
	struct step_range parts[FORMULA_PARTS];
	unsigned part_count;
	const char *metrics[FORMULA_METRICS]; /* names of the metric table */
	unsigned metric_count;
	bool is_quotient; /* sums of events are divided by other sums */
};

/* Returns event i of a formula whose .program is set; NULL after the last. */
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
 * Computes the value; inputs has a number for each of program->inputs. NAN: the value is unknown,
 * because an input is NAN or a divisor is 0, or it is not finite.
 */
double program_value(const struct program *program, const double *inputs);

/*
 * Computes a unit's result of each part; rates has the unit's rate of each operand. Returns false
 * if some result is unknown (NAN).
 */
bool program_parts(const struct program *program, const double *rates, double parts[FORMULA_PARTS]);

/*
 * Returns true if each step of the value finds as many numbers as it takes, and one number is left.
 * Steps of parts are not checked.
 */
bool program_is_valid(const struct program *program);

#endif
