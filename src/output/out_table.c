/* SPDX-License-Identifier: BSD-3-Clause */
/* The table: scrolls like vmstat's; the header is repeated once per screen. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "base/text.h"
#include "metrics/important.h"
#include "output/fields.h"
#include "output/sink.h"
#include "table/spell.h"

#define TIME_WIDTH  12
#define VALUE_WIDTH 11
#define EVENT_WIDTH 12
#define UNIT_WIDTH  10

#define HOST_HEADING "HOST"

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

struct table_state {
	bool colour;
	unsigned lines; /* lines since the header; 0: no header yet */
	int location_width;
	bool *shown; /* by column */
};

static int begin_table(struct sink *sink)
{
	struct table_state *state = calloc(1, sizeof(*state));

	if (!state || !(state->shown = calloc(sink->table->column_count + 1, sizeof(bool)))) {
		free(state);
		return -ENOMEM;
	}
	state->colour = sink->terminal && terminal_has_colours();
	state->location_width = location_width(sink->table);
	sink->state = state;
	return 0;
}

static void end_table(struct sink *sink)
{
	struct table_state *state = sink->state;

	if (state)
		free(state->shown);
	free(state);
}

static int table_width(const struct sink *sink)
{
	return sink->terminal ? terminal_size(sink->fd).ws_col : INT_MAX;
}

static int heading_height(const char *heading)
{
	return text_lines(heading, VALUE_WIDTH - 1);
}

/* Returns the width of the column below a heading; a word longer than a number widens it. */
static int column_width(const char *heading)
{
	const int word = text_longest_word(heading);

	return word < VALUE_WIDTH ? VALUE_WIDTH : word + 1;
}

/* Returns the width of the column of hosts, with the blank before it. */
static int host_width(const struct table *table)
{
	return table->host ? 1 + field_width(table->host_width, HOST_HEADING) : 0;
}

static void put_host(const struct sink *sink, const char *name)
{
	const int width = host_width(sink->table);

	if (width)
		fprintf(sink->out, " %-*s", text_padding(name, width - 1), name);
}

void out_table_fit(const struct table *table, int width, bool *shown)
{
	int room = width - (TIME_WIDTH + host_width(table) + 1 + location_width(table));

	for (int minor = 0; minor <= 1; minor++)
		for (size_t c = 0; c < table->column_count; c++) {
			const char *heading = table_heading(table, c);

			if (important_is_minor(table->columns[c].metric->name) != minor)
				continue;
			if (heading)
				room -= column_width(heading);
			shown[c] = heading && room >= 0;
		}
}

/* Returns the number of lines above the units. */
static int heading_lines(const struct sink *sink)
{
	const struct table_state *state = sink->state;
	int most = 0;

	for (size_t c = 0; c < sink->table->column_count; c++)
		if (state->shown[c] && heading_height(table_heading(sink->table, c)) > most)
			most = heading_height(table_heading(sink->table, c));
	return most;
}

/* Writes one of a heading's lines, counted upwards from the unit (0). */
static void put_heading_line(FILE *out, const struct metric *metric, int above)
{
	const int width = column_width(metric->heading);
	const char *text = metric->heading;

	for (int skip = heading_height(text) - above; skip > 0 && above; skip--) {
		text += text_fit(text, " ", VALUE_WIDTH - 1);
		text += strspn(text, " ");
	}
	if (!above)
		fprintf(out, "%*s", width, field_unit(metric).text);
	else
		fprintf(out, "%*.*s", width,
			above > heading_height(metric->heading)
				? 0
				: text_fit(text, " ", VALUE_WIDTH - 1),
			text);
}

/* Writes the header of the rows of metrics, or of events. */
static void put_header(const struct sink *sink, bool events)
{
	const struct table_state *state = sink->state;

	for (int above = events ? 0 : heading_lines(sink); above >= 0; above--) {
		fprintf(sink->out, "%s%-*s", state->colour ? BOLD : "", TIME_WIDTH,
			above ? "" : "TIME");
		put_host(sink, above ? "" : HOST_HEADING);
		fprintf(sink->out, " %-*s", state->location_width, above ? "" : "WHERE");
		if (events)
			fprintf(sink->out, " %-*s %*s%*s  %s", UNIT_WIDTH, "UNIT", EVENT_WIDTH,
				"COUNT", EVENT_WIDTH, "PER SECOND", "EVENT");
		else
			for (size_t c = 0; c < sink->table->column_count; c++)
				if (state->shown[c])
					put_heading_line(sink->out, sink->table->columns[c].metric,
							 above);
		fprintf(sink->out, "%s\n", state->colour ? PLAIN : "");
	}
}

/* Prints the header if this sample would scroll the last one off the screen. */
static void repeat_header(struct sink *sink)
{
	struct table_state *state = sink->state;
	const size_t rows = sink->table->row_count;
	/* two alternating tables, each with its header */
	const bool both = sink->table->event_rows && table_metric_rows(sink->table);

	if (state->lines && !both &&
	    (!sink->terminal || state->lines + rows + (size_t)heading_lines(sink) + 1 <
					terminal_size(sink->fd).ws_row))
		return;
	put_header(sink, !table_metric_rows(sink->table));
	state->lines = 0;
}

static void put_value(FILE *out, const struct metric *metric, const struct value *value)
{
	field_value(out, metric, value->number, column_width(metric->heading), value->scaled);
}

/* Puts the name of the event in a line of its own if it does not fit after its numbers. */
static void put_event_name(const struct sink *sink, const char *name)
{
	const struct table_state *state = sink->state;
	const int before = TIME_WIDTH + host_width(sink->table) + 1 + state->location_width +
			   UNIT_WIDTH + 2 + 2 * EVENT_WIDTH;

	if (before + 2 + (int)strlen(name) > table_width(sink))
		fprintf(sink->out, "\n%*s%s", TIME_WIDTH + 1, "", name);
	else
		fprintf(sink->out, "  %s", name);
}

static void put_event(const struct sink *sink, const struct row *row)
{
	FILE *out = sink->out;
	char unit[32];

	if (row->summed)
		snprintf(unit, sizeof(unit), "%s", row->unit->pmu_type->name);
	else
		snprintf(unit, sizeof(unit), "%s %u", row->unit->pmu_type->name, row->unit->id);
	fprintf(out, " %-*s ", UNIT_WIDTH, unit);
	field_count(out, row->count, EVENT_WIDTH, 0, row->counted_pct < 100);
	field_count(out, row->per_s, EVENT_WIDTH, decimals_of(NULL).brief, row->counted_pct < 100);
	put_event_name(sink, row->event->name);
}

static void sample_table(struct sink *sink, const struct sample *sample)
{
	struct table_state *state = sink->state;
	char text[LOCATION_SIZE], time[FIELD_TIME_SIZE];
	FILE *out = sink->out;

	out_table_fit(sink->table, table_width(sink), state->shown);
	repeat_header(sink);
	for (size_t r = 0; r < sink->table->row_count; r++) {
		const struct row *row = &sink->table->rows[r];
		const bool bold = state->colour && row->place.kind == ROW_SYSTEM;

		const bool first = r == 0 || r == table_metric_rows(sink->table);

		if (first && r)
			put_header(sink, true);
		fputs(bold ? BOLD : "", out);
		fprintf(out, "%-*s", TIME_WIDTH,
			first ? field_clock_text(time, sample->wall_ns) : "");
		put_host(sink, first && sink->table->host ? sink->table->host : "");
		fprintf(out, " %-*s", text_padding(location(row, text), state->location_width),
			text);
		if (row->event)
			put_event(sink, row);
		else
			for (size_t c = 0; c < sink->table->column_count; c++)
				if (state->shown[c])
					put_value(out, sink->table->columns[c].metric,
						  &row->values[c]);
		if (r == 0 && sample->missed)
			fprintf(out, "  %" PRIu64 " missed", sample->missed);
		fprintf(out, "%s\n", bold ? PLAIN : "");
		state->lines++;
	}
}

const struct format format_table = {
	.name = "table",
	.begin = begin_table,
	.sample = sample_table,
	.end = end_table,
};
