/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A formula that was read from its text (formula_parser.h), as steps in postfix order. Its inputs
 * are rates per second.
 */
#ifndef CXLMON_PROGRAM_H
#define CXLMON_PROGRAM_H

#include <stdbool.h>

#include "uncore/model/event.h"
#include "uncore/model/model.h"

#define FORMULA_PARTS	4 /* the most sums that units add besides their events */
#define FORMULA_METRICS 8 /* the most other metrics that it names */
#define PROGRAM_INPUTS	(2 * FORMULA_EVENTS + FORMULA_PARTS + FORMULA_METRICS)
#define PROGRAM_STEPS	192

enum operation {
	OP_NUMBER,
	/* pushes the input with the step's index; in a part, the unit's rate of that event */
	OP_INPUT,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE, /* a quotient by 0 is unknown */
	OP_NEGATE,
};

struct program_step {
	enum operation kind;
	unsigned index;
	double number;
};

/*
 * The sum over the units that counted an event, scaled to all units of the row if some are enough.
 */
struct program_operand {
	const struct event *event;
	/* counts only this port of a socket, on a unit that all its ports share; -1: no port */
	int port;
	bool may_lack; /* is 0 if no unit of the machine has the event */
};

enum input_kind {
	INPUT_EVENT,  /* the sum of an operand's events */
	INPUT_MEAN,   /* an operand's events per unit, on average */
	INPUT_PART,   /* the sum over all units of the part's results */
	INPUT_METRIC, /* another metric, with its column's value at the same time */
	INPUT_LINK,   /* bytes that the link of the row's device can carry in each direction */
	INPUT_KERNEL, /* a number that the kernel reports: a count, or a level */
	INPUT_KINDS
};

struct program_input {
	enum input_kind kind;
	unsigned index; /* number of the operand, the part or the metric; otherwise 0 */
};

struct step_range {
	unsigned first, end;
};

struct program {
	struct program_operand operands[FORMULA_EVENTS];
	unsigned operand_count;
	struct program_input inputs[PROGRAM_INPUTS]; /* each listed once */
	unsigned input_count;
	/* steps of the value begin at the first, steps of parts fill the array from its end */
	struct program_step steps[PROGRAM_STEPS];
	unsigned step_count, part_step_count;
	/* steps of each part, which is computed for each unit, and added up */
	struct step_range parts[FORMULA_PARTS];
	unsigned part_count;
	const char *metrics[FORMULA_METRICS]; /* names of the metric table */
	unsigned metric_count;
	bool is_quotient; /* sums of events are divided by other sums */
};

/* Returns event i of a formula that was read; NULL after the last. */
static inline const struct event *formula_event(const struct formula *formula, unsigned i)
{
	return i < formula->program->operand_count ? formula->program->operands[i].event : NULL;
}

/* Returns how many steps may still be added. */
static inline unsigned program_room(const struct program *program)
{
	return PROGRAM_STEPS - program->step_count - program->part_step_count;
}

/* Finds an input, or adds it. Returns its number; PROGRAM_INPUTS: no room. */
unsigned program_input(struct program *program, enum input_kind kind, unsigned index);

/* Computes the value from the inputs, per second, by number. NAN: unknown, or not finite. */
double program_value(const struct program *program, const double *inputs);

/*
 * Computes a unit's part of each sum from its rates of all events, by operand. Returns false if the
 * unit's parts are unknown.
 */
bool program_parts(const struct program *program, const double *rates, double parts[FORMULA_PARTS]);

/* Returns true if each step has its operands, and one number is left. */
bool program_is_valid(const struct program *program);

#endif
