/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/program.h"

#include <math.h>

static double calculate(enum operation kind, double a, double b)
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

static bool is_input(const struct program_step *step)
{
	return step->kind < OP_ADD && step->kind != OP_NUMBER;
}

/* count: the events of the interval, not a second. */
static double input_of(const struct program_step *step, const struct operand *operands, bool count)
{
	const unsigned index = step->index + (step->kind == OP_PART	? PART_OPERAND
					      : step->kind == OP_METRIC ? METRIC_OPERAND
									: 0);
	const struct operand *operand = &operands[index];
	const double number = count ? operand->events : operand->per_second;

	if (step->kind == OP_MEAN)
		return operand->units ? number / operand->units : NAN;
	return number;
}

/* The parser makes no step that takes more than there is. */
static double calculate_steps(const struct program_step *steps, struct step_range range,
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
			stack[depth - 1] = calculate(step->kind, stack[depth - 1], stack[depth]);
		} else {
			stack[depth++] = is_input(step) ? *inputs++ : step->number;
		}
	}
	return depth && isfinite(stack[0]) ? stack[0] : NAN;
}

static double run(const struct program_step *steps, struct step_range range,
		  const struct operand *operands, bool count)
{
	double inputs[PROGRAM_STEPS];
	unsigned used = 0;

	for (unsigned i = range.first; i < range.end; i++)
		if (is_input(&steps[i]))
			inputs[used++] = input_of(&steps[i], operands, count);
	return calculate_steps(steps, range, inputs);
}

static struct step_range all_steps(const struct program *program)
{
	return (struct step_range){0, program->step_count};
}

double program_value(const struct program *program, const struct operand *operands)
{
	return run(program->steps, all_steps(program), operands, false);
}

unsigned program_input_count(const struct program *program)
{
	unsigned count = 0;

	for (unsigned i = 0; i < program->step_count; i++)
		count += is_input(&program->steps[i]);
	return count;
}

void program_inputs(const struct program *program, const struct operand *operands, double *inputs)
{
	for (unsigned i = 0; i < program->step_count; i++)
		if (is_input(&program->steps[i]))
			*inputs++ = input_of(&program->steps[i], operands, false);
}

double program_value_of(const struct program *program, const double *inputs)
{
	return calculate_steps(program->steps, all_steps(program), inputs);
}

bool program_is_valid(const struct program *program)
{
	unsigned depth = 0;

	for (unsigned i = 0; i < program->step_count; i++) {
		const enum operation kind = program->steps[i].kind;
		const unsigned taken = kind < OP_ADD ? 0 : kind == OP_NEGATE ? 1 : 2;

		if (depth < taken)
			return false;
		depth += 1 - taken;
	}
	return depth == 1;
}

bool program_parts(const struct program *program, const double *rates,
		   double parts[FORMULA_OPERANDS])
{
	struct operand operands[FORMULA_OPERANDS] = {0};
	bool known = true;

	for (unsigned i = 0; i < program->operand_count; i++) {
		operands[i] = (struct operand){.per_second = rates[i], .units = 1};
		parts[i] = rates[i];
	}
	for (unsigned i = 0; i < program->part_count; i++) {
		double *part = &parts[PART_OPERAND + i];

		*part = run(program->part_steps, program->parts[i], operands, false);
		known &= !isnan(*part);
	}
	return known;
}

bool program_has_weight(const struct program *program)
{
	return program->weight.end > program->weight.first;
}

double program_weight(const struct program *program, const struct operand *operands)
{
	const double divisor = run(program->steps, program->weight, operands, true);
	const double weight = divisor * program->weight_factor;

	return isfinite(weight) ? weight : NAN;
}

/* The value of what is divided by 1, and has the events of the interval in place of rates. */
double program_undivided(const struct program *program, const struct operand *operands)
{
	const struct step_range weight = program->weight;
	double inputs[PROGRAM_STEPS];
	unsigned used = 0;

	for (unsigned i = 0; i < program->step_count; i++) {
		const struct program_step *step = &program->steps[i];

		if (!is_input(step))
			continue;
		if (i >= weight.first && i < weight.end)
			inputs[used++] = i == weight.first; /* a sum of events: 1 + 0 + ... */
		else
			inputs[used++] = input_of(step, operands, i < weight.first);
	}
	return calculate_steps(program->steps, all_steps(program), inputs);
}

#define MOST_FACTOR 1e6

void program_set_weight(struct program *program, struct step_range steps)
{
	struct operand ones[FORMULA_OPERANDS];

	program->weight = steps;
	for (unsigned i = 0; i < FORMULA_OPERANDS; i++)
		ones[i] = (struct operand){.per_second = 1, .events = 1, .units = 1};
	const double one = run(program->steps, steps, ones, true);
	const bool is_count = one >= 1 && one <= MOST_FACTOR;

	/* where it is 0 or hardly more, that says nothing of a count */
	program->weight_factor = !is_count && isfinite(1 / one) ? 1 / one : 1;
}
