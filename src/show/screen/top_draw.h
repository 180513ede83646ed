/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the tab of processes, and the page of one process. */
#ifndef CXLMON_SHOW_SCREEN_TOP_DRAW_H
#define CXLMON_SHOW_SCREEN_TOP_DRAW_H

#include "show/screen/screen_draw.h"
#include "show/screen/top_list.h"

/*
 * top_draw.c: draws the tab of processes on a blank canvas. Returns the number of lines of the list
 * that are visible.
 */
size_t top_draw(struct canvas *canvas, struct scene *scene, const struct top_list *list);

/*
 * Processes below the ports, with the columns of the list. top_draw_below() draws scene->processes.
 * top_lines_below() returns the lines that a list (NULL: none) could fill, with its heading.
 * top_shown_below() returns the number of processes that an area shows.
 */
void top_draw_below(struct canvas *canvas, const struct scene *scene, const struct area *area);
size_t top_lines_below(const struct top_list *list);
size_t top_shown_below(const struct top_list *list, const struct area *area);

/* top_columns.c: columns of the list, in the order of the screen. */
enum top_column {
	COLUMN_NAME,
	COLUMN_PID,
	COLUMN_USER,
	COLUMN_READ,
	COLUMN_BAR,
	COLUMN_SHARE,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_CXL,
	COLUMN_DRAM,
	COLUMN_AGE,
	COLUMN_DRAM_READ,
	COLUMN_SAMPLES,
	COLUMN_CGROUP,
	TOP_COLUMNS,
};

/* Properties of a column. */
struct top_column_kind {
	const char *heading; /* "": none */
	const char *help;
	int width;
	bool left;	    /* aligned left; false: right */
	bool sampled;	    /* unknown unless loads are sampled */
	enum top_sort sort; /* order of rows by this column; TOP_SORTS: none */
};

extern const struct top_column_kind top_column_kinds[TOP_COLUMNS];

/*
 * Sets the width of each column on a screen of this many columns; 0: it has no room. The most
 * important ones get room first, and each takes one more for a gap. sampled: loads are sampled.
 */
void top_columns_choose(int columns, bool sampled, int widths[TOP_COLUMNS]);

/*
 * process_draw.c: draws the page of the process in view on a blank canvas: who it is, then its
 * panels, the most important ones first. Sets in *shown which panels are visible.
 */
void process_draw(struct canvas *canvas, struct scene *scene, const struct top_list *list,
		  const struct process_view *view, struct top_viewport *shown);

/* process_panel.c: the panels of the page of a process. */

/* Data that all panels are drawn from. */
struct process_drawing {
	struct canvas *canvas;
	const struct scene *scene;
	const struct top_summary *summary;
	const struct process_view *view;
};

enum process_panel {
	PANEL_MAPPINGS,
	PANEL_FUNCTIONS,
	PANEL_LATENCIES,
	PANEL_HEAT,
	PANEL_MEMORY,
	PROCESS_PANELS,
};

/* Name of a panel, and the help on it. */
struct process_panel_help {
	const char *name, *help;
};

extern const struct process_panel_help process_panel_help[PROCESS_PANELS];

/* Draw the inside of each panel: process_rows.c, process_latencies.c, process_memory.c. */
void process_draw_mappings(const struct process_drawing *d, const struct area *area);
void process_draw_functions(const struct process_drawing *d, const struct area *area);
void process_draw_latencies(const struct process_drawing *d, const struct area *area);
void process_draw_heat(const struct process_drawing *d, const struct area *area);
void process_draw_memory(const struct process_drawing *d, const struct area *area);

/*
 * Returns the rows that the panel of memory can use; more with a graph, which it has only if the
 * memory has changed.
 */
int process_memory_rows(const struct process_drawing *d);

/* Returns the number of values for which a graph in an area has room; GRAPH_MOST at most. */
size_t process_places(const struct canvas *canvas, const struct area *area);

/*
 * Draws a scale at the left of an area, with texts at its top and bottom. Returns the rest of the
 * area.
 */
#define PROCESS_GUTTER 6 /* width of "100%|" */
struct area process_draw_scale(struct canvas *canvas, const struct area *area, const char *top,
			       const char *bottom);

#endif
