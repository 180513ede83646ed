/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/value.h"

/* A number of a row over some time. A single one is kept as it is. */
struct number_sum {
	size_t known;
	double number; /* the last one */
	double total, weight;
};

struct row_sum {
	struct number_sum pct, per_s;
	double interval_s, count;
	bool counted; /* count is known */
};

static void add(struct number_sum *sum, double number, double weight)
{
	if (isnan(number))
		return;
	sum->known++;
	sum->number = number;
	sum->total += number * weight;
	sum->weight += weight;
}

static double mean_of(const struct number_sum *sum)
{
	if (sum->known < 2)
		return sum->known ? sum->number : NAN;
	/* a recording may have any numbers: a sum that is none is not known */
	const double mean = sum->total / sum->weight;
	return isfinite(mean) ? mean : NAN;
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

/* The column that is one of from; 0: none, nor is one named. */
static size_t find_index(const struct aggregate *s, size_t count, size_t column)
{
	for (size_t c = 0; c < count; c++)
		if (s->columns[c] == column)
			return c;
	return 0;
}

/* The columns that formulas name come last, as in from; those of theirs have other numbers. */
static void choose_columns(struct aggregate *s, enum scope finest)
{
	const struct view *from = s->from;
	struct view *view = &s->view;
	size_t count = 0, skipped = 0;

	for (size_t c = 0; c < view_all_columns(from); c++) {
		if (from->columns[c]->kind == METRIC_CPU && finest > SCOPE_CPU) {
			skipped++;
			continue;
		}
		s->columns[count] = c;
		for (unsigned k = 0; from->named && k < FORMULA_METRICS; k++)
			view->named[count][k] = from->named[c][k];
		view->columns[count++] = from->columns[c];
	}
	view->named_count = from->named_count;
	view->column_count = count - view->named_count;
	for (size_t c = 0; c < view->column_count; c++)
		view->source_column[c] = view_find_column(view, view->columns[c]->of);
	view_find_latencies(view);
	for (size_t c = 0; skipped && c < count; c++)
		for (unsigned k = 0; k < FORMULA_METRICS; k++)
			view->named[c][k] = find_index(s, count, view->named[c][k]);
}

static int make_cells(struct aggregate *s)
{
	struct view *view = &s->view;
	const size_t columns = view_all_columns(view), cells = view->row_count * columns;
	struct value *values = calloc(cells + 1, sizeof(*values));

	view->unknown = values; /* freed with it */
	s->cells = calloc(cells + 1, sizeof(*s->cells));
	s->rows = calloc(view->row_count + 1, sizeof(*s->rows));
	if (!values || !s->cells || !s->rows)
		return -ENOMEM;
	for (size_t r = 0; r < view->row_count; r++)
		view->rows[r].values = values + r * columns;
	return 0;
}

/* A row of an event on a unit may become one of a sum over the socket, and one over the system. */
int aggregate_init(struct aggregate *s, const struct view *from, enum scope finest)
{
	*s = (struct aggregate){.from = from, .view = {.model = from->model}};
	const size_t columns = view_all_columns(from) + 1;
	s->columns = calloc(columns, sizeof(*s->columns));
	s->view.columns = calloc(columns, sizeof(*s->view.columns));
	s->view.source_column = calloc(columns, sizeof(*s->view.source_column));
	s->view.named = calloc(columns, sizeof(*s->view.named));
	s->view.rows = calloc(2 * from->row_count + 1, sizeof(*s->view.rows));
	s->sources = calloc(2 * from->row_count + 1, sizeof(*s->sources));
	if (!s->columns || !s->view.columns || !s->view.source_column || !s->view.named ||
	    !s->view.rows || !s->sources)
		return -ENOMEM;
	choose_columns(s, finest);
	choose_rows(s, finest);
	return make_cells(s);
}

void aggregate_free(struct aggregate *s)
{
	for (size_t i = 0; s->cells && i < s->view.row_count * view_all_columns(&s->view); i++)
		value_sum_free(&s->cells[i]);
	free(s->cells);
	free(s->rows);
	free(s->sources);
	free(s->columns);
	free(s->view.columns);
	free(s->view.source_column);
	free(s->view.named);
	free(s->view.rows);
	free(s->view.unknown);
	*s = (struct aggregate){.samples = 0};
}

/* Adding. */

static int add_values(struct aggregate *s, size_t r)
{
	const struct row *from = &s->from->rows[s->sources[s->view.rows[r].first_term]];
	const size_t columns = view_all_columns(&s->view);
	int rc = 0;

	for (size_t c = 0; !rc && !from->event && c < columns; c++)
		rc = value_sum_add(&s->cells[r * columns + c], &from->values[s->columns[c]]);
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

/* A level is what it is at the end. */
static void close_cell(const struct aggregate *s, struct row *row, size_t r, size_t c)
{
	struct value_sum *sum = &s->cells[r * view_all_columns(&s->view) + c];
	struct value *value = &row->values[c];

	value_sum_compute(sum, s->view.columns[c]->family.counter, row->values,
			  view_named(&s->view, c), value);
	if (value->inputs && value->inputs->formula->is_level)
		value->number = sum->last;
	value_sum_clear(sum);
}

/* Those whose formula names others come after them. */
static void close_row(const struct aggregate *s, struct row *row, size_t r)
{
	const struct view *view = &s->view;

	for (size_t c = 0; c < view_all_columns(view); c++)
		if (!view->columns[c]->program)
			close_cell(s, row, r, c);
	view_mark_leak(view, row);
	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c]->program)
			close_cell(s, row, r, c);
	view_show_sources(view, row);
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
		close_row(s, row, r);
	}
	s->samples = 0;
}
