/* SPDX-License-Identifier: BSD-3-Clause */
/* The table: scrolls like vmstat's; the header is repeated when the screen is full. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "output/location.h"
#include "output/out_table.h"
#include "output/sink.h"
#include "platform/number.h"

#define TIME_WIDTH   12
#define VALUE_WIDTH  11
#define EVENT_WIDTH  12
#define HEADER_LINES 3

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

struct table_state {
	bool terminal, colour;
	unsigned lines; /* since the header; 0: no header yet */
	int location_width;
};

static bool wants_colour(const struct sink *sink)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return sink->terminal && !(no_color && *no_color) && term && strcmp(term, "dumb");
}

static int begin(struct sink *sink)
{
	struct table_state *state = calloc(1, sizeof(*state));

	if (!state)
		return -ENOMEM;
	state->terminal = sink->terminal;
	state->colour = wants_colour(sink);
	state->location_width = location_width(sink->view);
	sink->state = state;
	return 0;
}

static void end(struct sink *sink)
{
	free(sink->state);
}

static struct winsize terminal_size(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		size = (struct winsize){.ws_row = 24, .ws_col = 80};
	return size;
}

static size_t fitting_columns(const struct view *view, int locations, int fd)
{
	const int lead = TIME_WIDTH + 1 + locations, width = terminal_size(fd).ws_col;
	size_t room = width > lead ? (size_t)(width - lead) / VALUE_WIDTH : 0, c = 0;

	for (; c < view->column_count && room; c++)
		room -= view_heading(view, c) != NULL;
	return c;
}

size_t out_table_columns(const struct view *view, int fd)
{
	return fitting_columns(view, location_width(view), fd);
}

static size_t visible_columns(const struct sink *sink)
{
	const struct table_state *state = sink->state;

	return state->terminal ? fitting_columns(sink->view, state->location_width, sink->fd)
			       : sink->view->column_count;
}

/* Line 0: the first word of the heading, 1: the rest, 2: the unit. */
static void put_heading(FILE *out, const char *heading, const char *unit, unsigned line)
{
	const size_t first = strcspn(heading, " ");

	if (line == 0)
		fprintf(out, "%*.*s", VALUE_WIDTH, (int)first, heading);
	else if (line == 1)
		fprintf(out, "%*s", VALUE_WIDTH, heading[first] ? heading + first + 1 : "");
	else
		fprintf(out, "%*s", VALUE_WIDTH, unit);
}

static void put_metric_header(const struct sink *sink, unsigned line)
{
	const size_t columns = visible_columns(sink);

	for (size_t c = 0; c < columns; c++)
		if (view_heading(sink->view, c))
			put_heading(sink->out, view_heading(sink->view, c),
				    sink->view->columns[c]->unit, line);
}

/* Of metrics, or of events. */
static void put_header(const struct sink *sink, bool events)
{
	const struct table_state *state = sink->state;

	for (unsigned line = events ? HEADER_LINES - 1 : 0; line < HEADER_LINES; line++) {
		fprintf(sink->out, "%s%-*s %-*s", state->colour ? BOLD : "", TIME_WIDTH,
			line == HEADER_LINES - 1 ? "TIME" : "", state->location_width,
			line == HEADER_LINES - 1 ? "WHERE" : "");
		if (events)
			fprintf(sink->out, " %-10s %*s%*s  %s", "UNIT", EVENT_WIDTH, "COUNT",
				EVENT_WIDTH, "PER SECOND", "EVENT");
		else
			put_metric_header(sink, line);
		fprintf(sink->out, "%s\n", state->colour ? PLAIN : "");
	}
}

/* Metrics and events are two tables in turns, each with its header. */
static bool has_both(const struct view *view)
{
	return view->event_rows && view_metric_rows(view);
}

/* Prints the header if this sample would scroll the last one off the screen. */
static void repeat_header(struct sink *sink)
{
	struct table_state *state = sink->state;
	const size_t rows = sink->view->row_count;

	if (state->lines && !has_both(sink->view) &&
	    (!state->terminal ||
	     state->lines + rows + HEADER_LINES < terminal_size(sink->fd).ws_row))
		return;
	put_header(sink, !view_metric_rows(sink->view));
	state->lines = 0;
}

static void put_time(FILE *out, uint64_t wall_ns, bool first)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char text[16] = "";
	struct tm tm;

	if (!first) {
		fprintf(out, "%-*s", TIME_WIDTH, "");
		return;
	}
	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	fprintf(out, "%s.%03" PRIu64, text, wall_ns % NS_PER_S / 1000000);
}

/* A number that is too wide shifts its line, but keeps a blank before it. */
static void put_cell(FILE *out, const char *text, int width)
{
	fprintf(out, " %*s", width - 1, text);
}

/* "~": counted only part of the time, and scaled. */
static void put_number(FILE *out, double number, int width, unsigned decimals, bool scaled)
{
	char text[48] = "-";

	if (isfinite(number))
		snprintf(text, sizeof(text), "%s%.*f", scaled ? "~" : "", (int)decimals, number);
	put_cell(out, text, width);
}

/* "30.0 G": with a prefix of the SI from what would be rounded to 1000.0. */
static void put_count(FILE *out, double number, int width, unsigned decimals, bool scaled)
{
	static const char prefixes[] = "kMGTPE";
	const char *prefix = prefixes;
	char text[48] = "-";

	if (!(number >= 999.95)) {
		put_number(out, number, width, decimals, scaled);
		return;
	}
	for (number /= 1000; number >= 999.95 && prefix[1]; prefix++)
		number /= 1000;
	if (isfinite(number))
		snprintf(text, sizeof(text), "%s%.1f %c", scaled ? "~" : "", number, *prefix);
	put_cell(out, text, width);
}

/* Events a second, in contrast to bytes and ratios. */
static bool is_count(const struct metric *metric)
{
	return (metric->family.counter && !metric->family.unit) || !strcmp(metric->unit, "1/s");
}

static void put_values(const struct sink *sink, const struct row *row)
{
	const size_t columns = visible_columns(sink);

	for (size_t c = 0; c < columns; c++) {
		const struct metric *metric = sink->view->columns[c];
		const struct value *value = &row->values[c];

		if (view_heading(sink->view, c))
			(is_count(metric) ? put_count : put_number)(
				sink->out, value->number, VALUE_WIDTH,
				metric_shown_decimals(metric), value->scaled);
	}
}

static void put_event(FILE *out, const struct row *row)
{
	char unit[32];

	if (row->summed)
		snprintf(unit, sizeof(unit), "%s", row->unit->box->name);
	else
		snprintf(unit, sizeof(unit), "%s %u", row->unit->box->name, row->unit->id);
	fprintf(out, " %-10s ", unit);
	put_count(out, row->count, EVENT_WIDTH, 0, row->counted_pct < 100);
	put_count(out, row->per_s, EVENT_WIDTH, 1, row->counted_pct < 100);
	fprintf(out, "  %s", row->event->name);
}

static void sample_table(struct sink *sink, const struct sample *sample)
{
	struct table_state *state = sink->state;
	char text[LOCATION_SIZE];
	FILE *out = sink->out;

	repeat_header(sink);
	for (size_t r = 0; r < sink->view->row_count; r++) {
		const struct row *row = &sink->view->rows[r];
		const bool bold = state->colour && row->scope == SCOPE_SYSTEM;

		const bool first = r == 0 || r == view_metric_rows(sink->view);

		if (first && r)
			put_header(sink, true);
		fputs(bold ? BOLD : "", out);
		put_time(out, sample->wall_ns, first);
		fprintf(out, " %-*s", state->location_width, location(row, text));
		if (row->event)
			put_event(out, row);
		else
			put_values(sink, row);
		if (r == 0 && sample->missed)
			fprintf(out, "  %" PRIu64 " missed", sample->missed);
		fprintf(out, "%s\n", bold ? PLAIN : "");
		state->lines++;
	}
}

const struct format format_table = {
	.name = "table",
	.begin = begin,
	.sample = sample_table,
	.end = end,
};
