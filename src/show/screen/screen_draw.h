/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws the screen on a canvas: panels (frames with values and graphs) of ports, sockets and the
 * system, lines above and below them, and pages of text. The terminal is not needed.
 */
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

/* Everything that is drawn; nothing is owned. */
struct scene {
	const struct panels *panels;
	const struct panel **chosen; /* buffer for panels_choose(), with room for all panels */
	const struct screen_state *state;
	const char *processor;	  /* the processor's name, which begins the first line */
	uint64_t interval_ns;	  /* interval of samples from now on */
	uint64_t samples, missed; /* samples and missed deadlines so far */
	/* MB/s of a port's link in one direction, as the user gave it; 0: not given */
	double link_MBps;
	const struct error *no_ports;	  /* reason why ports are not counted; NULL: they are */
	bool played;			  /* samples are from a recording */
	const struct top_list *processes; /* processes to show below the ports; NULL: none */
	const char *message;		  /* the last message; empty: none */
	bool warning;			  /* the message is a warning */
	const struct explain *explain;
	/* findings of .explain, renewed at most every half second */
	const struct findings *findings;

	/* set by screen_draw() */
	enum scope scope; /* scope of the panels that are shown */
	size_t back;	  /* number of steps from the shown step to the latest one */
	size_t count,	  /* number of panels in .chosen */
		busy;	  /* number of panels that are not idle: the first ones in .chosen */
	unsigned help_pages, explained_pages; /* numbers of pages */
	const struct panel *selected;	      /* selected panel; NULL: there is no panel */
	/* .selected is marked, because no process below the ports is chosen */
	bool marks_selected;
};

/* A chart: columns of a panel that are drawn together. */
struct chart {
	const char *title;
	const struct panel *panel;
	bool mirrored; /* as in struct drawn_columns */
	size_t columns[PICTURE_METRICS];
	unsigned count;
};

/* Draws the tab of ports on a blank canvas. Returns its layout. */
struct layout screen_draw(struct canvas *canvas, struct scene *scene);

/*
 * screen_bars.c: draw the first and the last line. The last has the keys of a tab and, at its
 * right, text; typed: the user is typing this text.
 */
void screen_draw_header(struct canvas *canvas, const struct area *area, const struct scene *scene);
void screen_draw_footer(struct canvas *canvas, const struct area *area, enum screen_tab tab,
			const char *text, bool typed);

/*
 * Draws text across the screen from a row on, wrapped between words into at most this many lines.
 * Returns the number of lines.
 */
int screen_draw_lines(struct canvas *canvas, int row, int most, enum style style, const char *text);

/* Writes `before`, the error's text, and its command, unless the text already has that. */
void screen_reason_text(char *text, size_t size, const char *before, const struct error *why);

/*
 * Returns the rows that a message takes: at most 3, and fewer on a screen with few rows; 0: it is
 * empty.
 */
int screen_message_rows(const struct canvas *canvas, const char *message);
/* Draws a message in the last rows above the footer. */
void screen_draw_message(struct canvas *canvas, const struct scene *scene, const char *message);

/*
 * Counts the pages of help and of findings. If the state asks for a page, draws that page over the
 * screen.
 */
void screen_draw_pages(struct canvas *canvas, struct scene *scene);

/* screen_panel.c: draws a panel with its frame, a title and these charts, which it sorts. */
void screen_draw_panel(struct canvas *canvas, const struct area *area, const struct scene *scene,
		       const struct panel *panel, const char *title, struct chart *charts,
		       size_t count);

/*
 * screen_panel.c: sets out[] to the charts of a panel's known metrics in the shown group, at most
 * `most`. Returns their number.
 */
size_t screen_charts(const struct scene *scene, const struct panel *panel, struct chart *out,
		     size_t most);

/* Returns MB/s of all links of a panel together in one direction; NAN: unknown. */
double screen_link_MBps(const struct scene *scene, const struct panel *panel);
/*
 * Returns the traffic in a column of a panel as a part of the raw rate of the panel's links, 1 for
 * all. NAN: unknown, or the column is not traffic of links.
 */
double screen_link_share(const struct scene *scene, const struct panel *panel, size_t column);
/*
 * Returns how full the links are in the direction of the column's data, 1 for full: see
 * platform/cxl_link.h. NAN: unknown, or some link has flits of another or an unknown size.
 */
double screen_link_use(const struct scene *scene, const struct panel *panel, size_t column);

/*
 * screen_text.c: numbers with fitting units as text. Numbers must be finite, unless noted. No text
 * is wider than the width of its kind, apart from the "~" of an estimate.
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
 * Writes a bandwidth with a unit from B/s to TB/s; if binary is true, from B/s to TiB/s. like: the
 * largest number of a column, whose unit and decimals are used.
 */
struct scaled_text scale_bandwidth(double MBps, double like, bool binary);
/* Writes the bandwidth of sampled loads, an estimate: "~12.3 GB/s"; "-" for NAN. */
struct scaled_text scale_sampled(double MBps, bool binary);
/* Writes a size with a unit from MiB to PiB, and four significant digits: "128.0 GiB". */
struct scaled_text scale_memory(double MiB);
/* Writes a duration: "4.5 s", "60 s", "59 min", "3 h". */
struct scaled_text scale_duration(double seconds);
/* Writes an interval: "100 us", "1 s", "1.5 s". */
struct scaled_text scale_interval(uint64_t ns);

/* Returns the name of a metric on the screen. */
const char *screen_label(const struct metric *metric);
/* Returns the greatest width of a metric's numbers as text. */
int screen_value_width(const struct metric *metric);
/* Returns true if a metric is a bandwidth in MB/s. */
bool screen_is_bandwidth(const struct metric *metric);
/* Writes a number of a metric with its unit: "20.00 GB/s"; "-" if it is not finite. */
struct scaled_text screen_value_text(const struct scene *scene, const struct metric *metric,
				     double number);
/*
 * Writes the shown value of a panel: "~20.00 GB/s", or "-" if it is unknown. like: as for
 * scale_bandwidth().
 */
struct scaled_text screen_column_text(const struct scene *scene, const struct panel *panel,
				      size_t column, double like);
/* Returns the time of the shown step, in ns since 1970: the last sample's, or an earlier one. */
uint64_t screen_wall_ns(const struct scene *scene);
/* Writes local time, "14:03:27". Returns text. */
#define SCREEN_CLOCK_SIZE 16
const char *screen_clock(uint64_t wall_ns, char text[SCREEN_CLOCK_SIZE]);

/*
 * screen_trouble.c: writes a line of at most size - 1 characters on problems in the shown step. If
 * there are none, and the latest step is shown, writes the first finding so far. "": neither.
 */
void screen_troubles(const struct scene *scene, char *text, size_t size);
/*
 * Writes the marks (events) of the minute before the shown time, the latest first, as far as size
 * allows.
 */
void screen_marks(const struct scene *scene, char *text, size_t size);
/* Returns true if a message is the latest of these marks. */
bool screen_marks_say(const struct scene *scene, const char *message);

/* screen_pages.c: return the number of pages of help; draw page state->help, the first being 1. */
unsigned screen_help_pages(const struct canvas *canvas, const struct scene *scene);
void screen_draw_help(struct canvas *canvas, const struct scene *scene);

/*
 * Return the number of pages of findings and of unchecked rules; draw page state->explained, the
 * first being 1.
 */
unsigned screen_explained_pages(const struct canvas *canvas, const struct scene *scene);
void screen_draw_explained(struct canvas *canvas, const struct scene *scene);

/* screen_layout.c: the layout of the tab of ports. */

/* Least size that has a layout. */
#define SCREEN_MIN_ROWS	   10
#define SCREEN_MIN_COLUMNS 40

/* Contents to lay out. */
struct layout_contents {
	size_t panels, chosen;	       /* number of panels, and index of the selected one */
	int table_heading, table_rows; /* lines of the table of sockets; 0 rows: no table */
	bool alone;		       /* only the chosen panel is shown */
	int marks, message;	       /* lines */
	size_t processes; /* lines that processes could fill, with their heading; 0: none */
	bool attention,	  /* there is a line of problems */
		idle,	  /* there is a line of idle panels */
		charts;	  /* there are charts of sockets */
};

/* Places of all parts. */
struct layout {
	bool too_small; /* no other member is set */
	/* 0 rows: the part is left out */
	struct area header, table, attention, marks, body, charts, processes, idle, message, footer;
	bool list;	   /* panels are a list of lines, with the selected panel below */
	struct area panel; /* the selected panel below the list */
	size_t per_line;   /* panels side by side */
	size_t lines,	   /* lines of panels, or of the list */
		visible,   /* number of visible lines */
		first;	   /* index of the first visible line */
};

/* Least rows of a screen to show processes below the ports. */
#define SCREEN_BOTH_ROWS 30
/* Least rows of a screen to show ports above the processes. */
#define SCREEN_PORTS_ROWS 36

/*
 * Lays out a screen of this size. If panels have no room, the table is shortened, charts and
 * processes are left out, and panels become a list.
 */
struct layout screen_layout(int rows, int columns, const struct layout_contents *contents);

/* Returns the area of panel n, from 0, or of its line in the list; 0 rows: it is not visible. */
struct area screen_panel_area(const struct layout *layout, size_t n);

#endif
