/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What cells of longer intervals are computed from, where time alone can't tell it: the programs of
 * columns (formulas), once; and before a sample, the numbers that its cells are computed from
 * (inputs) and what its quotients are divided by (weights).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "formula/program.h"
#include "record/recording_private.h"

/*
 * Weights, and what is divided by them, are in these parts of a count: where a few counts were
 * scaled to all units, the whole number of parts is as good as exact. Only the ratio of weights
 * matters.
 */
#define WEIGHT_PARTS 1024

/* Cells of rows of metrics, row by row. */
static size_t cell_count(const struct view *view)
{
	return view_metric_rows(view) * view->column_count;
}

static const struct value *cell_of(const struct view *view, size_t cell)
{
	return &view->rows[cell / view->column_count].values[cell % view->column_count];
}

/* The program of a cell's column; NULL: it has none. */
static const struct program *program_of(const struct view *view, size_t cell)
{
	return view->columns[cell % view->column_count]->program;
}

/* Formulas. */

/* A step: what is taken from the inputs has one number, whichever kind it is. */
static const enum operation steps[] = {OP_EVENT,    OP_NUMBER, OP_ADD,	 OP_SUBTRACT,
				       OP_MULTIPLY, OP_DIVIDE, OP_NEGATE};

#define STEPS (sizeof(steps) / sizeof(steps[0]))

static struct program_step code_step(struct coder *c, struct program_step step)
{
	size_t number = STEPS - 1;

	while (number && steps[number] != step.kind)
		number--;
	step.kind = steps[code_count(c, number, STEPS - 1)];
	if (step.kind == OP_NUMBER)
		step.number = code_number(c, step.number);
	return step;
}

void recording_put_formulas(struct bytes *out, const struct view *view)
{
	struct bytes b = {.failed = false};
	struct coder c = {.out = &b};
	size_t count = 0;

	for (size_t i = 0; i < view->column_count; i++)
		count += view->columns[i]->program != NULL;
	if (!count)
		return;
	code_varint(&c, count);
	for (size_t i = 0; i < view->column_count; i++) {
		const struct program *program = view->columns[i]->program;

		if (!program)
			continue;
		code_varint(&c, i);
		code_varint(&c, program->step_count);
		for (unsigned s = 0; s < program->step_count; s++)
			code_step(&c, program->steps[s]);
	}
	block_put(out, BLOCK_FORMULAS, &b);
}

/* How many numbers the cells with a program have. */
size_t recording_input_count(const struct view *view)
{
	size_t count = 0;

	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c]->program)
			count += 1 + program_input_count(view->columns[c]->program);
	return view_metric_rows(view) * count;
}

int recording_decode_formulas(struct coder *c, struct recording *recording)
{
	const size_t columns = recording->view.column_count, count = code_count(c, 0, columns);
	size_t next = 0;

	if (recording->programs || recording->samples)
		return error_set(c->err, EXIT_FAILED, -EBADMSG,
				 "formulas do not follow the header");
	recording->programs = calloc(count + 1, sizeof(*recording->programs));
	if (!recording->programs)
		return error_no_memory(c->err);
	for (size_t i = 0; !c->bad && i < count; i++) {
		const size_t column = code_count(c, 0, columns - 1);

		struct program *program = &recording->programs[i];

		program->step_count = (unsigned)code_count(c, 0, PROGRAM_STEPS);
		for (unsigned s = 0; !c->bad && s < program->step_count; s++)
			program->steps[s] = code_step(c, program->steps[s]);
		c->bad |= !program_is_valid(program) || column < next;
		if (!c->bad)
			recording->metrics[column].program = program;
		next = column + 1;
	}
	c->bad |= recording_input_count(&recording->view) > MAX_INPUTS;
	if (c->bad)
		return 0;
	recording->inputs =
		calloc(recording_input_count(&recording->view) + 1, sizeof(*recording->inputs));
	return recording->inputs ? 0 : error_no_memory(c->err);
}

/* Inputs. */

/* How many numbers a cell has; 0: none. */
static size_t numbers_of(const struct program *program, const struct value *value)
{
	if (program)
		return value->inputs ? 1 + program_input_count(program) : 0;
	return value->undivided != 0 ? 2 : 0;
}

void recording_put_inputs(struct bytes *out, const struct view *view)
{
	struct bytes b = {.failed = false};
	struct coder c = {.out = &b};
	size_t next = 0;

	for (size_t i = 0; i < cell_count(view); i++) {
		const struct value *value = cell_of(view, i);
		const double quotient[] = {value->undivided * WEIGHT_PARTS, value->reads};
		const double *numbers = value->inputs ? value->inputs : quotient;
		const size_t count = numbers_of(program_of(view, i), value);

		if (!count)
			continue;
		code_varint(&c, i - next);
		for (size_t n = 0; n < count; n++)
			code_number(&c, numbers[n]);
		next = i + 1;
	}
	if (next)
		block_put(out, BLOCK_INPUTS, &b);
}

/* Inputs of the first cells are at the beginning of the array, so that there is room for all. */
static double *decode_cell(struct coder *c, const struct program *program, double *inputs,
			   struct value *value)
{
	const size_t count = program ? 1 + program_input_count(program) : 0;

	if (!program) {
		value->undivided = code_number(c, 0);
		value->reads = code_number(c, 0);
		c->bad |= isnan(value->undivided) || isnan(value->reads);
		return inputs;
	}
	for (size_t i = 0; i < count; i++)
		inputs[i] = code_number(c, 0);
	if (inputs[0] > 0)
		value->inputs = inputs;
	return inputs + count;
}

int recording_decode_inputs(struct coder *c, struct recording *recording)
{
	const struct view *view = &recording->view;
	const size_t cells = cell_count(view);
	double *inputs = recording->inputs;
	size_t next = 0;

	while (!c->bad && c->left) {
		const size_t cell = next + code_count(c, 0, cells);

		c->bad |= cell >= cells;
		if (c->bad)
			break;
		inputs = decode_cell(c, program_of(view, cell), inputs, &recording->values[cell]);
		next = cell + 1;
	}
	return 0;
}

/* Weights. */

/* At least 1 where it divides something; 0: none. */
static uint64_t weight_of(const struct value *value)
{
	if ((isnan(value->number) && !(value->reads > 0)) || !(value->weight > 0))
		return 0;
	return (uint64_t)fmax(1, round(fmin(value->weight * WEIGHT_PARTS, 0x1p63)));
}

void recording_put_weights(struct bytes *out, const struct view *view)
{
	struct bytes b = {.failed = false};
	struct coder c = {.out = &b};
	size_t count = 0, next = 0;
	uint64_t before = 0;

	for (size_t i = 0; i < cell_count(view); i++)
		count += weight_of(cell_of(view, i)) != 0;
	if (!count)
		return;
	code_varint(&c, count);
	for (size_t i = 0; i < cell_count(view); i++) {
		const uint64_t weight = weight_of(cell_of(view, i));

		if (!weight)
			continue;
		code_varint(&c, i - next);
		code_varint(&c, weight == before ? 0 : weight);
		next = i + 1;
		before = weight;
	}
	block_put(out, BLOCK_WEIGHTS, &b);
}

int recording_decode_weights(struct coder *c, struct recording *recording)
{
	const size_t all = cell_count(&recording->view), count = code_count(c, 0, all);
	uint64_t weight = 0;
	size_t next = 0;

	for (size_t i = 0; !c->bad && i < count; i++) {
		const size_t skipped = code_count(c, 0, all);
		const uint64_t given = code_varint(c, 0);

		weight = given ? given : weight;
		c->bad |= skipped >= all - next || !weight;
		if (c->bad)
			break;
		recording->values[next + skipped].weight = (double)weight;
		next += skipped + 1;
	}
	return 0;
}
