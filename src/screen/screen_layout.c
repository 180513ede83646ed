/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/screen_layout.h"

#define LEAST_PANEL_ROWS    6 /* two bars, a graph, and what is wrong with the link */
#define GOOD_PANEL_ROWS	    8
#define LEAST_PANEL_COLUMNS 38
#define WIDE_PANEL_COLUMNS  120 /* beyond that a graph is stretched for nothing */

static size_t at_least(size_t value, size_t least)
{
	return value < least ? least : value;
}

static size_t divided_up(size_t all, size_t by)
{
	return (all + by - 1) / by;
}

static size_t most_across(const struct layout *l, size_t panels)
{
	const size_t fit = at_least((size_t)l->body.columns / LEAST_PANEL_COLUMNS, 1);

	return fit < panels ? fit : at_least(panels, 1);
}

/* The fewest side by side with which all panels are this high; 0: there is no such number. */
static size_t fewest_across(const struct layout *l, size_t panels, int rows)
{
	const size_t most = most_across(l, panels);
	size_t across = divided_up((size_t)l->body.columns, WIDE_PANEL_COLUMNS);

	for (across = across < most ? across : most; across <= most; across++)
		if ((size_t)l->body.rows / divided_up(at_least(panels, 1), across) >= (size_t)rows)
			return across;
	return 0;
}

static void arrange(struct layout *l, size_t panels, size_t scroll)
{
	const size_t room = at_least((size_t)l->body.rows / LEAST_PANEL_ROWS, 1);

	l->across = fewest_across(l, panels, GOOD_PANEL_ROWS);
	if (!l->across)
		l->across = fewest_across(l, panels, LEAST_PANEL_ROWS);
	if (!l->across)
		l->across = most_across(l, panels);
	l->lines = divided_up(panels, l->across);
	l->visible = l->lines < room ? l->lines : room;
	l->first = scroll < l->lines - l->visible ? scroll : l->lines - l->visible;
}

struct layout screen_layout(int rows, int columns, size_t panels, int table_lines,
			    bool with_message, size_t scroll)
{
	struct layout l = {.too_small = rows < SCREEN_LEAST_ROWS || columns < SCREEN_LEAST_COLUMNS};
	int top = 1, bottom = rows - 1;

	if (l.too_small)
		return l;
	l.head = (struct area){0, 0, 1, columns};
	l.foot = (struct area){bottom, 0, 1, columns};
	if (with_message)
		l.message = (struct area){--bottom, 0, 1, columns};
	if (bottom - top - table_lines < LEAST_PANEL_ROWS)
		table_lines = bottom - top - LEAST_PANEL_ROWS;
	l.table = (struct area){top, 0, table_lines, columns};
	top += table_lines;
	l.body = (struct area){top, 0, bottom - top, columns};
	arrange(&l, panels, scroll);
	return l;
}

/* Where the nth of so many parts of a length begins. */
static int part(int length, size_t n, size_t parts)
{
	return (int)((size_t)length * n / parts);
}

struct area screen_panel_area(const struct layout *l, size_t n)
{
	const size_t line = n / l->across, column = n % l->across;

	if (line < l->first || line >= l->first + l->visible)
		return (struct area){0};
	const int top = part(l->body.rows, line - l->first, l->visible);
	const int bottom = part(l->body.rows, line - l->first + 1, l->visible);
	const int left = part(l->body.columns, column, l->across);
	const int right = part(l->body.columns, column + 1, l->across);

	return (struct area){l->body.row + top, l->body.column + left, bottom - top, right - left};
}
