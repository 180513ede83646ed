/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawing of the page of processes, and of the page of one process. */
#ifndef CXLMON_SHOW_SCREEN_TOP_DRAW_H
#define CXLMON_SHOW_SCREEN_TOP_DRAW_H

#include "show/screen/screen_draw.h"
#include "show/screen/top_list.h"

/* top_draw.c: draws everything on a blank canvas. Returns how many lines of the list it shows. */
size_t top_draw(struct canvas *canvas, struct scene *scene, const struct top_list *list);

/*
 * Processes below the ports, with the list's columns: draws them, and finds how many lines they can
 * use, and how many processes an area shows.
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

struct top_column_kind {
	const char *heading; /* "": none */
	const char *help;
	int width;
	bool left;	    /* aligned left; false: right */
	bool sampled;	    /* unknown without samples */
	enum top_sort sort; /* order that sorts by the column; TOP_SORTS: none */
};

extern const struct top_column_kind top_column_kinds[TOP_COLUMNS];

/*
 * Chooses the width of each column; 0: no room. A column takes one more for a gap. The most
 * important columns get room first.
 */
void top_columns_choose(int columns, bool sampled, int widths[TOP_COLUMNS]);

/*
 * process_draw.c: draws the identity of a process and its panels, the most important ones first, on
 * a blank canvas. Sets which panels are shown.
 */
void process_draw(struct canvas *canvas, struct scene *scene, const struct top_list *list,
		  const struct process_view *view, struct top_viewport *shown);

/* process_panel.c: panels of the page of a process, and helpers of all panels. */

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

struct process_panel_help {
	const char *name, *help;
};

extern const struct process_panel_help process_panel_help[PROCESS_PANELS];

/* Drawing of the inside of each panel: process_rows.c, process_latencies.c, process_memory.c */
void process_draw_mappings(const struct process_drawing *d, const struct area *area);
void process_draw_functions(const struct process_drawing *d, const struct area *area);
void process_draw_latencies(const struct process_drawing *d, const struct area *area);
void process_draw_heat(const struct process_drawing *d, const struct area *area);
void process_draw_memory(const struct process_drawing *d, const struct area *area);

/* Returns the rows that the panel of memory can use: it has a graph only if memory has changed. */
int process_memory_rows(const struct process_drawing *d);

/* Returns how many values an area has room for. */
size_t process_places(const struct canvas *canvas, const struct area *area);

/*
 * Draws a scale at the left of an area, with the values of its top and bottom. Returns the rest of
 * the area.
 */
#define PROCESS_GUTTER 6 /* width of "100%|" */
struct area process_draw_scale(struct canvas *canvas, const struct area *area, const char *top,
			       const char *bottom);

#endif
