/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_file.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "formula/program.h"

/* A number over some time. A single one is kept as it is. */
struct sum {
	size_t known;
	double number; /* the last one */
	double total, weight;
};

struct cell_sum {
	struct sum value;   /* the total in base units: see struct family */
	double ns, weight;  /* see struct value */
	double few;	    /* reads of latencies that were of too few of them */
	double *inputs;	    /* of a program, times seconds, behind these; NULL: none */
	size_t with_inputs; /* samples that had them */
	bool scaled;
	bool unweighted; /* a quotient of which some weight is not known */
	bool undivided;	 /* the total has more than known numbers: see struct value */
	char *text;	 /* NULL: empty */
};

struct row_sum {
	struct sum pct, per_s;
	double interval_s, count;
	bool counted; /* count is known */
};

static void add(struct sum *sum, double number, double weight)
{
	if (isnan(number))
		return;
	sum->known++;
	sum->number = number;
	sum->total += number * weight;
	sum->weight += weight;
}

static double mean_of(const struct sum *sum)
{
	if (sum->known < 2)
		return sum->known ? sum->number : NAN;
	/* a recording may have any numbers: a sum that is none is not known */
	const double mean = sum->total / sum->weight;
	return isfinite(mean) ? mean : NAN;
}

/*
 * Without the rounding error of a number of events, bytes or nanoseconds: the mean of a run may end
 * with a half, and an error would show in the digit before that.
 */
static double whole(double number)
{
	const double nearest = round(number);

	return fabs(number - nearest) <= 4 * DBL_EPSILON * fabs(nearest) ? nearest : number;
}

/* Rows. */

static void show_row(struct aggregate *s, size_t r)
{
	struct row *row = &s->view.rows[s->view.row_count];

	*row = s->from->rows[r];
	row->first_term = s->source_count;
	row->term_count = 1;
	s->sources[s->source_count++] = r;
	s->view.row_count++;
	s->view.event_rows += row->event != NULL;
}

/* The rows first to end of one event, of this socket, or of all (-1). Without any, there is no sum.
 */
static void show_sum(struct aggregate *s, size_t first, size_t end, int socket)
{
	struct row *row = &s->view.rows[s->view.row_count];
	size_t count = 0;

	for (size_t r = first; r < end; r++) {
		const struct row *unit = &s->from->rows[r];

		if (socket >= 0 && unit->socket != socket)
			continue;
		if (!count++) {
			*row = row_unknown;
			row->scope = socket < 0 ? SCOPE_SYSTEM : SCOPE_SOCKET;
			row->socket = socket;
			row->event = unit->event;
			row->unit = unit->unit;
			row->summed = true;
			row->first_term = s->source_count;
		}
		s->sources[s->source_count++] = r;
	}
	if (!count)
		return;
	row->term_count = count;
	s->view.row_count++;
	s->view.event_rows++;
}

/* The end of the rows that one -e has made: of one event, of each unit once. */
static size_t end_of_event(const struct view *from, size_t first)
{
	size_t end = first + 1;

	while (end < from->row_count && !from->rows[end].summed &&
	       from->rows[end].event == from->rows[first].event &&
	       from->rows[end].unit != from->rows[first].unit)
		end++;
	return end;
}

static bool is_first_of_socket(const struct view *from, size_t first, size_t r)
{
	for (size_t i = first; i < r; i++)
		if (from->rows[i].socket == from->rows[r].socket)
			return false;
	return true;
}

/* Events of units have rows of their own down to ports; sums of them are made for coarser scopes.
 */
static void choose_rows(struct aggregate *s, enum scope finest)
{
	for (size_t first = 0, end; first < s->from->row_count; first = end) {
		const struct row *row = &s->from->rows[first];

		end = first + 1;
		if (!row->event || finest < SCOPE_SOCKET || row->summed) {
			if (row->scope >= finest || (row->event && finest < SCOPE_SOCKET))
				show_row(s, first);
			continue;
		}
		end = end_of_event(s->from, first);
		for (size_t r = first; finest == SCOPE_SOCKET && r < end; r++)
			if (is_first_of_socket(s->from, first, r))
				show_sum(s, first, end, s->from->rows[r].socket);
		show_sum(s, first, end, -1);
	}
}

static void choose_columns(struct aggregate *s, enum scope finest)
{
	const struct view *from = s->from;
	struct view *view = &s->view;

	for (size_t c = 0; c < from->column_count; c++) {
		if (from->columns[c]->kind == METRIC_CPU && finest > SCOPE_CPU)
			continue;
		s->columns[view->column_count] = c;
		view->columns[view->column_count++] = from->columns[c];
	}
	for (size_t c = 0; c < view->column_count; c++)
		view->source_column[c] = view_find_column(view, view->columns[c]->of);
}

static int make_cells(struct aggregate *s)
{
	struct view *view = &s->view;
	const size_t cells = view->row_count * view->column_count;
	struct value *values = calloc(cells + 1, sizeof(*values));

	view->unknown = values; /* freed with it */
	s->cells = calloc(cells + 1, sizeof(*s->cells));
	s->rows = calloc(view->row_count + 1, sizeof(*s->rows));
	if (!values || !s->cells || !s->rows)
		return -ENOMEM;
	for (size_t r = 0; r < view->row_count; r++)
		view->rows[r].values = values + r * view->column_count;
	return 0;
}

/* A row of an event on a unit may become one of a sum over the socket, and one over the system. */
int aggregate_init(struct aggregate *s, const struct view *from, enum scope finest)
{
	*s = (struct aggregate){.from = from, .view = {.model = from->model}};
	s->columns = calloc(from->column_count + 1, sizeof(*s->columns));
	s->view.columns = calloc(from->column_count + 1, sizeof(*s->view.columns));
	s->view.source_column = calloc(from->column_count + 1, sizeof(*s->view.source_column));
	s->view.rows = calloc(2 * from->row_count + 1, sizeof(*s->view.rows));
	s->sources = calloc(2 * from->row_count + 1, sizeof(*s->sources));
	if (!s->columns || !s->view.columns || !s->view.source_column || !s->view.rows ||
	    !s->sources)
		return -ENOMEM;
	choose_columns(s, finest);
	choose_rows(s, finest);
	return make_cells(s);
}

void aggregate_free(struct aggregate *s)
{
	for (size_t i = 0; s->cells && i < s->view.row_count * s->view.column_count; i++) {
		free(s->cells[i].text);
		free(s->cells[i].inputs);
	}
	free(s->cells);
	free(s->rows);
	free(s->sources);
	free(s->columns);
	free(s->view.columns);
	free(s->view.source_column);
	free(s->view.rows);
	free(s->view.unknown);
	*s = (struct aggregate){.samples = 0};
}

/* Adding. */

/* The values of the sample go with its block: a text is copied if it is another one than before. */
static int set_text(struct cell_sum *cell, const char *text)
{
	if (!strcmp(cell->text ? cell->text : "", text))
		return 0;
	char *copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(cell->text);
	cell->text = copy;
	return 0;
}

static int add_inputs(struct cell_sum *cell, const struct program *program, const double *inputs)
{
	const unsigned count = program_input_count(program);

	if (!cell->inputs)
		cell->inputs = calloc(1 + count, sizeof(*cell->inputs));
	if (!cell->inputs)
		return -ENOMEM;
	for (unsigned i = 0; i <= count; i++) {
		const double before = cell->with_inputs ? cell->inputs[i] : 0;

		cell->inputs[i] = before + (i ? inputs[i] : 1) * inputs[0];
	}
	cell->with_inputs++;
	return 0;
}

/* 1 for a metric without; a recording may have any. */
static double factor_of(const struct metric *metric)
{
	return metric->family.factor > 0 ? metric->family.factor : 1;
}

/* Rates are counters; all other numbers are quotients. */
static void add_number(struct cell_sum *cell, const struct metric *metric,
		       const struct value *value)
{
	const bool rate = metric->family.counter;
	const double number = value->number * factor_of(metric),
		     ns = whole(value->seconds * NS_PER_S);

	cell->value.known++;
	cell->value.number = value->number;
	cell->value.total += whole(number * (rate ? value->seconds : value->weight));
	cell->value.weight += rate ? ns : value->weight;
	cell->ns += ns;
	cell->weight += value->weight;
	cell->unweighted |= !rate && !(value->weight > 0);
}

/* Of a number that is not known by itself. */
static void add_undivided(struct cell_sum *cell, const struct metric *metric,
			  const struct value *value, double interval_s)
{
	cell->value.total += whole(value->undivided * factor_of(metric));
	cell->undivided |= value->undivided != 0;
	if (!(value->reads > 0))
		return;
	cell->value.weight += value->weight;
	cell->weight += value->weight;
	cell->ns += whole(interval_s * NS_PER_S);
	cell->few += value->reads;
}

static int add_value(struct cell_sum *cell, const struct metric *metric, const struct value *value,
		     double interval_s, bool first)
{
	int rc = 0;

	if (!isnan(value->number))
		add_number(cell, metric, value);
	else
		add_undivided(cell, metric, value, interval_s);
	cell->scaled |= value->scaled;
	if (value->inputs)
		rc = add_inputs(cell, metric->program, value->inputs);
	if (!rc && (first || *value->text))
		rc = set_text(cell, value->text);
	return rc;
}

static int add_values(struct aggregate *s, size_t r)
{
	const struct row *from = &s->from->rows[s->sources[s->view.rows[r].first_term]];
	int rc = 0;

	for (size_t c = 0; !rc && !from->event && c < s->view.column_count; c++)
		rc = add_value(&s->cells[r * s->view.column_count + c], s->view.columns[c],
			       &from->values[s->columns[c]], from->interval_s, !s->samples);
	return rc;
}

/* A sum of which a part is not known is not known either. */
static struct row sum_units(const struct aggregate *s, const struct row *row)
{
	struct row sum = s->from->rows[s->sources[row->first_term]];

	for (size_t t = 1; t < row->term_count; t++) {
		const struct row *unit = &s->from->rows[s->sources[row->first_term + t]];

		sum.count += unit->count;
		sum.per_s += unit->per_s;
		sum.interval_s = fmin(sum.interval_s, unit->interval_s);
		sum.counted_pct = fmin(sum.counted_pct, unit->counted_pct);
	}
	return sum;
}

static void add_row(struct row_sum *sum, const struct row *row)
{
	if (isnan(row->interval_s))
		return;
	sum->interval_s += row->interval_s;
	add(&sum->pct, row->counted_pct, row->interval_s);
	add(&sum->per_s, row->per_s, row->interval_s);
	if (isnan(row->count))
		return;
	sum->count += row->count;
	sum->counted = true;
}

int aggregate_add(struct aggregate *s, const struct sample *sample)
{
	int rc = 0;

	for (size_t r = 0; !rc && r < s->view.row_count; r++) {
		const struct row row = sum_units(s, &s->view.rows[r]);

		add_row(&s->rows[r], &row);
		rc = add_values(s, r);
	}
	if (!s->samples) {
		s->sample = (struct sample){0};
		s->view.marks.count = s->view.marks.more = 0;
	}
	marks_append(&s->view.marks, &s->from->marks);
	s->sample.wall_ns = sample->wall_ns;
	s->sample.skipped = sample->skipped;
	s->sample.missed += sample->missed;
	s->sample.frozen_ns += sample->frozen_ns;
	s->sample.failed_reads += sample->failed_reads;
	if (!s->sample.doubtful_since_ns)
		s->sample.doubtful_since_ns = sample->doubtful_since_ns;
	s->samples++;
	return rc;
}

/* Closing. */

/* What a program makes of the means of its inputs. */
static double value_of_inputs(const struct cell_sum *cell, const struct program *program)
{
	const unsigned count = program_input_count(program);
	double means[PROGRAM_STEPS];

	for (unsigned i = 0; i < count; i++)
		means[i] = cell->inputs[1 + i] / cell->inputs[0];
	return program_value_of(program, means);
}

/* Memory that is used or free: no quotient, but what it is at the end. */
static bool is_level(const struct metric *metric)
{
	return metric->kernel_stat && !metric->family.counter;
}

/* In the order in which a run computes it. */
static double number_of(const struct cell_sum *cell, const struct metric *metric)
{
	const struct sum *sum = &cell->value;
	const double factor = factor_of(metric);

	if (cell->with_inputs > 1)
		return value_of_inputs(cell, metric->program);
	if (!sum->known && cell->few < FEWEST_READS)
		return NAN;
	if ((sum->known == 1 && !cell->undivided) || is_level(metric))
		return sum->number;
	const double mean = metric->family.counter ? sum->total * NS_PER_S / sum->weight / factor
						   : sum->total / sum->weight * (1 / factor);
	return isfinite(mean) ? mean : NAN;
}

/* Returns whether weights are missing. */
static bool close_cell(struct cell_sum *cell, const struct metric *metric, struct value *value)
{
	const bool computed = cell->with_inputs > 1;
	const bool unweighted =
		!computed && !is_level(metric) && cell->unweighted && cell->value.known > 1;
	const double number = unweighted ? NAN : number_of(cell, metric);
	const double seconds = computed ? cell->inputs[0] : cell->ns / NS_PER_S;

	*value = (struct value){
		.number = number,
		.text = cell->text ? cell->text : "",
		.scaled = cell->scaled ||
			  (!isnan(number) && !cell->value.known && cell->few < ENOUGH_READS),
		.seconds = !isnan(number) && isfinite(seconds) ? seconds : NAN,
		.weight = cell->weight,
	};
	if (!cell->value.known && isnan(number)) {
		value->undivided = cell->value.total / factor_of(metric);
		value->reads = cell->few;
	}
	*cell = (struct cell_sum){.text = cell->text, .inputs = cell->inputs};
	return unweighted;
}

/* What was not counted has no source. */
static void close_sources(const struct view *view, struct row *row)
{
	for (size_t c = 0; c < view->column_count; c++) {
		const struct value *of = view->source_column[c] < view->column_count
						 ? &row->values[view->source_column[c]]
						 : NULL;

		if (of && isnan(of->number) && !(of->reads > 0))
			row->values[c].text = "";
	}
}

void aggregate_close(struct aggregate *s)
{
	for (size_t r = 0; r < s->view.row_count; r++) {
		struct row_sum *sum = &s->rows[r];
		struct row *row = &s->view.rows[r];

		row->interval_s =
			sum->pct.known && isfinite(sum->interval_s) ? sum->interval_s : NAN;
		row->counted_pct = mean_of(&sum->pct);
		row->per_s = mean_of(&sum->per_s);
		row->count = sum->counted && isfinite(sum->count) ? sum->count : NAN;
		*sum = (struct row_sum){.counted = false};
		for (size_t c = 0; c < s->view.column_count; c++)
			s->unweighted |= close_cell(&s->cells[r * s->view.column_count + c],
						    s->view.columns[c], &row->values[c]);
		close_sources(&s->view, row);
	}
	s->samples = 0;
}
