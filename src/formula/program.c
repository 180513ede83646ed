/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/program.h"

#include <math.h>

static double calculate_step(enum operation kind, double a, double b)
{
	switch (kind) {
	case OP_ADD:
		return a + b;
	case OP_SUBTRACT:
		return a - b;
	case OP_MULTIPLY:
		return a * b;
	default:
		return b != 0 ? a / b : NAN;
	}
}

/* Runs steps on a stack. The parser makes no step that takes more than the stack has. */
static double run_steps(const struct program_step *steps, struct step_range range,
			const double *inputs)
{
	double stack[PROGRAM_STEPS];
	unsigned depth = 0;

	for (unsigned i = range.first; i < range.end; i++) {
		const struct program_step *step = &steps[i];

		if (step->kind == OP_NEGATE) {
			stack[depth - 1] = -stack[depth - 1];
		} else if (step->kind >= OP_ADD) {
			depth--;
			stack[depth - 1] =
				calculate_step(step->kind, stack[depth - 1], stack[depth]);
		} else {
			stack[depth++] =
				step->kind == OP_INPUT ? inputs[step->index] : step->number;
		}
	}
	return depth && isfinite(stack[0]) ? stack[0] : NAN;
}

double program_value(const struct program *program, const double *inputs)
{
	return run_steps(program->steps, (struct step_range){0, program->step_count}, inputs);
}

bool program_parts(const struct program *program, const double *rates, double parts[FORMULA_PARTS])
{
	bool known = true;

	for (unsigned i = 0; i < program->part_count; i++) {
		parts[i] = run_steps(program->steps, program->parts[i], rates);
		known &= !isnan(parts[i]);
	}
	return known;
}

unsigned program_input(struct program *program, enum input_kind kind, unsigned index)
{
	unsigned i = 0;

	while (i < program->input_count &&
	       !(program->inputs[i].kind == kind && program->inputs[i].index == index))
		i++;
	if (i == program->input_count && i < PROGRAM_INPUTS)
		program->inputs[program->input_count++] = (struct program_input){kind, index};
	return i;
}

bool program_is_valid(const struct program *program)
{
	unsigned depth = 0;

	for (unsigned i = 0; i < program->step_count; i++) {
		const struct program_step *step = &program->steps[i];
		const unsigned taken = step->kind < OP_ADD ? 0 : step->kind == OP_NEGATE ? 1 : 2;

		if (depth < taken ||
		    (step->kind == OP_INPUT && step->index >= program->input_count))
			return false;
		depth += 1 - taken;
	}
	return depth == 1;
}
