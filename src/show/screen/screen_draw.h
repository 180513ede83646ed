/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the screen on a canvas, without knowing the terminal. */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_DRAW_H
#define CXLMON_SHOW_SCREEN_SCREEN_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics/important.h"
#include "show/explain/explain.h"
#include "show/screen/canvas.h"
#include "show/screen/screen_keys.h"
#include "show/screen/screen_model.h"

#define MAX_CHARTS 32

/* The state that is drawn. Not owned. */
struct scene {
	const struct panels *panels;
	const struct panel **chosen; /* buffer for panels_choose() */
	const struct screen_state *state;
	const char *processor;
	uint64_t interval_ns; /* of the next samples */
	uint64_t samples, missed;
	double link_MBps;		  /* of a port's link, in one direction; 0: unknown */
	const struct error *no_ports;	  /* why there are none; NULL: there are */
	bool played;			  /* it is a recording */
	const struct top_list *processes; /* below the ports; NULL: none */
	const char *message;		  /* the last message; empty: none */
	bool warning;			  /* it is one */
	const struct explain *explain;
	const struct findings *findings; /* of it, half a second old at most, or a sample */

	/* set by screen_draw() */
	enum scope scope;   /* of the panels */
	size_t back;	    /* steps */
	size_t count, busy; /* of the chosen panels, and those of them that are not idle */
	unsigned help_pages, explained_pages;
	const struct panel *selected; /* NULL: there is no panel */
};

/* Columns of the view that are drawn together. */
struct chart {
	const char *title;
	const struct panel *panel;
	bool mirrored;
	size_t columns[PICTURE_METRICS];
	unsigned count;
};

/* Draws everything on a blank canvas. Returns the layout. */
struct layout screen_draw(struct canvas *canvas, struct scene *scene);

/* screen_bars.c: the first and the last line; text is at the right, and is being typed or not */
void screen_draw_header(struct canvas *canvas, const struct area *area, const struct scene *scene);
void screen_draw_footer(struct canvas *canvas, const struct area *area, enum screen_tab tab,
			const char *text, bool typed);

/* Of text, in so many lines at most, between words. Returns how many. */
int screen_draw_lines(struct canvas *canvas, int row, int most, enum style style, const char *text);

/* BEFORE, what failed, and the command that helps, unless that is named already. */
void screen_reason_text(char *text, size_t size, const char *before, const struct error *why);

/* How many rows a message takes: more where there are many. */
int screen_message_rows(const struct canvas *canvas, const char *message);
/* In the last rows above the footer. */
void screen_draw_message(struct canvas *canvas, const struct scene *scene, const char *message);

/* Counts the pages of help and findings; and the one that was asked for covers what was drawn. */
void screen_draw_pages(struct canvas *canvas, struct scene *scene);

/* screen_panel.c: a panel with its frame, and these charts, which it sorts */
void screen_draw_panel(struct canvas *canvas, const struct area *area, const struct scene *scene,
		       const struct panel *panel, const char *title, struct chart *charts,
		       size_t count);

/* screen_panel.c: first charts of what is known of a panel, at most so many. Returns how many. */
size_t screen_charts(const struct scene *scene, const struct panel *panel, struct chart *out,
		     size_t most);

/* Of all links of a panel in one direction; NAN: unknown. */
double screen_link_MBps(const struct scene *scene, const struct panel *panel);
/* The part of its links that a column uses; NAN: unknown. */
double screen_link_share(const struct scene *scene, const struct panel *panel, size_t column);
/* How full they are in the direction of its data: see platform/cxl_link.h. NAN: unknown. */
double screen_link_use(const struct scene *scene, const struct panel *panel, size_t column);

/* screen_text.c: finite numbers with fitting units, none wider than its kind's width; names */

#define SCALE_SIZE	24 /* bytes of the longest text */
#define BANDWIDTH_WIDTH 10 /* of "12.34 GB/s" */
#define LATENCY_WIDTH	7  /* "1234 ns" */
#define PERCENT_WIDTH	6  /* "100.0%" */
#define RATE_WIDTH	7  /* "12.5k/s" */
#define FREQUENCY_WIDTH 9  /* "3.200 GHz" */
#define MEMORY_WIDTH	9  /* "128.0 GiB" */
#define OTHER_WIDTH	13 /* "99.99 Gxxxxxx" */

struct scaled_text {
	char text[SCALE_SIZE];
};

/*
 * MB/s as B/s to TB/s, or B/s to TiB/s, with the unit and the decimals of like, the largest of a
 * column.
 */
struct scaled_text scale_bandwidth(double MBps, double like, bool binary);
/* Likewise, of sampled loads, an estimate: "~12.3 GB/s"; "-": unknown */
struct scaled_text scale_sampled(double MBps, bool binary);
/* MiB as MiB to PiB, four significant digits: "128.0 GiB" */
struct scaled_text scale_memory(double MiB);
/* "4.5 s", "60 s", "59 min", "3 h" */
struct scaled_text scale_duration(double seconds);
/* "100 us", "1 s", "1.5 s" */
struct scaled_text scale_interval(uint64_t ns);

const char *screen_label(const struct metric *metric);
int screen_value_width(const struct metric *metric);
bool screen_is_bandwidth(const struct metric *metric);
/* "20.00 GB/s" */
struct scaled_text screen_value_text(const struct scene *scene, const struct metric *metric,
				     double number);
/* The value of a panel, "~20.00 GB/s", as the others in its column, the largest of which is like.
 */
struct scaled_text screen_column_text(const struct scene *scene, const struct panel *panel,
				      size_t column, double like);
/* The time that is shown, since 1970: that of the last sample, or an earlier one. */
uint64_t screen_wall_ns(const struct scene *scene);
/* "14:03:27", local time. Returns text. */
#define SCREEN_CLOCK_SIZE 16
const char *screen_clock(uint64_t wall_ns, char text[SCREEN_CLOCK_SIZE]);

/*
 * screen_trouble.c: a line of what is wrong, which has size - 1 columns: now, or else so far, by
 * the first finding; empty: nothing
 */
void screen_troubles(const struct scene *scene, char *text, size_t size);
/* Likewise, what has happened in the minute before the time that is shown, the latest first. */
void screen_marks(const struct scene *scene, char *text, size_t size);
/* Whether the latest of these is what a message says. */
bool screen_marks_say(const struct scene *scene, const char *message);

/* screen_pages.c: how many pages of a canvas help has, the keys first; and one of them, from 1 */
unsigned screen_help_pages(const struct canvas *canvas, const struct scene *scene);
void screen_draw_help(struct canvas *canvas, const struct scene *scene);

/* Likewise, the findings and what is not checked */
unsigned screen_explained_pages(const struct canvas *canvas, const struct scene *scene);
void screen_draw_explained(struct canvas *canvas, const struct scene *scene);

/* screen_layout.c: the layout of a screen of a given size */

#define SCREEN_MIN_ROWS	   10
#define SCREEN_MIN_COLUMNS 40

/* The content to lay out. */
struct layout_contents {
	size_t panels, chosen;	       /* how many, and the index of the chosen one */
	int table_heading, table_rows; /* lines; 0 rows: there is none */
	bool alone;		       /* the chosen panel alone */
	int marks, message;	       /* lines */
	size_t processes;	       /* lines that would be used, with a heading; 0: none */
	bool attention, idle, charts;
};

struct layout {
	bool too_small; /* nothing else is set */
	/* 0 rows: there is none */
	struct area header, table, attention, marks, body, charts, processes, idle, message, footer;
	bool list;	   /* a line for each panel, and the chosen one below them */
	struct area panel; /* of the chosen one of a list */
	size_t per_line;
	size_t lines, visible, first; /* of panels, or of the list */
};

/* Screens of so many rows have processes below the ports, and ports above the processes. */
#define SCREEN_BOTH_ROWS  30
#define SCREEN_PORTS_ROWS 36

/* The table is shortened, then the charts are left out, if panels would have no room. */
struct layout screen_layout(int rows, int columns, const struct layout_contents *contents);

/* The area of the nth panel, or its line of a list; 0 rows if it is not visible. */
struct area screen_panel_area(const struct layout *layout, size_t n);

#endif
