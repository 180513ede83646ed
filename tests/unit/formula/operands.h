/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of programs from rates and units of operands and parts. */
#ifndef CXLMON_TEST_OPERANDS_H
#define CXLMON_TEST_OPERANDS_H

#include "formula/program.h"

#define FORMULA_OPERANDS (FORMULA_EVENTS + FORMULA_PARTS)

/* Sum of an event or, from FORMULA_EVENTS on, of a part over units. */
struct operand {
	double per_second;
	unsigned units;
};

/* Computes a program; every other metric is 5. */
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
