/* SPDX-License-Identifier: BSD-3-Clause */
/* The table for people: scrolling, as vmstat's, its header repeated when a screen is full. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/sink.h"

#define NS_PER_S     UINT64_C(1000000000)
#define VALUE_WIDTH  11
#define HEADER_LINES 2

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

struct table_state {
	bool terminal, colour;
	unsigned lines; /* since the header; 0: none printed yet */
};

static bool wants_colour(FILE *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(out)) && !(no_color && *no_color) && term && strcmp(term, "dumb");
}

static int begin(struct sink *sink)
{
	struct table_state *state = calloc(1, sizeof(*state));

	if (!state)
		return -ENOMEM;
	state->terminal = isatty(fileno(sink->out));
	state->colour = wants_colour(sink->out);
	sink->state = state;
	return 0;
}

static void end(struct sink *sink)
{
	free(sink->state);
}

/* The first or the second word of a heading. */
static void put_heading(FILE *out, const char *heading, unsigned word)
{
	const size_t first = strcspn(heading, " ");

	if (word == 0)
		fprintf(out, "%*.*s", VALUE_WIDTH, (int)first, heading);
	else
		fprintf(out, "%*s", VALUE_WIDTH, heading[first] ? heading + first + 1 : "");
}

static void put_header(const struct sink *sink)
{
	const struct table_state *state = sink->state;
	const struct view *view = sink->view;

	for (unsigned word = 0; word < HEADER_LINES; word++) {
		fprintf(sink->out, "%s%-12s %-7s", state->colour ? BOLD : "", word ? "TIME" : "",
			word ? "WHERE" : "MB/s");
		for (size_t c = 0; c < view->column_count; c++)
			if (view->columns[c]->heading)
				put_heading(sink->out, view->columns[c]->heading, word);
		fprintf(sink->out, "%s\n", state->colour ? PLAIN : "");
	}
}

static unsigned screen_lines(const struct sink *sink)
{
	struct winsize size;

	if (ioctl(fileno(sink->out), TIOCGWINSZ, &size) || size.ws_row < 8)
		return 24;
	return size.ws_row;
}

/* Before a sample that would scroll the header away. */
static void repeat_header(struct sink *sink)
{
	struct table_state *state = sink->state;
	const unsigned rows = (unsigned)sink->view->row_count;

	if (state->lines &&
	    (!state->terminal || state->lines + rows + HEADER_LINES < screen_lines(sink)))
		return;
	put_header(sink);
	state->lines = 0;
}

static void put_where(FILE *out, const struct row *row)
{
	char where[32] = "system";

	if (row->scope == SCOPE_PORT)
		snprintf(where, sizeof(where), "s%d p%d", row->socket, row->port);
	else if (row->scope == SCOPE_SOCKET)
		snprintf(where, sizeof(where), "s%d", row->socket);
	fprintf(out, " %-7s", where);
}

static void put_time(FILE *out, uint64_t wall_ns, bool first)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char text[16] = "";
	struct tm tm;

	if (!first) {
		fprintf(out, "%-12s", "");
		return;
	}
	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	fprintf(out, "%s.%03" PRIu64, text, wall_ns % NS_PER_S / 1000000);
}

static void put_values(FILE *out, const struct view *view, const struct row *row)
{
	for (size_t c = 0; c < view->column_count; c++) {
		if (!view->columns[c]->heading)
			continue;
		if (isfinite(row->values[c].number))
			fprintf(out, "%*.1f", VALUE_WIDTH, row->values[c].number);
		else
			fprintf(out, "%*s", VALUE_WIDTH, "-");
	}
}

static void sample_table(struct sink *sink, const struct sample *sample)
{
	struct table_state *state = sink->state;
	FILE *out = sink->out;

	repeat_header(sink);
	for (size_t r = 0; r < sink->view->row_count; r++) {
		const struct row *row = &sink->view->rows[r];
		const bool bold = state->colour && row->scope == SCOPE_SYSTEM;

		fputs(bold ? BOLD : "", out);
		put_time(out, sample->wall_ns, r == 0);
		put_where(out, row);
		put_values(out, sink->view, row);
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
