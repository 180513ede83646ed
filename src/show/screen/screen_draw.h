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

/* State that is drawn, not owned. */
struct scene {
	const struct panels *panels;
	const struct panel **chosen; /* buffer for panels_choose() */
	const struct screen_state *state;
	const char *processor;
	uint64_t interval_ns; /* interval of the next samples */
	uint64_t samples, missed;
	/* bandwidth of a port's link in one direction; 0: unknown */
	double link_MBps;
	const struct error *no_ports;	  /* reason why there are no ports; NULL: there are */
	bool played;			  /* samples are of a recording */
	const struct top_list *processes; /* processes below the ports; NULL: none */
	const char *message;		  /* the last message; empty: none */
	bool warning;			  /* the message is a warning */
	const struct explain *explain;
	/* findings, older than the samples by half a second or one sample at most */
	const struct findings *findings;

	/* set by screen_draw() */
	enum scope scope;   /* scope of the panels */
	size_t back;	    /* steps before the latest */
	size_t count, busy; /* number of chosen panels, and how many of these are not idle */
	unsigned help_pages, explained_pages;
	const struct panel *selected; /* panel that is selected; NULL: there is no panel */
	bool marks_selected;	      /* it is marked: no process below the ports is chosen */
};

/* Columns of a panel that are drawn together. */
struct chart {
	const char *title;
	const struct panel *panel;
	bool mirrored;
	size_t columns[PICTURE_METRICS];
	unsigned count;
};

/* Draws everything on a blank canvas. Returns the layout. */
struct layout screen_draw(struct canvas *canvas, struct scene *scene);

/*
 * screen_bars.c: draws the first and the last line. text: at the right; typed: it is being typed.
 */
void screen_draw_header(struct canvas *canvas, const struct area *area, const struct scene *scene);
void screen_draw_footer(struct canvas *canvas, const struct area *area, enum screen_tab tab,
			const char *text, bool typed);

/* Draws text, wrapped between words into at most this many lines. Returns the number of lines. */
int screen_draw_lines(struct canvas *canvas, int row, int most, enum style style, const char *text);

/* Writes `before`, what failed, and the command that helps, unless the text already names it. */
void screen_reason_text(char *text, size_t size, const char *before, const struct error *why);

/* Returns the rows that a message takes: more on a screen with many rows. */
int screen_message_rows(const struct canvas *canvas, const char *message);
/* Draws a message in the last rows above the footer. */
void screen_draw_message(struct canvas *canvas, const struct scene *scene, const char *message);

/* Counts the pages of help and findings, and draws the requested page over the screen. */
void screen_draw_pages(struct canvas *canvas, struct scene *scene);

/* screen_panel.c: draws a panel with its frame and these charts, which it sorts. */
void screen_draw_panel(struct canvas *canvas, const struct area *area, const struct scene *scene,
		       const struct panel *panel, const char *title, struct chart *charts,
		       size_t count);

/*
 * screen_panel.c: finds the first charts of a panel's known metrics, at most `most`. Returns their
 * number.
 */
size_t screen_charts(const struct scene *scene, const struct panel *panel, struct chart *out,
		     size_t most);

/* Returns the bandwidth of all links of a panel in one direction; NAN: unknown. */
double screen_link_MBps(const struct scene *scene, const struct panel *panel);
/* Returns the part of a panel's links that a column uses; NAN: unknown. */
double screen_link_share(const struct scene *scene, const struct panel *panel, size_t column);
/*
 * Returns how full the links are in the direction of the column's data: see platform/cxl_link.h.
 * NAN: unknown.
 */
double screen_link_use(const struct scene *scene, const struct panel *panel, size_t column);

/*
 * screen_text.c: texts of finite numbers with fitting units, none wider than its kind's width, and
 * of names.
 */

#define SCALE_SIZE	24 /* bytes of the longest text */
#define BANDWIDTH_WIDTH 10 /* width of "12.34 GB/s" */
#define LATENCY_WIDTH	7  /* width of "1234 ns" */
#define PERCENT_WIDTH	6  /* width of "100.0%" */
#define RATE_WIDTH	7  /* width of "12.5k/s" */
#define FREQUENCY_WIDTH 9  /* width of "3.200 GHz" */
#define MEMORY_WIDTH	9  /* width of "128.0 GiB" */
#define OTHER_WIDTH	13 /* width of "99.99 Gxxxxxx" */

struct scaled_text {
	char text[SCALE_SIZE];
};

/*
 * Scales MB/s to B/s up to TB/s, or B/s up to TiB/s. like: the largest of a column, which gives the
 * unit and the decimals.
 */
struct scaled_text scale_bandwidth(double MBps, double like, bool binary);
/* Scales the bandwidth of sampled loads, an estimate: "~12.3 GB/s"; "-": unknown */
struct scaled_text scale_sampled(double MBps, bool binary);
/* Scales MiB to MiB up to PiB, with four significant digits: "128.0 GiB" */
struct scaled_text scale_memory(double MiB);
/* Scales a duration: "4.5 s", "60 s", "59 min", "3 h" */
struct scaled_text scale_duration(double seconds);
/* Scales an interval: "100 us", "1 s", "1.5 s" */
struct scaled_text scale_interval(uint64_t ns);

const char *screen_label(const struct metric *metric);
int screen_value_width(const struct metric *metric);
bool screen_is_bandwidth(const struct metric *metric);
/* Writes a value with its unit: "20.00 GB/s" */
struct scaled_text screen_value_text(const struct scene *scene, const struct metric *metric,
				     double number);
/*
 * Writes the value of a panel, "~20.00 GB/s". like: the largest value in its column, which gives
 * the unit.
 */
struct scaled_text screen_column_text(const struct scene *scene, const struct panel *panel,
				      size_t column, double like);
/* Returns the time that is shown, since 1970: the last sample's, or an earlier one's. */
uint64_t screen_wall_ns(const struct scene *scene);
/* Writes local time, "14:03:27". Returns text. */
#define SCREEN_CLOCK_SIZE 16
const char *screen_clock(uint64_t wall_ns, char text[SCREEN_CLOCK_SIZE]);

/*
 * screen_trouble.c: writes a line of size - 1 columns on present problems or, if there are none,
 * the first finding so far; empty: nothing.
 */
void screen_troubles(const struct scene *scene, char *text, size_t size);
/*
 * Writes the events of the minute before the shown time, the latest first, as far as size allows.
 */
void screen_marks(const struct scene *scene, char *text, size_t size);
/* Returns whether the latest of these events is the one in a message. */
bool screen_marks_say(const struct scene *scene, const char *message);

/* screen_pages.c: counts the pages of help, the keys first; draws one of them, from 1. */
unsigned screen_help_pages(const struct canvas *canvas, const struct scene *scene);
void screen_draw_help(struct canvas *canvas, const struct scene *scene);

/* Counts the pages of findings and of unchecked rules; draws one of them, from 1. */
unsigned screen_explained_pages(const struct canvas *canvas, const struct scene *scene);
void screen_draw_explained(struct canvas *canvas, const struct scene *scene);

/* screen_layout.c: the layout of a screen of a given size. */

#define SCREEN_MIN_ROWS	   10
#define SCREEN_MIN_COLUMNS 40

/* The content to lay out. */
struct layout_contents {
	size_t panels, chosen;	       /* number of panels, and index of the chosen one */
	int table_heading, table_rows; /* lines; 0 rows: no table */
	bool alone;		       /* only the chosen panel is shown */
	int marks, message;	       /* lines */
	size_t processes;	       /* lines that processes can use, with a heading; 0: none */
	bool attention, idle, charts;
};

struct layout {
	bool too_small; /* no other member is set */
	/* areas; 0 rows: left out */
	struct area header, table, attention, marks, body, charts, processes, idle, message, footer;
	bool list;	   /* panels are a list of lines, with the chosen panel below */
	struct area panel; /* panel of the list's chosen line */
	size_t per_line;
	/* lines of panels or of the list: all, visible ones, and the first visible one */
	size_t lines, visible, first;
};

/*
 * Rows of a screen from which on processes are shown below the ports, and ports above the
 * processes.
 */
#define SCREEN_BOTH_ROWS  30
#define SCREEN_PORTS_ROWS 36

/*
 * Lays out a screen. If panels have no room, the table is shortened, then the charts are left out.
 */
struct layout screen_layout(int rows, int columns, const struct layout_contents *contents);

/* Returns the area of the nth panel, or its line of a list; 0 rows: not visible. */
struct area screen_panel_area(const struct layout *layout, size_t n);

#endif
