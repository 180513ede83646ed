/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_draw.h"

#define MIN_PANEL_ROWS	     8 /* a frame, two lines of values, a graph and its time */
#define PREFERRED_PANEL_ROWS 12
#define MIN_CHARTS_ROWS	     7
#define MAX_CHARTS_ROWS	     10
#define MIN_PANEL_COLUMNS    50
#define MIN_LIST_LINES	     3
#define MIN_PROCESS_ROWS     3

static size_t at_least(size_t value, size_t least)
{
	return value < least ? least : value;
}

static size_t divided_up(size_t all, size_t by)
{
	return (all + by - 1) / by;
}

/* Returns the fewest panels per line with which each panel has its rows; 0: impossible. */
static size_t fewest_per_line(const struct layout *l, size_t panels, int rows)
{
	const size_t fit = at_least((size_t)l->body.columns / MIN_PANEL_COLUMNS, 1);

	panels = at_least(panels, 1);
	for (size_t across = 1; across <= fit && across <= panels; across++)
		if (l->body.rows / (int)divided_up(panels, across) >= rows)
			return across;
	return 0;
}

static void arrange_grid(struct layout *l, size_t panels, size_t per_line)
{
	l->per_line = per_line;
	l->lines = l->visible = divided_up(panels, per_line);
}

/* Arranges a list with a heading, and leaves as much as possible to the chosen panel. */
static void arrange_list(struct layout *l, const struct layout_contents *contents)
{
	int lines = l->body.rows - 1 - MIN_PANEL_ROWS;

	if (lines < MIN_LIST_LINES)
		lines = l->body.rows - 1;
	if (lines > (int)contents->panels)
		lines = (int)contents->panels;
	l->list = true;
	l->per_line = 1;
	l->lines = contents->panels;
	l->visible = (size_t)lines;
	if (contents->chosen >= l->visible)
		l->first = contents->chosen + 1 - l->visible;
	l->panel = l->body;
	l->panel.row += 1 + lines;
	l->panel.rows -= 1 + lines;
	if (l->panel.rows < MIN_PANEL_ROWS - 1)
		l->panel.rows = 0;
}

/*
 * Returns whether charts hide no panel. They may turn panels into a list, but not above processes.
 */
static bool charts_fit(const struct layout *l, size_t panels, int charts)
{
	struct layout less = *l;

	less.body.rows -= charts;
	if (l->processes.rows && fewest_per_line(l, panels, MIN_PANEL_ROWS))
		return fewest_per_line(&less, panels, MIN_PANEL_ROWS);
	return less.body.rows >= 1 + (int)panels + MIN_PANEL_ROWS;
}

static void arrange_panels(struct layout *l, const struct layout_contents *contents)
{
	const size_t panels = contents->alone ? 1 : contents->panels;
	const struct area all = l->body;
	int charts = all.rows / 4;

	charts = charts < MIN_CHARTS_ROWS ? MIN_CHARTS_ROWS : charts;
	charts = charts > MAX_CHARTS_ROWS ? MAX_CHARTS_ROWS : charts;

	/* charts hide no panel */
	if (contents->charts && !contents->alone && charts_fit(l, panels, charts)) {
		l->body.rows -= charts;
		l->charts = (struct area){all.row + l->body.rows, 0, charts, all.columns};
	}
	size_t per_line = fewest_per_line(l, panels, PREFERRED_PANEL_ROWS);

	if (!per_line)
		per_line = fewest_per_line(l, panels, MIN_PANEL_ROWS);
	if (per_line)
		arrange_grid(l, panels, per_line);
	else if (panels > 1)
		arrange_list(l, contents);
	else
		arrange_grid(l, panels, 1);
}

/* Takes lines from the top of the body. */
static struct area take_lines(struct layout *l, int rows)
{
	const struct area lines = {l->body.row, 0, rows, l->body.columns};

	l->body.row += rows;
	l->body.rows -= rows;
	return lines;
}

static struct area take_last_lines(struct layout *l, int rows)
{
	l->body.rows -= rows;
	return (struct area){l->body.row + l->body.rows, 0, rows, l->body.columns};
}

/* Returns the most rows of processes, with their heading, on a screen of this many rows. */
static int most_process_rows(int rows)
{
	return rows < SCREEN_BOTH_ROWS	  ? 0
	       : rows < SCREEN_PORTS_ROWS ? 5
	       : rows < 60		  ? 7
					  : rows / 5;
}

/*
 * Takes lines for processes from the body. Returns false if they have no room. grid: panels keep
 * their rows; else they may become a list.
 */
static bool take_processes(struct layout *l, int wanted, size_t panels, bool grid)
{
	const struct area all = l->body;

	for (; wanted >= MIN_PROCESS_ROWS; wanted--) {
		l->processes = take_last_lines(l, wanted);
		if (grid ? fewest_per_line(l, panels, MIN_PANEL_ROWS) > 0
			 : l->body.rows >= 1 + MIN_LIST_LINES + MIN_PANEL_ROWS)
			return true;
		l->body = all;
	}
	l->processes = (struct area){0};
	return false;
}

static void arrange_processes(struct layout *l, int rows, const struct layout_contents *contents)
{
	const int most = most_process_rows(rows), all = (int)contents->processes;
	const int wanted = all < most ? all : most;

	if (!contents->alone && !take_processes(l, wanted, contents->panels, true))
		take_processes(l, wanted, contents->panels, false);
}

struct layout screen_layout(int rows, int columns, const struct layout_contents *contents)
{
	struct layout l = {.too_small = rows < SCREEN_MIN_ROWS || columns < SCREEN_MIN_COLUMNS,
			   .body = {0, 0, rows, columns}};
	const int said = contents->attention + contents->marks;
	int table = contents->alone || !contents->table_rows
			    ? 0
			    : contents->table_heading + contents->table_rows;

	if (l.too_small)
		return l;
	l.header = take_lines(&l, 1);
	l.footer = take_last_lines(&l, 1);
	l.message = take_last_lines(&l, contents->message);
	l.idle = take_last_lines(&l, contents->idle && !contents->alone);
	if (l.body.rows - said - table < MIN_PANEL_ROWS)
		table = l.body.rows - said - MIN_PANEL_ROWS;
	if (table <= contents->table_heading)
		table = 0;
	l.table = take_lines(&l, table);
	l.attention = take_lines(&l, contents->attention);
	l.marks = take_lines(&l, contents->marks);
	arrange_processes(&l, rows, contents);
	arrange_panels(&l, contents);
	return l;
}

/* Returns the start of the nth part of a length. */
static int part_of_length(int length, size_t n, size_t parts)
{
	return (int)((size_t)length * n / parts);
}

struct area screen_panel_area(const struct layout *l, size_t n)
{
	const size_t line = n / l->per_line, column = n % l->per_line;

	if (line < l->first || line >= l->first + l->visible)
		return (struct area){0};
	if (l->list)
		return (struct area){l->body.row + 1 + (int)(line - l->first), 0, 1,
				     l->body.columns};
	const int top = part_of_length(l->body.rows, line, l->visible);
	const int bottom = part_of_length(l->body.rows, line + 1, l->visible);
	const int left = part_of_length(l->body.columns, column, l->per_line);
	const int right = part_of_length(l->body.columns, column + 1, l->per_line);

	return (struct area){l->body.row + top, left, bottom - top, right - left};
}
