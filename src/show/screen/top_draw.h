/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the tab of processes, and the page of one process. */
#ifndef CXLMON_SHOW_SCREEN_TOP_DRAW_H
#define CXLMON_SHOW_SCREEN_TOP_DRAW_H

#include "show/screen/screen_draw.h"
#include "show/screen/top_state.h"

/*
 * top_draw.c: draws the tab of processes on a blank canvas. Returns the number of visible lines of
 * the list.
 */
size_t top_draw(struct canvas *canvas, struct scene *scene, const struct top_list *list);

/* Draws the list of processes below the ports, scene->processes, in an area. */
void top_draw_below(struct canvas *canvas, const struct scene *scene, const struct area *area);
/* Returns how many rows this list and its heading need, at least 4; 0: list is NULL. */
size_t top_lines_below(const struct top_list *list);
/* Returns how many processes an area shows; 0 rows: none. */
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
	const char *help;    /* line of the help; "": none */
	int width;	     /* least width */
	bool left;	     /* aligned left; false: right */
	bool sampled;	     /* shown only if loads are sampled */
	enum top_sort sort;  /* order of rows by this column; TOP_SORTS: none */
};

extern const struct top_column_kind top_column_kinds[TOP_COLUMNS]; /* by enum top_column */

/*
 * Sets widths[] for a list of this width. The most important columns get room first; each is
 * followed by a gap of one character. 0: the column is not shown. sampled: loads are sampled.
 */
void top_columns_choose(int columns, bool sampled, int widths[TOP_COLUMNS]);

/*
 * process_draw.c: draws the page of the process in *view on a blank canvas: first lines about it,
 * then its panels. Sets in *shown which panels are visible.
 */
void process_draw(struct canvas *canvas, struct scene *scene, const struct top_list *list,
		  const struct process_view *view, struct top_viewport *shown);

/* process_panel.c: the panels of a process's page. */

/* Data from which all panels are drawn. Nothing is owned. */
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

/* A kind of panel. */
struct process_panel_kind {
	const char *name, *help; /* name in the help, and its line there */
	const char *title;
	/* draws the panel in an area inside its frame */
	void (*draw)(const struct process_drawing *d, const struct area *inside);
	bool sampled; /* needs samples of loads */
};

extern const struct process_panel_kind process_panels[PROCESS_PANELS]; /* by enum process_panel */

/* .draw of the kinds: process_rows.c, process_latencies.c, process_memory.c. */
void process_draw_mappings(const struct process_drawing *d, const struct area *area);
void process_draw_functions(const struct process_drawing *d, const struct area *area);
void process_draw_latencies(const struct process_drawing *d, const struct area *area);
void process_draw_heat(const struct process_drawing *d, const struct area *area);
void process_draw_memory(const struct process_drawing *d, const struct area *area);

/*
 * Returns how many rows the panel of memory can use. If the process's memory has changed, the panel
 * is a graph, and can use all rows of the canvas. Otherwise it has a row for each node with memory,
 * at least 1.
 */
int process_memory_rows(const struct process_drawing *d);

#endif
