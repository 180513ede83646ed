/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inputs of cells: once, the formulas that a column may have; in each sample, the counts of each
 * cell.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "record/recording_private.h"

struct recorded_formula {
	struct formula formula;
	struct program program;
	struct event events[FORMULA_EVENTS];
};

/* Formulas. */

#define FORMULA_OF_READS 0x01
#define FORMULA_LEVEL	 0x02
#define FORMULA_LEAK	 0x04 /* ns of the leak follow */

static void code_flags(struct coder *c, struct formula *f)
{
	const uint8_t flags = code_u8(c, (uint8_t)((f->mean_of_reads ? FORMULA_OF_READS : 0) |
						   (f->is_level ? FORMULA_LEVEL : 0) |
						   (f->leak_ns > 0 ? FORMULA_LEAK : 0)));

	f->mean_of_reads = flags & FORMULA_OF_READS;
	f->is_level = flags & FORMULA_LEVEL;
	f->leak_ns = flags & FORMULA_LEAK ? code_number(c, f->leak_ns) : 0;
}

static void code_operands(struct coder *c, struct program *program, struct event *events)
{
	program->operand_count = (unsigned)code_count(c, program->operand_count, FORMULA_EVENTS);
	for (unsigned i = 0; i < program->operand_count; i++) {
		struct program_operand *operand = &program->operands[i];

		if (!c->out)
			operand->event = &events[i];
		const char *name = code_text(c, operand->event->name);
		if (!c->out)
			events[i].name = name;
		operand->port = code_index(c, operand->port);
	}
}

/* Returns the number of inputs that a kind may have. */
static size_t most_of(const struct program *program, enum input_kind kind)
{
	switch (kind) {
	case INPUT_EVENT:
	case INPUT_MEAN:
		return program->operand_count;
	case INPUT_PART:
		return FORMULA_PARTS;
	case INPUT_METRIC:
		return program->metric_count;
	default:
		return 1;
	}
}

static void code_inputs(struct coder *c, struct program *program)
{
	program->input_count = (unsigned)code_count(c, program->input_count, PROGRAM_INPUTS);
	for (unsigned i = 0; i < program->input_count; i++) {
		struct program_input *input = &program->inputs[i];

		input->kind = (enum input_kind)code_count(c, input->kind, INPUT_KINDS - 1);
		input->index = (unsigned)code_count(c, input->index, FORMULA_EVENTS);
		c->bad |= input->index >= most_of(program, input->kind);
	}
}

static void code_steps(struct coder *c, struct program *program)
{
	program->step_count = (unsigned)code_count(c, program->step_count, PROGRAM_STEPS);
	for (unsigned i = 0; i < program->step_count; i++) {
		struct program_step *step = &program->steps[i];

		step->kind = (enum operation)code_count(c, step->kind, OP_NEGATE);
		if (step->kind == OP_NUMBER)
			step->number = code_number(c, step->number);
		else if (step->kind == OP_INPUT)
			step->index = (unsigned)code_count(c, step->index, PROGRAM_INPUTS);
	}
	c->bad |= !program_is_valid(program);
}

/*
 * Encodes or decodes a formula; encoding changes nothing. named: columns of the metrics that it
 * names.
 */
static void code_formula(struct coder *c, struct formula *f, struct program *program,
			 struct event *events, size_t *named)
{
	f->source = code_optional(c, f->source);
	code_flags(c, f);
	code_operands(c, program, events);
	program->metric_count = (unsigned)code_count(c, program->metric_count, FORMULA_METRICS);
	for (unsigned k = 0; k < program->metric_count; k++)
		named[k] = code_count(c, named[k], MAX_COLUMNS - 1);
	code_inputs(c, program);
	code_steps(c, program);
}

void recording_put_formulas(struct coder *c, const struct table *table, size_t column)
{
	const struct column *at = &table->columns[column];

	code_varint(c, at->formulas.count);
	for (size_t i = 0; i < at->formulas.count; i++) {
		struct formula formula = *at->formulas.items[i];
		struct program program = *formula.program;
		size_t named[FORMULA_METRICS];

		memcpy(named, at->named, sizeof(named));
		code_formula(c, &formula, &program, NULL, named);
	}
}

int recording_decode_formulas(struct coder *c, struct recording *r, size_t column)
{
	struct formula_list *used = &r->table.columns[column].formulas;
	const size_t count = code_count(c, 0, COLUMN_FORMULAS);

	for (size_t i = 0; !c->bad && i < count; i++) {
		struct recorded_formula *f = calloc(1, sizeof(*f));

		if (!f || array_room(&r->formulas, r->formula_count, 1, sizeof(*r->formulas))) {
			free(f);
			return -ENOMEM;
		}
		r->formulas[r->formula_count++] = f;
		f->formula.program = &f->program;
		f->formula.metric = r->metrics[column].name;
		code_formula(c, &f->formula, &f->program, f->events,
			     r->table.columns[column].named);
		used->items[used->count++] = &f->formula;
		if (f->program.metric_count)
			r->metrics[column].program = &f->program;
	}
	return 0;
}

void recording_free_formulas(struct recording *r)
{
	for (size_t i = 0; i < r->formula_count; i++)
		free(r->formulas[i]);
	free(r->formulas);
}

/* Cells. */

/* Parts of a cell's first byte. */
#define CELL_FORMULA 0x0F /* number in the column, from 1; 0: unknown */
#define CELL_SCALED  0x10
#define CELL_TIMES   0x20 /* inputs have other times than the row; they follow */
#define CELL_READS   0x40 /* number of reads follows, as there were few */

_Static_assert(COLUMN_FORMULAS <= CELL_FORMULA, "formulas of a column have numbers");

static bool is_counted(const struct program *program, unsigned i)
{
	return program->inputs[i].kind != INPUT_METRIC;
}

static bool has_usual_times(double usual_ns, const struct inputs *inputs)
{
	const struct program *program = inputs->formula->program;

	for (unsigned i = 0; i < program->input_count; i++)
		if (is_counted(program, i) && inputs->items[i].ns != usual_ns)
			return false;
	return true;
}

static uint8_t flags_of(double usual_ns, const struct inputs *inputs,
			const struct formula_list *used)
{
	size_t number = 0;

	while (inputs && number < used->count && used->items[number] != inputs->formula)
		number++;
	if (!inputs || number == used->count)
		return 0;
	return (uint8_t)((number + 1) | (inputs->scaled ? CELL_SCALED : 0) |
			 (has_usual_times(usual_ns, inputs) ? 0 : CELL_TIMES) |
			 (inputs->formula->mean_of_reads && inputs->reads < ENOUGH_READS
				  ? CELL_READS
				  : 0));
}

/* Encodes or decodes the inputs. A time is unknown, or above 0. */
static void code_items(struct coder *c, double usual_ns, uint8_t flags,
		       const struct program *program, struct input_value *items)
{
	for (unsigned i = 0; i < program->input_count; i++) {
		if (!is_counted(program, i))
			continue;
		items[i].per_second = code_number(c, items[i].per_second);
		items[i].ns = flags & CELL_TIMES ? code_number(c, items[i].ns) : usual_ns;
		c->bad |= items[i].ns <= 0;
	}
}

/* Encodes *from (NULL: nothing), or decodes into *inputs. usual_ns: time that the row covers. */
static void code_cell(struct coder *c, double usual_ns, const struct formula_list *used,
		      const struct inputs *from, struct inputs *inputs)
{
	const uint8_t flags = code_u8(c, c->out ? flags_of(usual_ns, from, used) : 0);
	const size_t number = flags & CELL_FORMULA;

	c->bad |= number > used->count ||
		  flags > (CELL_FORMULA | CELL_SCALED | CELL_TIMES | CELL_READS);
	if (!c->out)
		inputs->formula = NULL;
	if (c->bad || !number)
		return;
	inputs->formula = used->items[number - 1];
	inputs->scaled = flags & CELL_SCALED;
	inputs->reads =
		flags & CELL_READS ? (double)code_varint(c, (uint64_t)inputs->reads) : ENOUGH_READS;
	code_items(c, usual_ns, flags, inputs->formula->program, inputs->items);
}

void recording_code_cells(struct coder *c, const struct table *table, size_t r)
{
	const struct row *row = &table->rows[r];
	const double usual_ns = value_whole(row->interval_s * NS_PER_S);

	for (size_t i = 0; i < table_all_columns(table); i++) {
		const struct formula_list *used = &table->columns[i].formulas;
		const struct inputs *from = c->out ? row->values[i].inputs : NULL;
		struct inputs copy = from ? *from : (struct inputs){.scaled = false};

		if (used->count)
			code_cell(c, usual_ns, used, from,
				  c->out ? &copy : table_inputs(table, r, i));
	}
}
