/* SPDX-License-Identifier: BSD-3-Clause */
/* The panels of the page of a process: what they are, and what they are drawn with. */
#ifndef CXLMON_SHOW_SCREEN_PROCESS_PANEL_H
#define CXLMON_SHOW_SCREEN_PROCESS_PANEL_H

#include "show/screen/process_view.h"
#include "show/screen/screen_draw.h"

/* What is drawn, and from what. */
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

/* The inside of each panel: process_rows.c, process_latencies.c, process_memory.c */
void process_draw_mappings(const struct process_drawing *d, const struct area *area);
void process_draw_functions(const struct process_drawing *d, const struct area *area);
void process_draw_latencies(const struct process_drawing *d, const struct area *area);
void process_draw_heat(const struct process_drawing *d, const struct area *area);
void process_draw_memory(const struct process_drawing *d, const struct area *area);

/* Text between words, in as many lines as the area has. Returns how many it took. */
int process_put_lines(struct canvas *canvas, const struct area *area, enum style style,
		      const char *text);

/* How many values an area has room for. */
size_t process_places(const struct canvas *canvas, const struct area *area);

/*
 * The line of a scale at the left of an area, with what its top and its bottom stand for. Returns
 * what is left of the area.
 */
#define PROCESS_GUTTER 6 /* "100%|" */
struct area process_draw_scale(struct canvas *canvas, const struct area *area, const char *top,
			       const char *bottom);

/* A bandwidth; "-": it is not known. */
struct scaled_text process_read_text(const struct process_drawing *d, double MBps);

#endif
