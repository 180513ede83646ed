/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The formulas block: the programs of columns. The inputs block: what cells of the next sample are
 * computed from, where neither time nor a weight can tell what they are in longer intervals.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "record/block.h"
#include "record/recording_private.h"
#include "uncore/program.h"

#define MAX_NUMBER ((size_t)9)
#define MAX_COUNT  ((size_t)10)

/* A step: what is taken from the inputs has one number, whichever kind it is. */
static const enum operation steps[] = {OP_EVENT,    OP_NUMBER, OP_ADD,	 OP_SUBTRACT,
				       OP_MULTIPLY, OP_DIVIDE, OP_NEGATE};

#define STEPS (sizeof(steps) / sizeof(steps[0]))

static unsigned step_number(enum operation kind)
{
	for (unsigned i = 0; i < STEPS; i++)
		if (steps[i] == kind)
			return i;
	return 0;
}

static void put_program(struct bytes *b, const struct program *program)
{
	bytes_put_varint(b, program->step_count);
	for (unsigned i = 0; i < program->step_count; i++) {
		bytes_put_varint(b, step_number(program->steps[i].kind));
		if (program->steps[i].kind == OP_NUMBER)
			bytes_put_number(b, program->steps[i].number);
	}
}

void recording_put_formulas(struct bytes *out, const struct view *view)
{
	struct bytes b = {.failed = false};
	size_t count = 0;

	for (size_t c = 0; c < view->column_count; c++)
		count += view->columns[c]->program != NULL;
	if (!count)
		return;
	bytes_put_varint(&b, count);
	for (size_t c = 0; c < view->column_count; c++) {
		if (!view->columns[c]->program)
			continue;
		bytes_put_varint(&b, c);
		put_program(&b, view->columns[c]->program);
	}
	block_put(out, BLOCK_FORMULAS, &b);
	bytes_free(&b);
}

size_t recording_max_formulas(const struct view *view)
{
	return MAX_COUNT + view->column_count * (2 * MAX_COUNT + PROGRAM_STEPS * (1 + MAX_NUMBER));
}

static void decode_program(struct cursor *c, struct program *program)
{
	program->step_count = (unsigned)cursor_count(c, PROGRAM_STEPS);
	for (unsigned i = 0; !c->bad && i < program->step_count; i++) {
		program->steps[i].kind = steps[cursor_count(c, STEPS - 1)];
		if (program->steps[i].kind == OP_NUMBER)
			program->steps[i].number = cursor_number(c);
	}
	c->bad |= !program_is_valid(program);
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

int recording_decode_formulas(struct recording *recording, struct error *err)
{
	struct cursor c = {.at = recording->body.data, .left = recording->body.size};
	const size_t count = cursor_count(&c, recording->view.column_count);
	size_t next = 0;

	if (recording->programs || recording->samples)
		return error_set(err, EXIT_FAILED, -EBADMSG, "formulas are not behind the header");
	recording->programs = calloc(count + 1, sizeof(*recording->programs));
	if (!recording->programs)
		return error_no_memory(err);
	for (size_t i = 0; !c.bad && i < count; i++) {
		const size_t column = cursor_count(&c, recording->view.column_count - 1);

		decode_program(&c, &recording->programs[i]);
		c.bad |= column < next;
		if (!c.bad)
			recording->metrics[column].program = &recording->programs[i];
		next = column + 1;
	}
	if (c.bad || c.left || recording_input_count(&recording->view) > MAX_INPUTS)
		return error_set(err, EXIT_FAILED, -EBADMSG, "invalid formulas");
	recording->inputs =
		calloc(recording_input_count(&recording->view) + 1, sizeof(*recording->inputs));
	return recording->inputs ? 0 : error_no_memory(err);
}

/* How many numbers a cell has; 0: none. */
static size_t numbers_of(const struct metric *metric, const struct value *value)
{
	if (metric->program)
		return value->inputs ? 1 + program_input_count(metric->program) : 0;
	return value->undivided != 0 ? 2 : 0;
}

static void put_numbers(struct bytes *b, const struct value *value, size_t count)
{
	const double few[] = {value->undivided * WEIGHT_PARTS, value->reads};

	for (size_t i = 0; i < count; i++)
		bytes_put_number(b, value->inputs ? value->inputs[i] : few[i]);
}

void recording_put_inputs(struct bytes *out, const struct view *view)
{
	const size_t cells = view_metric_rows(view) * view->column_count;
	struct bytes b = {.failed = false};
	size_t next = 0;

	for (size_t i = 0; i < cells; i++) {
		const size_t c = i % view->column_count;
		const struct value *value = &view->rows[i / view->column_count].values[c];
		const size_t count = numbers_of(view->columns[c], value);

		if (!count)
			continue;
		bytes_put_varint(&b, i - next);
		put_numbers(&b, value, count);
		next = i + 1;
	}
	if (next)
		block_put(out, BLOCK_INPUTS, &b);
	bytes_free(&b);
}

size_t recording_max_inputs(const struct view *view)
{
	return view_metric_rows(view) * view->column_count * (MAX_COUNT + 2 * MAX_NUMBER) +
	       recording_input_count(view) * MAX_NUMBER;
}

void recording_clear_inputs(struct recording *recording)
{
	const struct view *view = &recording->view;

	for (size_t i = 0; i < view->row_count * view->column_count; i++) {
		recording->values[i].undivided = 0;
		recording->values[i].reads = 0;
		recording->values[i].inputs = NULL;
	}
}

/* Inputs of the first cells are at the beginning of the array, so that there is room for all. */
static double *decode_inputs(struct cursor *c, const struct program *program, double *inputs,
			     struct value *value)
{
	const size_t count = 1 + program_input_count(program);

	for (size_t i = 0; i < count; i++)
		inputs[i] = cursor_number(c);
	if (inputs[0] > 0)
		value->inputs = inputs;
	return inputs + count;
}

static void decode_undivided(struct cursor *c, struct value *value)
{
	value->undivided = cursor_number(c);
	value->reads = cursor_number(c);
	c->bad |= isnan(value->undivided) || isnan(value->reads);
}

int recording_decode_inputs(struct recording *recording, struct error *err)
{
	struct cursor c = {.at = recording->body.data, .left = recording->body.size};
	const struct view *view = &recording->view;
	const size_t cells = view_metric_rows(view) * view->column_count;
	double *inputs = recording->inputs;
	size_t next = 0;

	recording_clear_inputs(recording);
	while (!c.bad && c.left) {
		const size_t cell = next + cursor_count(&c, cells);

		c.bad |= cell >= cells;
		if (c.bad)
			break;
		const struct program *program = view->columns[cell % view->column_count]->program;

		if (program)
			inputs = decode_inputs(&c, program, inputs, &recording->values[cell]);
		else
			decode_undivided(&c, &recording->values[cell]);
		next = cell + 1;
	}
	return c.bad ? error_set(err, EXIT_FAILED, -EBADMSG, "inputs do not match the header") : 0;
}
