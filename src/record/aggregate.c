/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formula/custom_metric.h"
#include "formula/value.h"

/* A number of a row over some time. A single number is kept unchanged. */
struct number_sum {
	size_t known;
	double number; /* the last number */
	double total, weight;
};

/* A row's sum over one row of the other table, or over the rows of an event on several units. */
struct row_sum {
	size_t first_source, source_count; /* range of aggregate.sources */
	struct number_sum pct, per_s;
	double interval_s, count;
	bool counted; /* .count is known */
};

static void add_number(struct number_sum *sum, double number, double weight)
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
	/* a recording may have any numbers: a sum that is not finite is unknown */
	const double mean = sum->total / sum->weight;
	return isfinite(mean) ? mean : NAN;
}

/* Rows. */

static size_t first_source(const struct aggregate *s, size_t r)
{
	return s->sources[s->rows[r].first_source];
}

static void show_row(struct aggregate *s, size_t r)
{
	struct row *row = &s->table.rows[s->table.row_count];

	*row = s->from->rows[r];
	s->rows[s->table.row_count] =
		(struct row_sum){.first_source = s->source_count, .source_count = 1};
	s->sources[s->source_count++] = r;
	s->table.row_count++;
	s->table.event_rows += row->event != NULL;
}

/*
 * Adds a row, the sum over the rows first to end of one event in this socket, or in all (-1). Adds
 * nothing if there are no such rows.
 */
static void show_sum(struct aggregate *s, size_t first, size_t end, int socket)
{
	struct row *row = &s->table.rows[s->table.row_count];
	size_t count = 0;

	for (size_t r = first; r < end; r++) {
		const struct row *unit = &s->from->rows[r];

		if (socket >= 0 && unit->place.socket != socket)
			continue;
		if (!count++) {
			*row = row_unknown;
			row->place.kind = socket < 0 ? ROW_SYSTEM : ROW_SOCKET;
			row->place.socket = socket;
			row->event = unit->event;
			row->unit = unit->unit;
			row->summed = true;
			s->rows[s->table.row_count].first_source = s->source_count;
		}
		s->sources[s->source_count++] = r;
	}
	if (!count)
		return;
	s->rows[s->table.row_count].source_count = count;
	s->table.row_count++;
	s->table.event_rows++;
}

/* Returns the end of the rows that one -e has made: rows of one event, each on another unit. */
static size_t end_of_event(const struct table *from, size_t first)
{
	size_t end = first + 1;

	while (end < from->row_count && !from->rows[end].summed &&
	       from->rows[end].event == from->rows[first].event &&
	       from->rows[end].unit != from->rows[first].unit)
		end++;
	return end;
}

static bool is_first_of_socket(const struct table *from, size_t first, size_t r)
{
	for (size_t i = first; i < r; i++)
		if (from->rows[i].place.socket == from->rows[r].place.socket)
			return false;
	return true;
}

static bool has_column(const struct aggregate *s, const struct row *row)
{
	for (size_t c = 0; c < s->table.column_count; c++)
		if (row_can_have(row, s->table.columns[c].metric))
			return true;
	return false;
}

/* Chooses rows of metrics of which some have columns. */
static void choose_metric_rows(struct aggregate *s, enum scope finest)
{
	for (size_t r = 0; r < table_metric_rows(s->from); r++)
		if (row_scope(&s->from->rows[r]) >= finest && has_column(s, &s->from->rows[r]))
			show_row(s, r);
}

/* Chooses rows: events have rows by unit down to ports, and sums for coarser scopes. */
static void choose_rows(struct aggregate *s, enum scope finest)
{
	for (size_t first = 0, end; first < s->from->row_count; first = end) {
		const struct row *row = &s->from->rows[first];

		end = first + 1;
		if (!row->event || finest < SCOPE_SOCKET || row->summed) {
			if (row_scope(row) >= finest || (row->event && finest < SCOPE_SOCKET))
				show_row(s, first);
			continue;
		}
		end = end_of_event(s->from, first);
		for (size_t r = first; finest == SCOPE_SOCKET && r < end; r++)
			if (is_first_of_socket(s->from, first, r))
				show_sum(s, first, end, s->from->rows[r].place.socket);
		show_sum(s, first, end, -1);
	}
}

/* Returns the index of a column of .from; 0 if there is none, and for 0, which means no column. */
static size_t find_index(const struct aggregate *s, size_t count, size_t column)
{
	for (size_t c = 0; c < count; c++)
		if (s->columns[c] == column)
			return c;
	return 0;
}

static bool is_shown(const struct table *from, const char *group, const struct metric *metric)
{
	if (text_same_word(group, metric->group) || text_same_word(group, "all"))
		return true;
	/* without units that count CXL bandwidth, -m cxl has recorded regions */
	if (!text_same_word(group, "cxl") || metric->source != SOURCE_REGIONS)
		return false;
	for (size_t c = 0; c < from->column_count; c++)
		if (text_same_word(group, from->columns[c].metric->group))
			return false;
	return true;
}

const char *aggregate_lacks(const struct table *from, const char *groups)
{
	for (const char *group = groups; *group; group = text_next_word(group)) {
		size_t c = 0;

		while (c < from->column_count && !is_shown(from, group, from->columns[c].metric))
			c++;
		if (c == from->column_count)
			return group;
	}
	return NULL;
}

/* Adds those of the first count columns that a group (NULL: any) has and that are not added yet. */
static void add_columns(struct aggregate *s, size_t count, const char *group)
{
	for (size_t c = 0; c < count; c++) {
		const struct column *column = &s->from->columns[c];
		bool added = group && !is_shown(s->from, group, column->metric);

		for (size_t i = 0; !added && i < table_all_columns(&s->table); i++)
			added = s->columns[i] == c;
		if (added || (column->metric->kind == METRIC_CPU && s->finest > SCOPE_CPU))
			continue;
		s->columns[table_all_columns(&s->table)] = c;
		s->table.columns[table_all_columns(&s->table)] = *column;
		s->table.column_count++;
	}
}

/*
 * Chooses columns. Those that only formulas name come last, as in .from, and those that are not
 * chosen likewise; their numbers change.
 */
static void choose_columns(struct aggregate *s, const char *groups)
{
	const struct table *from = s->from;
	struct table *table = &s->table;

	for (const char *group = groups ? groups : ""; *group; group = text_next_word(group))
		add_columns(s, from->column_count, group);
	add_columns(s, from->column_count, groups ? CUSTOM_GROUP : NULL);
	const size_t shown = table->column_count;
	add_columns(s, table_all_columns(from), NULL);
	const size_t count = table->column_count;
	table->named_count = count - shown;
	table->column_count = shown;
	table_link_columns(table);
	for (size_t c = 0; c < count; c++)
		for (unsigned k = 0; k < FORMULA_METRICS; k++)
			table->columns[c].named[k] =
				find_index(s, count, table->columns[c].named[k]);
}

static int keep_cells(struct aggregate *s)
{
	const size_t columns = table_all_columns(&s->table);
	int rc = series_init(&s->series, s->from);

	for (size_t i = 0; !rc && i < table_metric_rows(&s->table) * columns; i++)
		rc = series_keep(&s->series, first_source(s, i / columns), 1,
				 s->columns[i % columns], SERIES_INPUTS);
	return rc ? rc : table_make_values(&s->table);
}

/*
 * Reserves two rows for each: an event on a unit may have a sum for the socket, and for the system.
 */
int aggregate_init(struct aggregate *s, const struct table *from,
		   const struct aggregate_choice *choice)
{
	const size_t columns = table_all_columns(from) + 1, rows = 2 * from->row_count + 1;

	*s = (struct aggregate){
		.from = from, .finest = choice->finest, .table = {.model = from->model}};
	s->columns = calloc(columns, sizeof(*s->columns));
	s->table.columns = calloc(columns, sizeof(*s->table.columns));
	s->table.rows = calloc(rows, sizeof(*s->table.rows));
	s->rows = calloc(rows, sizeof(*s->rows));
	s->sources = calloc(rows, sizeof(*s->sources));
	if (!s->columns || !s->table.columns || !s->table.rows || !s->rows || !s->sources)
		return -ENOMEM;
	choose_columns(s, choice->groups);
	if (choice->groups)
		choose_metric_rows(s, choice->finest);
	else
		choose_rows(s, choice->finest);
	return keep_cells(s);
}

void aggregate_free(struct aggregate *s)
{
	series_free(&s->series);
	free(s->rows);
	free(s->sources);
	free(s->columns);
	table_free(&s->table);
	*s = (struct aggregate){.samples = 0};
}

/* Adding. */

/* Adds the rows of several units. A sum with an unknown part is unknown. */
static struct row sum_units(const struct aggregate *s, const struct row_sum *of)
{
	const size_t *sources = &s->sources[of->first_source];
	struct row sum = s->from->rows[sources[0]];

	for (size_t t = 1; t < of->source_count; t++) {
		const struct row *unit = &s->from->rows[sources[t]];

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
	add_number(&sum->pct, row->counted_pct, row->interval_s);
	add_number(&sum->per_s, row->per_s, row->interval_s);
	if (isnan(row->count))
		return;
	sum->count += row->count;
	sum->counted = true;
}

int aggregate_add(struct aggregate *s, const struct sample *sample)
{
	for (size_t r = 0; r < s->table.row_count; r++) {
		const struct row row = sum_units(s, &s->rows[r]);

		add_row(&s->rows[r], &row);
	}
	series_add(&s->series, 0, 0);
	if (!s->samples) {
		s->sample = (struct sample){0};
		s->table.marks.count = s->table.marks.more = 0;
	}
	marks_append(&s->table.marks, &s->from->marks);
	s->sample.wall_ns = sample->wall_ns;
	s->sample.skipped = sample->skipped;
	s->sample.missed += sample->missed;
	s->sample.frozen_ns += sample->frozen_ns;
	s->sample.lost_readings += sample->lost_readings;
	if (!s->sample.doubtful_since_ns)
		s->sample.doubtful_since_ns = sample->doubtful_since_ns;
	s->samples++;
	return s->series.failed ? -ENOMEM : 0;
}

/* Closing. */

/* Computes a cell. A level is the level at the end. */
static void close_cell(void *aggregate, struct table *table, size_t r, size_t c)
{
	const struct aggregate *s = aggregate;
	struct value_sum *sum = series_cell(&s->series, first_source(s, r), s->columns[c])->inputs;
	struct value *value = &table->rows[r].values[c];

	*value = value_unknown;
	if (!sum)
		return;
	value_sum_compute(sum, table->columns[c].metric->family.counter, table->rows[r].values,
			  table->columns[c].named, value);
	if (value->inputs && value->inputs->formula->is_level)
		value->number = sum->last;
	value_sum_clear(sum);
}

static void close_row(struct row_sum *sum, struct row *row)
{
	row->interval_s = sum->pct.known && isfinite(sum->interval_s) ? sum->interval_s : NAN;
	row->counted_pct = mean_of(&sum->pct);
	row->per_s = mean_of(&sum->per_s);
	row->count = sum->counted && isfinite(sum->count) ? sum->count : NAN;
	*sum = (struct row_sum){.first_source = sum->first_source,
				.source_count = sum->source_count};
}

void aggregate_close(struct aggregate *s)
{
	for (size_t r = 0; r < s->table.row_count; r++)
		close_row(&s->rows[r], &s->table.rows[r]);
	for (size_t r = 0; r < table_metric_rows(&s->table); r++)
		table_compute(&s->table, r, close_cell, s);
	s->samples = 0;
}
