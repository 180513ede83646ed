/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of programs (compiled formulas), computed from the rates of operands. */
#ifndef CXLMON_TEST_OPERANDS_H
#define CXLMON_TEST_OPERANDS_H

#include "formula/program.h"

#define FORMULA_OPERANDS (FORMULA_EVENTS + FORMULA_PARTS)

/* The sum of an event over units or, from index FORMULA_EVENTS on, of a formula's part. */
struct operand {
	double per_second;
	unsigned units;
};

/* Computes a program. Inputs that are other metrics are 5. */
static inline double operands_value(const struct program *program, const struct operand *operands)
{
	double inputs[PROGRAM_INPUTS];

	for (unsigned i = 0; i < program->input_count; i++) {
		const struct program_input *input = &program->inputs[i];
		const struct operand *of = &operands[input->index];

		inputs[i] = 5;
		if (input->kind == INPUT_EVENT)
			inputs[i] = of->per_second;
		else if (input->kind == INPUT_MEAN)
			inputs[i] = of->per_second / of->units;
		else if (input->kind == INPUT_PART)
			inputs[i] = operands[FORMULA_EVENTS + input->index].per_second;
	}
	return program_value(program, inputs);
}

#endif
