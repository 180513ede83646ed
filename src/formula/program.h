/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A formula that was read from its text (formula_parser.h), as steps in postfix order. What they
 * take are its inputs: rates, a second.
 */
#ifndef CXLMON_PROGRAM_H
#define CXLMON_PROGRAM_H

#include <stdbool.h>

#include "uncore/model/event.h"
#include "uncore/model/model.h"

#define FORMULA_PARTS	4 /* sums that units add besides their events */
#define FORMULA_METRICS 8 /* other metrics that it names */
#define PROGRAM_INPUTS	(2 * FORMULA_EVENTS + FORMULA_PARTS + FORMULA_METRICS)
#define PROGRAM_STEPS	192

enum operation {
	OP_NUMBER,
	OP_INPUT, /* that of the index; in a part, the rate of that event of the unit */
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE, /* by 0: not known */
	OP_NEGATE,
};

struct program_step {
	enum operation kind;
	unsigned index;
	double number;
};

/* The sum over the units that counted it, scaled to all of the row where some are enough. */
struct program_operand {
	const struct event *event;
	int port; /* only of this port of a socket, on a unit that all share; -1: does not apply */
	bool may_lack; /* 0 where no unit of the machine has it */
};

enum input_kind {
	INPUT_EVENT,  /* the sum of an operand's events */
	INPUT_MEAN,   /* the same of one unit, on average */
	INPUT_PART,   /* the sum over all units of what a part yields for each */
	INPUT_METRIC, /* another metric, as its column has it in the same time */
	INPUT_LINK,   /* bytes that the link of the row's device can carry each way */
	INPUT_KERNEL, /* what the kernel says: it counts it, or it is a level */
	INPUT_KINDS
};

struct program_input {
	enum input_kind kind;
	unsigned index; /* of the operand, the part or the metric; else 0 */
};

struct step_range {
	unsigned first, end;
};

struct program {
	struct program_operand operands[FORMULA_EVENTS];
	unsigned operand_count;
	struct program_input inputs[PROGRAM_INPUTS]; /* each once */
	unsigned input_count;
	/* the value from the first on, parts at the end of the array */
	struct program_step steps[PROGRAM_STEPS];
	unsigned step_count, part_step_count;
	struct step_range parts[FORMULA_PARTS]; /* each computed for each unit, and added up */
	unsigned part_count;
	const char *metrics[FORMULA_METRICS]; /* names of the metric table */
	unsigned metric_count;
	bool is_quotient; /* sums of events are divided by others */
};

/* Event i of a formula that was read; NULL behind the last. */
static inline const struct event *formula_event(const struct formula *formula, unsigned i)
{
	return i < formula->program->operand_count ? formula->program->operands[i].event : NULL;
}

/* How many steps may still be added. */
static inline unsigned program_room(const struct program *program)
{
	return PROGRAM_STEPS - program->step_count - program->part_step_count;
}

/* Finds an input, or adds it. PROGRAM_INPUTS: there is no room. */
unsigned program_input(struct program *program, enum input_kind kind, unsigned index);

/* inputs: by input, a second. NAN: not known, or not finite. */
double program_value(const struct program *program, const double *inputs);

/*
 * What a unit adds to the parts, from its rates of all events, by operand. False: nothing is known
 * of the unit.
 */
bool program_parts(const struct program *program, const double *rates, double parts[FORMULA_PARTS]);

/* Whether each step has what it takes, and one number is left. */
bool program_is_valid(const struct program *program);

#endif
