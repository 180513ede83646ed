/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/formulas.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formula/formula_parser.h"
#include "uncore/units/cpmu_events.h"

static size_t count_rows(const struct formula *rows)
{
	size_t count = 0;

	while (rows[count].metric)
		count++;
	return count;
}

/* Adjusts the number of an operand after one was moved to the end. */
static void move_clock(unsigned *operand, unsigned from, unsigned last)
{
	*operand = *operand == from ? last : *operand - (*operand > from);
}

/* Makes a clock the last operand: all counters count it, and other events take theirs first. */
static void put_clock_last(struct program *program, const struct model *model)
{
	const unsigned last = program->operand_count - 1;
	struct program_operand *operands = program->operands;
	unsigned from = 0;

	while (from < last &&
	       operands[from].event != model_clock(model, operands[from].event->type))
		from++;
	const struct program_operand clock = operands[from];
	memmove(&operands[from], &operands[from + 1], (last - from) * sizeof(clock));
	operands[last] = clock;
	for (unsigned i = 0; i < program->input_count; i++)
		if (program->inputs[i].kind <= INPUT_MEAN)
			move_clock(&program->inputs[i].index, from, last);
	for (unsigned i = PROGRAM_STEPS - program->part_step_count; i < PROGRAM_STEPS; i++)
		if (program->steps[i].kind == OP_INPUT)
			move_clock(&program->steps[i].index, from, last);
}

static int read_row(struct formula *row, const struct formula_names *names, struct program *program,
		    struct error *err)
{
	const struct metric_unit *unit = metric_unit_of(row->metric);
	struct quantity quantity;
	int rc = formula_parse(names, row->text, program, &quantity, err);

	if (!rc)
		rc = formula_convert(program, &quantity, unit ? unit->exponent : 0, err);
	if (!rc)
		put_clock_last(program, names->catalogue->model);
	for (unsigned i = 0; row->same_group && i < program->operand_count; i++)
		row->groups[i] = row->number;
	return rc;
}

static bool is_shared(const struct formula *formula)
{
	for (const struct metric *m = metric_table; m->name; m++)
		if (m->share_of && !strcmp(m->share_of, formula->metric))
			return true;
	return false;
}

/* Makes the formula of a percentage of the link's rate; the traffic is in MB/s. */
static int make_share(struct formula *formula, struct formula *share, struct program *program,
		      struct error *err)
{
	*program = *formula->program;
	*share = *formula;
	share->program = program;
	formula->share = share;
	const struct program_step steps[] = {
		{.kind = OP_NUMBER, .number = 100 * 1e6},
		{.kind = OP_INPUT, .index = program_input(program, INPUT_LINK, 0)},
		{.kind = OP_DIVIDE},
		{.kind = OP_MULTIPLY},
	};
	if (program_room(program) < sizeof(steps) / sizeof(*steps))
		return error_set(err, ERROR_FAILED, -EINVAL, "%s: the formula is too long",
				 formula->metric);
	memcpy(program->steps + program->step_count, steps, sizeof(steps));
	program->step_count += sizeof(steps) / sizeof(*steps);
	return 0;
}

static int read_formulas(struct formulas *out, const struct model *model, struct error *err)
{
	const size_t of_model = count_rows(model->formulas);
	const size_t count = of_model + count_rows(cpmu_formulas);
	struct event_catalogue catalogue;
	size_t shares = 0;
	int rc = 0;

	*out = (struct formulas){
		.items = calloc(count, sizeof(*out->items)),
		.shares = calloc(count, sizeof(*out->shares)),
		.count = count,
		.of_model = of_model,
	};
	if (!out->items || !out->shares)
		return error_no_memory(err);
	for (size_t i = 0; i < count; i++) {
		out->items[i] = i < of_model ? model->formulas[i] : cpmu_formulas[i - of_model];
		shares += is_shared(&out->items[i]);
	}
	out->programs = malloc((count + shares) * sizeof(*out->programs));
	if (!out->programs)
		return error_no_memory(err);
	catalogue_init(&catalogue, model);
	for (size_t i = 0; !rc && i < count; i++) {
		out->items[i].program = &out->programs[i];
		out->items[i].number = (unsigned)i + 1;
		rc = read_row(&out->items[i], &(struct formula_names){.catalogue = &catalogue},
			      &out->programs[i], err);
		if (!rc && is_shared(&out->items[i])) {
			shares--;
			rc = make_share(&out->items[i], &out->shares[shares],
					&out->programs[count + shares], err);
		}
	}
	return rc;
}

int formulas_read(struct formulas *out, const struct model *model, struct error *err)
{
	const int rc = read_formulas(out, model, err);

	if (rc)
		formulas_free(out);
	return rc;
}

void formulas_free(struct formulas *formulas)
{
	free(formulas->items);
	free(formulas->shares);
	free(formulas->programs);
	*formulas = (struct formulas){0};
}

/* Finds the metric's nth formula among those from first to end. */
static const struct formula *find_formula(const struct formulas *formulas, size_t first, size_t end,
					  const char *metric, unsigned nth)
{
	for (size_t i = first; i < end; i++)
		if (!strcmp(formulas->items[i].metric, metric) && !nth--)
			return &formulas->items[i];
	return NULL;
}

const struct formula *formulas_find(const struct formulas *formulas, const char *metric,
				    unsigned nth)
{
	if (find_formula(formulas, 0, formulas->of_model, metric, 0))
		return find_formula(formulas, 0, formulas->of_model, metric, nth);
	return formulas_find_device(formulas, metric, nth);
}

const struct formula *formulas_find_device(const struct formulas *formulas, const char *metric,
					   unsigned nth)
{
	return find_formula(formulas, formulas->of_model, formulas->count, metric, nth);
}
