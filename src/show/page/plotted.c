/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/page/plotted.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "probe/hot/hot_block.h"
#include "probe/sweep/calibration.h"
#include "probe/sweep/sweep_point.h"
#include "table/spell.h"

#define MAX_VALUES ((size_t)64 << 20) /* 512 MiB */

const char *plotted_name(const struct plotted *s)
{
	return s->metric ? s->metric->name : s->row->event->name;
}

const char *plotted_title(const struct plotted *s)
{
	return s->metric ? metric_title(s->metric) : s->row->event->name;
}

const char *plotted_unit(const struct plotted *s)
{
	return unit_text(s->metric);
}

unsigned plotted_decimals(const struct plotted *s)
{
	return decimals_of(s->metric).exact;
}

unsigned plotted_shown_decimals(const struct plotted *s)
{
	return decimals_of(s->metric).brief;
}

bool plotted_is_state(const struct plotted *s)
{
	return s->metric && metric_is_state(s->metric);
}

double statistic_of(const struct plotted *series, enum statistic statistic)
{
	return plotted_is_state(series) ? NAN : statistics_get(&series->statistics, statistic);
}

/* Returns the columns of a row, with one for events' rates at the end. */
static size_t table_width(const struct table *table)
{
	return table->column_count + (table->event_rows > 0);
}

const struct plotted *report_series(const struct report *report, size_t row, size_t column)
{
	return &report->series[row * table_width(report->table) + column];
}

bool report_knows(const struct report *report, size_t column)
{
	for (size_t row = 0; row < report->table->row_count; row++)
		if (report_series(report, row, column)->values)
			return true;
	return false;
}

const struct plotted *report_event_series(const struct report *report, size_t row)
{
	return report_series(report, row, report->table->column_count);
}

static const struct {
	struct metric metric;
	enum read_memory memory;
	unsigned percent;
} of_hot[REPORT_HOT_SERIES] = {
	{{.name = "cxl_p50_ns", .heading = "CXL p50", .unit = "ns"}, MEMORY_CXL, 50},
	{{.name = "cxl_p99_ns", .heading = "CXL p99", .unit = "ns"}, MEMORY_CXL, 99},
	{{.name = "dram_p50_ns", .heading = "DRAM p50", .unit = "ns"}, MEMORY_DRAM, 50},
	{{.name = "dram_p99_ns", .heading = "DRAM p99", .unit = "ns"}, MEMORY_DRAM, 99},
};

static size_t own_series(const struct report *report)
{
	return report->table->row_count * table_width(report->table);
}

const struct plotted *report_hot_series(const struct report *report, size_t i)
{
	return &report->series[own_series(report) + i];
}

static int begin_series(struct series *cells, const struct table *table)
{
	int rc = series_init(cells, table);

	series_set_steps(cells, SERIES_DOUBLES, 0, 0);
	for (size_t r = 0; !rc && r < table->row_count; r++)
		for (size_t c = 0; !rc && c <= table->column_count; c++)
			if ((c == series_event(table)) == (table->rows[r].event != NULL))
				rc = series_keep(cells, r, 1, c, SERIES_STEPS);
	return rc;
}

static int begin_hot(struct hot_table *hot)
{
	for (size_t i = 0; i < REPORT_HOT_SERIES; i++)
		hot->columns[i] = (struct column){.metric = &of_hot[i].metric};
	hot->row = row_unknown;
	hot->row.values = hot->values;
	hot->table = (struct table){.columns = hot->columns,
				    .column_count = REPORT_HOT_SERIES,
				    .rows = &hot->row,
				    .row_count = 1};
	return begin_series(&hot->cells, &hot->table);
}

static int begin_report(const struct recording *recording, struct report *out)
{
	const struct table *table = &recording->table;

	*out = (struct report){
		.info = &recording->info,
		.table = table,
		.series_count = table->row_count * table_width(table) + REPORT_HOT_SERIES,
		.started_ns = recording->info.started_ns,
	};
	out->series = calloc(out->series_count + 1, sizeof(*out->series));
	if (!out->series || explain_init(&out->explain, table, out->info) ||
	    begin_series(&out->cells, table) || begin_hot(&out->hot_table))
		return -ENOMEM;
	what_if_init(&out->what_if, table);
	for (size_t i = 0; i < REPORT_HOT_SERIES; i++)
		out->series[own_series(out) + i] = (struct plotted){
			.row = &table->rows[table->row_count - 1], .metric = &of_hot[i].metric};
	for (size_t i = 0; i < own_series(out); i++) {
		out->series[i].row = &table->rows[i / table_width(table)];
		out->series[i].metric = i % table_width(table) < table->column_count
						? table->columns[i % table_width(table)].metric
						: NULL;
	}
	return 0;
}

static int add_marks(struct report *r, const struct marks *marks)
{
	if (array_room(&r->marks, r->mark_count, marks->count, sizeof(*r->marks)))
		return -ENOMEM;
	memcpy(r->marks + r->mark_count, marks->items, marks->count * sizeof(*r->marks));
	r->mark_count += marks->count;
	return 0;
}

double report_mark_time(const struct report *report, const struct mark *mark)
{
	return mark->wall_ns > report->started_ns
		       ? (double)(mark->wall_ns - report->started_ns) / NS_PER_S
		       : 0;
}

static void add_hot(struct hot_table *table, uint64_t wall_ns, const struct process_report *hot)
{
	for (size_t i = 0; i < REPORT_HOT_SERIES; i++) {
		table->values[i] = value_unknown;
		if (!hot)
			continue;
		table->values[i].number =
			report_latency(hot, hot->all, of_hot[i].memory, of_hot[i].percent);
		table->values[i].seconds = report_seconds(hot);
	}
	series_add(&table->cells, wall_ns, 0);
}

/* Notes the source of a value, and if it is an estimate that may be too high. */
static void note_value(struct plotted *s, const struct value *value)
{
	s->raised |= value->raised;
	if (!isnan(value->number) && *value->text &&
	    strncmp(s->source, value->text, SOURCE_SIZE - 1) != 0)
		snprintf(s->source, SOURCE_SIZE, "%s", *s->source ? SOURCES_SEVERAL : value->text);
}

/* Adds a sample to the calibration run or sweep point that it belongs to. */
static int add_load(struct report *r, const struct recording *recording)
{
	const struct calibration_run *run = recording_block(recording, &calibration_block);
	const struct sweep_point *recorded = recording_block(recording, &sweep_block);

	if (run)
		return calibration_runs_add(&r->calibration, run);
	if (!recorded)
		return 0;
	struct sweep_point point = *recorded;

	point.counted = sweep_counted(r->table, &recording->info.memory, &point);
	return sweep_points_add(&r->sweep, &point);
}

static int add_sample(struct report *r, struct recording *recording)
{
	const struct process_report *hot = hot_recorded(recording);
	const struct sample *sample = &recording->sample;
	int rc = add_marks(r, &r->table->marks);

	if (!rc)
		rc = add_load(r, recording);
	if (rc)
		return rc;
	if (!r->cells.samples && (!r->started_ns || r->started_ns > sample->wall_ns))
		r->started_ns = sample->wall_ns;
	hot_recorded_sum_up(recording);
	add_hot(&r->hot_table, sample->wall_ns, hot);
	series_add(&r->cells, sample->wall_ns, 0);
	for (size_t i = 0; i < own_series(r); i++)
		if (r->series[i].metric)
			note_value(&r->series[i],
				   &r->series[i].row->values[i % table_width(r->table)]);
	r->missed += sample->missed;
	explain_add(&r->explain, sample, hot);
	what_if_add(&r->what_if);
	return r->cells.known_cells * r->cells.step_count > MAX_VALUES ? -EFBIG : 0;
}

static int end_series(const struct series *cells, size_t row, size_t column, struct plotted *out)
{
	const struct series_cell *cell = series_cell(cells, row, column);

	out->values = series_steps(cells, cell);
	return series_statistics(cells, cell, &out->statistics);
}

/* Ends the report. If the clock was set back, times stay the same until it has caught up. */
static int end_report(struct report *r)
{
	const uint64_t *ends_ns = series_ends(&r->cells);
	int rc = 0;

	r->samples = r->cells.step_count;
	r->ended_ns = r->samples ? ends_ns[r->samples - 1] : r->started_ns;
	r->times = calloc(r->samples + 1, sizeof(*r->times));
	for (size_t i = 0; r->times && i < r->samples; i++)
		r->times[i] = (double)(ends_ns[i] - r->started_ns) / NS_PER_S;
	for (size_t i = 0; !rc && i < own_series(r); i++)
		rc = end_series(&r->cells, i / table_width(r->table), i % table_width(r->table),
				&r->series[i]);
	for (size_t i = 0; !rc && i < REPORT_HOT_SERIES; i++)
		rc = end_series(&r->hot_table.cells, 0, i, &r->series[own_series(r) + i]);
	return r->times ? rc : -ENOMEM;
}

int report_read(struct recording_file *file, struct report *out, struct error *flaw,
		struct error *err)
{
	int rc = begin_report(&file->recording, out);
	int found = 0;

	if (file->from_ns > out->started_ns)
		out->started_ns = file->from_ns;
	*flaw = (struct error){0};
	while (!rc && (found = recording_file_next(file, flaw)) > 0)
		rc = add_sample(out, &file->recording);
	if (!rc)
		rc = end_report(out);
	out->hot = hot_recorded_run(&file->recording);
	if (rc == -EFBIG)
		return error_set(err, ERROR_FAILED, rc,
				 "%s: too many values for a report: more than %zu million",
				 file->name, MAX_VALUES >> 20);
	return rc ? error_no_memory(err) : 0;
}

void report_free(struct report *r)
{
	series_free(&r->cells);
	series_free(&r->hot_table.cells);
	free(r->series);
	free(r->times);
	free(r->marks);
	sweep_points_free(&r->sweep);
	calibration_runs_free(&r->calibration);
	explain_free(&r->explain);
	what_if_free(&r->what_if);
	*r = (struct report){0};
}
