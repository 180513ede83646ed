/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/screen_layout.h"

#define MIN_PANEL_ROWS	     6 /* two bars, a graph and the link's line */
#define PREFERRED_PANEL_ROWS 8
#define MIN_TABLE_LINES	     2 /* a heading and a row */
#define MIN_PANEL_COLUMNS    38
#define MAX_PANEL_COLUMNS    120 /* a wider graph shows no more */

static size_t at_least(size_t value, size_t least)
{
	return value < least ? least : value;
}

static size_t divided_up(size_t all, size_t by)
{
	return (all + by - 1) / by;
}

static size_t most_per_line(const struct layout *l, size_t panels)
{
	const size_t fit = at_least((size_t)l->body.columns / MIN_PANEL_COLUMNS, 1);

	return fit < panels ? fit : at_least(panels, 1);
}

/* The fewest panels per line with which each has this many rows; 0: impossible. */
static size_t fewest_per_line(const struct layout *l, size_t panels, int rows)
{
	const size_t most = most_per_line(l, panels);
	size_t across = divided_up((size_t)l->body.columns, MAX_PANEL_COLUMNS);

	for (across = across < most ? across : most; across <= most; across++)
		if ((size_t)l->body.rows / divided_up(at_least(panels, 1), across) >= (size_t)rows)
			return across;
	return 0;
}

static void arrange(struct layout *l, size_t panels, size_t scroll)
{
	const size_t room = at_least((size_t)l->body.rows / MIN_PANEL_ROWS, 1);

	l->panels_per_line = fewest_per_line(l, panels, PREFERRED_PANEL_ROWS);
	if (!l->panels_per_line)
		l->panels_per_line = fewest_per_line(l, panels, MIN_PANEL_ROWS);
	if (!l->panels_per_line)
		l->panels_per_line = most_per_line(l, panels);
	l->lines = divided_up(panels, l->panels_per_line);
	l->visible = l->lines < room ? l->lines : room;
	l->first = scroll < l->lines - l->visible ? scroll : l->lines - l->visible;
}

struct layout screen_layout(int rows, int columns, size_t panels, int table_lines,
			    bool with_message, size_t scroll)
{
	struct layout l = {.too_small = rows < SCREEN_MIN_ROWS || columns < SCREEN_MIN_COLUMNS};
	int top = 1, bottom = rows - 1;

	if (l.too_small)
		return l;
	l.header = (struct area){0, 0, 1, columns};
	l.footer = (struct area){bottom, 0, 1, columns};
	if (with_message)
		l.message = (struct area){--bottom, 0, 1, columns};
	if (bottom - top - table_lines < MIN_PANEL_ROWS)
		table_lines = bottom - top - MIN_PANEL_ROWS;
	if (table_lines < MIN_TABLE_LINES)
		table_lines = 0;
	l.table = (struct area){top, 0, table_lines, columns};
	top += table_lines;
	l.body = (struct area){top, 0, bottom - top, columns};
	arrange(&l, panels, scroll);
	return l;
}

/* Start of the nth of so many parts of a length. */
static int part(int length, size_t n, size_t parts)
{
	return (int)((size_t)length * n / parts);
}

struct area screen_panel_area(const struct layout *l, size_t n)
{
	const size_t line = n / l->panels_per_line, column = n % l->panels_per_line;

	if (line < l->first || line >= l->first + l->visible)
		return (struct area){0};
	const int top = part(l->body.rows, line - l->first, l->visible);
	const int bottom = part(l->body.rows, line - l->first + 1, l->visible);
	const int left = part(l->body.columns, column, l->panels_per_line);
	const int right = part(l->body.columns, column + 1, l->panels_per_line);

	return (struct area){l->body.row + top, l->body.column + left, bottom - top, right - left};
}
