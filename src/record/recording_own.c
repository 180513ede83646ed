/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User-defined metrics that a recording did not have: columns after the shown ones, computed from
 * the counts of other columns, and from rows of events.
 */
#include "record/recording_own.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"

#define NOT_COUNTED PROGRAM_INPUTS

/* A recorded column's formula that has inputs of a metric. */
struct own_source {
	size_t own, column; /* numbers of the metric and of the column */
	const struct formula *formula;
	unsigned inputs[PROGRAM_INPUTS]; /* by input of the metric: index of the formula's input; or
					    NOT_COUNTED */
	bool has_all; /* the formula has all inputs, except other metrics and events in rows */
};

struct recording_own {
	const struct custom_metrics *metrics;
	struct recording *recording;
	size_t first;		   /* first added column */
	struct inputs *inputs;	   /* by row of metrics and by metric */
	struct input_value *items; /* items of .inputs */
	struct own_source *sources;
	size_t source_count;
};

static const struct custom_metric *metric_of(const struct recording_own *own, size_t i)
{
	return own->metrics->items[i];
}

/* Tells if two inputs are the same: another name, or another port, makes another input. */
static bool is_same_input(const struct program *a, struct program_input x, const struct program *b,
			  struct program_input y)
{
	if (x.kind != y.kind || x.kind > INPUT_MEAN)
		return false;
	const struct program_operand *p = &a->operands[x.index], *q = &b->operands[y.index];

	return p->port == q->port && !strcmp(p->event->name, q->event->name);
}

static int add_source(struct recording_own *own, size_t i, size_t column,
		      const struct formula *formula)
{
	const struct program *wanted = &metric_of(own, i)->program, *had = formula->program;
	struct own_source source = {
		.own = i, .column = column, .formula = formula, .has_all = true};
	bool any = false;

	for (unsigned k = 0; k < wanted->input_count; k++) {
		unsigned n = 0;

		while (n < had->input_count &&
		       !is_same_input(wanted, wanted->inputs[k], had, had->inputs[n]))
			n++;
		source.inputs[k] = n < had->input_count ? n : NOT_COUNTED;
		any |= n < had->input_count;
		source.has_all &= n < had->input_count || wanted->inputs[k].kind == INPUT_METRIC;
	}
	if (!any)
		return 0;
	if (array_room(&own->sources, own->source_count, 1, sizeof(*own->sources)))
		return -ENOMEM;
	own->sources[own->source_count++] = source;
	return 0;
}

static int find_sources(struct recording_own *own, size_t i)
{
	const struct table *table = &own->recording->table;
	int rc = 0;

	for (size_t c = 0; c < table_all_columns(table); c++)
		for (size_t f = 0; !rc && f < table->columns[c].formulas.count; f++)
			rc = add_source(own, i, c, table->columns[c].formulas.items[f]);
	return rc;
}

/* Tells if some row counts an event: each event has rows for all units of a row of metrics. */
static bool has_event(const struct table *table, const char *name)
{
	for (size_t r = table_metric_rows(table); r < table->row_count; r++)
		if (!strcmp(table->rows[r].event->name, name))
			return true;
	return false;
}

static bool is_counted(const struct recording_own *own, size_t i, unsigned k)
{
	const struct program *program = &metric_of(own, i)->program;
	const struct program_input *input = &program->inputs[k];

	if (input->kind == INPUT_METRIC)
		return true;
	for (size_t s = 0; s < own->source_count; s++)
		if (own->sources[s].own == i && own->sources[s].inputs[k] != NOT_COUNTED)
			return true;
	return input->kind == INPUT_EVENT && program->operands[input->index].port < 0 &&
	       has_event(&own->recording->table, program->operands[input->index].event->name);
}

/* Reports the first input that a recording does not have. */
static int check_counted(const struct recording_own *own, size_t i, struct error *err)
{
	const struct custom_metric *m = metric_of(own, i);
	const struct program *program = &m->program;

	for (unsigned k = 0; k < program->input_count; k++) {
		const struct program_input *input = &program->inputs[k];

		if (is_counted(own, i, k))
			continue;
		if (input->kind == INPUT_PART)
			return error_set(err, ERROR_USAGE, -ENODATA,
					 "metric '%s': per_unit() needs counts of each unit, but "
					 "recordings have only sums over units",
					 m->name);
		return error_set(err, ERROR_USAGE, -ENODATA,
				 input->kind == INPUT_MEAN
					 ? "metric '%s': mean(%s) was not counted in this recording"
					 : "metric '%s': %s was not counted in this recording",
				 m->name, program->operands[input->index].event->name);
	}
	return 0;
}

/* Finds the columns that a metric names, including those that only formulas name. */
static int find_named(struct recording_own *own, size_t i, struct error *err)
{
	struct table *table = &own->recording->table;
	const struct custom_metric *m = metric_of(own, i);

	for (unsigned k = 0; k < m->program.metric_count; k++) {
		size_t c = 0;

		while (c < table_all_columns(table) &&
		       strcmp(table->columns[c].metric->name, m->program.metrics[k]) != 0)
			c++;
		if (c == table_all_columns(table))
			return error_set(err, ERROR_USAGE, -ENODATA,
					 "metric '%s': %s was not counted in this recording",
					 m->name, m->program.metrics[k]);
		table->columns[own->first + i].named[k] = c;
	}
	return 0;
}

/* Makes room for more columns, after the first ones. */
static int widen_table(struct table *table, size_t first, size_t more)
{
	const size_t after = table->named_count;
	struct column *wider =
		reallocarray(table->columns, first + more + after + 1, sizeof(*wider));

	if (!wider)
		return -ENOMEM;
	table->columns = wider;
	memmove(&wider[first + more], &wider[first], after * sizeof(*wider));
	memset(&wider[first], 0, more * sizeof(*wider));
	return 0;
}

static int make_inputs(struct recording_own *own)
{
	const size_t cells = table_metric_rows(&own->recording->table) * own->metrics->count;

	own->inputs = calloc(cells + 1, sizeof(*own->inputs));
	own->items = calloc(cells + 1, PROGRAM_INPUTS * sizeof(*own->items));
	if (!own->inputs || !own->items)
		return -ENOMEM;
	for (size_t i = 0; i < cells; i++)
		own->inputs[i].items = own->items + i * PROGRAM_INPUTS;
	return 0;
}

/* Adds the columns. Cells of a sample are decoded without them, as they have no formulas. */
static int add_columns(struct recording_own *own)
{
	struct recording *r = own->recording;
	struct table *table = &r->table;
	const size_t first = own->first, more = own->metrics->count;

	if (widen_table(table, first, more))
		return -ENOMEM;
	for (size_t c = 0; c < first + more + table->named_count; c++)
		for (unsigned k = 0; k < FORMULA_METRICS; k++)
			table->columns[c].named[k] +=
				table->columns[c].named[k] >= first ? more : 0;
	for (size_t i = 0; i < more; i++)
		table->columns[first + i].metric = &own->metrics->items[i]->metric;
	table->column_count += more;
	table_link_columns(table);
	return table_make_values(table) || table_make_inputs(table) ? -ENOMEM : make_inputs(own);
}

int recording_own_add(struct recording *recording, const struct custom_metrics *metrics,
		      struct error *err)
{
	struct recording_own *own = calloc(1, sizeof(*own));
	int rc = 0;

	if (!own)
		return error_no_memory(err);
	recording->own = own;
	*own = (struct recording_own){
		.metrics = metrics, .recording = recording, .first = recording->table.column_count};
	for (size_t i = 0; i < metrics->count; i++)
		for (size_t c = 0; c < table_all_columns(&recording->table); c++)
			if (!strcmp(recording->table.columns[c].metric->name,
				    metric_of(own, i)->name))
				return error_set(err, ERROR_USAGE, -EEXIST,
						 "metric '%s': this recording has a column of this "
						 "name: expected another name",
						 metric_of(own, i)->name);
	if (add_columns(own))
		return error_no_memory(err);
	for (size_t i = 0; !rc && i < metrics->count; i++) {
		if (find_sources(own, i))
			return error_no_memory(err);
		rc = find_named(own, i, err);
		if (!rc)
			rc = check_counted(own, i, err);
	}
	return rc;
}

void recording_own_free(struct recording *recording)
{
	struct recording_own *own = recording->own;

	if (!own)
		return;
	free(own->sources);
	free(own->inputs);
	free(own->items);
	free(own);
}

/* A sample. */

/*
 * Returns the sum of an event over the units of a socket or of the system: its rows on single
 * units, or a row that is such a sum. If an event was given twice, its first rows count.
 */
static struct input_value sum_rows(const struct table *table, const struct row *row,
				   const char *name)
{
	struct input_value sum = {0, NAN};
	const struct unit *seen = NULL;

	for (size_t r = table_metric_rows(table); r < table->row_count; r++) {
		const struct row *unit = &table->rows[r];

		if (strcmp(unit->event->name, name) != 0 || row->place.kind < ROW_SOCKET ||
		    (row->place.socket >= 0 && unit->place.socket != row->place.socket) ||
		    (unit->summed && row_scope(unit) != row_scope(row)))
			continue;
		if (unit->unit == seen)
			break;
		seen = seen ? seen : unit->unit;
		sum.per_second += unit->per_s;
		sum.ns = fmin(sum.ns, value_whole(unit->interval_s * NS_PER_S));
	}
	if (isnan(sum.ns))
		sum.per_second = NAN;
	return sum;
}

/* Returns the cell of a source, if the row shows the source's formula in it; else NULL. */
static const struct inputs *shown_by(const struct row *row, const struct own_source *source)
{
	const struct inputs *inputs = row->values[source->column].inputs;

	return inputs && inputs->formula == source->formula ? inputs : NULL;
}

/* Takes the inputs that are still unknown from a cell. */
static void take_inputs(const struct own_source *source, const struct inputs *from, bool *known,
			struct inputs *to)
{
	for (unsigned k = 0; k < to->formula->program->input_count; k++) {
		if (source->inputs[k] == NOT_COUNTED || known[k])
			continue;
		to->items[k] = from->items[source->inputs[k]];
		to->scaled |= from->scaled;
		known[k] = true;
	}
}

static void take_rows(const struct table *table, const struct row *row, bool *known,
		      struct inputs *to)
{
	const struct program *program = to->formula->program;

	for (unsigned k = 0; k < program->input_count; k++) {
		const struct program_input *input = &program->inputs[k];

		if (known[k] || input->kind != INPUT_EVENT)
			continue;
		to->items[k] = sum_rows(table, row, program->operands[input->index].event->name);
		known[k] = !isnan(to->items[k].per_second);
	}
}

/* Takes inputs from cells that have all of them, or from any cell. */
static void take_cells(const struct recording_own *own, size_t i, const struct row *row,
		       bool of_all, bool *known, struct inputs *to)
{
	for (size_t s = 0; s < own->source_count; s++) {
		const struct own_source *source = &own->sources[s];
		const struct inputs *from = source->own == i && (source->has_all || !of_all)
						    ? shown_by(row, source)
						    : NULL;

		if (from)
			take_inputs(source, from, known, to);
	}
}

/*
 * Collects a metric's inputs, if possible from one cell that has all: these were counted together.
 */
static bool collect_inputs(const struct recording_own *own, size_t i, const struct row *row,
			   struct inputs *to)
{
	const struct program *program = to->formula->program;
	bool known[PROGRAM_INPUTS] = {false}, all = true;

	take_cells(own, i, row, true, known, to);
	take_cells(own, i, row, false, known, to);
	take_rows(&own->recording->table, row, known, to);
	for (unsigned k = 0; k < program->input_count; k++)
		all &= known[k] || program->inputs[k].kind == INPUT_METRIC;
	return all;
}

bool recording_own_compute(struct recording *recording, size_t r, size_t c)
{
	const struct recording_own *own = recording->own;

	if (c < own->first || c >= own->first + own->metrics->count)
		return false;
	const size_t i = c - own->first;
	const struct custom_metric *m = metric_of(own, i);
	struct inputs *inputs = &own->inputs[r * own->metrics->count + i];
	struct row *row = &recording->table.rows[r];

	inputs->formula = &m->at_once;
	inputs->scaled = false;
	if (!row_can_have(row, &m->metric) || !collect_inputs(own, i, row, inputs))
		inputs->formula = NULL;
	else
		inputs_name(inputs, row->values, recording->table.columns[c].named);
	value_compute(inputs, false, &row->values[c]);
	return true;
}
