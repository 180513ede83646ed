/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws the screen on a canvas, without a terminal. A panel is a frame with the values and graphs
 * of a row, such as a port. A step is a point of the graphs: a sample, or several short ones.
 */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_DRAW_H
#define CXLMON_SHOW_SCREEN_SCREEN_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "show/explain/explain.h"
#include "show/screen/canvas.h"
#include "show/screen/screen_keys.h"
#include "show/screen/screen_model.h"

#define MAX_CHARTS 32 /* most charts of a panel */

/* Everything that is drawn; nothing is owned. */
struct scene {
	const struct panels *panels;
	const struct panel **chosen; /* buffer for the shown panels, with room for all panels */
	const struct screen_state *state;
	const char *processor;		  /* the processor's name, at the left of the first line */
	uint64_t interval_ns;		  /* present interval of samples */
	uint64_t samples, missed;	  /* numbers of samples and missed deadlines so far */
	double link_MBps;		  /* --link: MB/s in one direction; 0: not given */
	const struct error *no_ports;	  /* reason why ports are not counted; NULL: they are */
	bool played;			  /* samples are from a recording */
	const struct top_list *processes; /* processes to show below the ports; NULL: none */
	const char *message;		  /* the last message; "": none */
	bool warning;			  /* the message is a warning */
	const struct explain *explain;
	const struct findings *findings; /* findings of .explain, up to half a second old */

	/* Set by screen_draw(). */
	enum scope scope; /* scope of the shown panels */
	size_t back;	  /* number of steps from the shown step to the latest one */
	size_t count,	  /* number of panels in .chosen */
		busy;	  /* number of panels that are drawn, the first of them; the rest is idle */
	unsigned help_pages, explained_pages; /* numbers of pages of help and of findings */
	const struct panel *selected;	      /* selected panel; NULL: there is no panel */
	bool marks_selected; /* keys act on .selected; false: on a process below the ports */
};

/* Draws the tab of ports on a blank canvas. Returns its layout. */
struct layout screen_draw(struct canvas *canvas, struct scene *scene);

/* screen_bars.c: draws the first line: processor, times and counts. */
void screen_draw_header(struct canvas *canvas, const struct area *area, const struct scene *scene);
/* Draws the last line: the keys of a tab and, at the right, text. typed: the user is typing it. */
void screen_draw_footer(struct canvas *canvas, const struct area *area, enum screen_tab tab,
			const char *text, bool typed);

/*
 * Draws text as wide as the canvas, from a row on, wrapped between words. most: most lines; the
 * rest is cut off. Returns the number of lines.
 */
int screen_draw_lines(struct canvas *canvas, int row, int most, enum style style, const char *text);

/* Writes `before`, the error's text and, unless that contains it, the error's command. */
void screen_reason_text(char *text, size_t size, const char *before, const struct error *why);

/*
 * Returns the number of rows that a message takes: at most 3, and fewer on a low screen. 0: the
 * message is empty.
 */
int screen_message_rows(const struct canvas *canvas, const char *message);
/* Draws a message in the last rows above the footer. */
void screen_draw_message(struct canvas *canvas, const struct scene *scene, const char *message);

/* screen_panel.c: draws a panel with a frame, a title and charts. Sorts charts. */
void screen_draw_panel(struct canvas *canvas, const struct area *area, const struct scene *scene,
		       const struct panel *panel, const char *title, struct chart *charts,
		       size_t count);

/*
 * Sets out[] to the charts of a panel's known metrics in the shown metric group; most: room in
 * out[]. Returns the number of charts.
 */
size_t screen_charts(const struct scene *scene, const struct panel *panel, struct chart *out,
		     size_t most);

/* Returns the raw rate of all links of a panel together, in MB/s per direction; NAN: unknown. */
double screen_link_MBps(const struct scene *scene, const struct panel *panel);
/*
 * Returns the CXL traffic in a column as a part of the raw rate of the panel's links; 1: all. NAN:
 * unknown, or the column has no CXL reads or writes.
 */
double screen_link_share(const struct scene *scene, const struct panel *panel, size_t column);
/*
 * Returns the used part of the capacity of the panel's links, in the direction of the column's
 * data: see platform/cxl_link.h. 1: full. NAN: unknown, or not all links are known to use 68-byte
 * flits.
 */
double screen_link_use(const struct scene *scene, const struct panel *panel, size_t column);

/*
 * screen_text.c: numbers as text, with units that fit their size. Numbers must be finite, unless
 * noted. A text has at most the width of its kind, and one more for the "~" of an estimate.
 */

#define SCALE_SIZE	24 /* bytes of any text */
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
 * Writes a bandwidth in B/s, kB/s ... TB/s; if binary is true, in B/s, KiB/s ... TiB/s. like: the
 * largest number of a column, in MB/s; all its numbers then have the same unit and decimals.
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

/* Returns the name of a metric for the screen. */
const char *screen_label(const struct metric *metric);
/* Returns the greatest width of a metric's numbers as text. */
int screen_value_width(const struct metric *metric);
/* Returns true if a metric is a bandwidth in MB/s. */
bool screen_is_bandwidth(const struct metric *metric);
/* Writes a metric's number with its unit: "20.00 GB/s"; "-" if the number is not finite. */
struct scaled_text screen_value_text(const struct scene *scene, const struct metric *metric,
				     double number);
/*
 * Writes a panel's value in the shown step: "~20.00 GB/s"; "-" if it is unknown. like: see
 * scale_bandwidth().
 */
struct scaled_text screen_column_text(const struct scene *scene, const struct panel *panel,
				      size_t column, double like);
/* Returns the end of the shown step, in ns since 1970. */
uint64_t screen_wall_ns(const struct scene *scene);
/* Writes a time (ns since 1970) as local time, "14:03:27". Returns text. */
#define SCREEN_CLOCK_SIZE 16
const char *screen_clock(uint64_t wall_ns, char text[SCREEN_CLOCK_SIZE]);

/*
 * screen_trouble.c: writes a line on problems in the shown step. If there are none, and the latest
 * step is shown, writes the first of scene->findings. "": there is neither. size: bytes of text.
 */
void screen_troubles(const struct scene *scene, char *text, size_t size);
/*
 * Writes the marks (logged events) of the minute before the end of the shown step, the latest
 * first. Those without room are only counted. size: bytes of text.
 */
void screen_marks(const struct scene *scene, char *text, size_t size);
/* Returns true if a message has the same text as the latest of these marks. */
bool screen_marks_say(const struct scene *scene, const char *message);

/*
 * screen_pages.c: sets scene->help_pages and .explained_pages. If the user has opened a page of
 * help or findings, draws it over the whole screen.
 */
void screen_draw_pages(struct canvas *canvas, struct scene *scene);

/* screen_layout.c: the layout of the tab of ports. */

/* Least size of a screen that has a layout. */
#define SCREEN_MIN_ROWS	   10
#define SCREEN_MIN_COLUMNS 40

/* Contents to lay out. Sizes are in lines. */
struct layout_contents {
	size_t panels, chosen;	       /* number of panels, and index of the selected one */
	int table_heading, table_rows; /* table of sockets; 0 rows: there is no table */
	bool alone;		       /* only the selected panel is shown */
	int marks, message;	       /* 0: none */
	size_t processes;	       /* list of processes with its heading; 0: none */
	bool attention,		       /* there is a line of problems */
		idle,		       /* there is a line of idle panels */
		charts;		       /* there are charts of sockets */
};

/* A layout: the place of each part. */
struct layout {
	bool too_small; /* the screen has no layout; other members are not to be used */
	/* areas of parts; 0 rows: the part is left out. body: panels, or their list */
	struct area header, table, attention, marks, body, charts, processes, idle, message, footer;
	bool list;	   /* each panel is a line of a list, below a heading */
	struct area panel; /* for a list: the selected panel, below it; 0 rows: no room */
	size_t per_line;   /* number of panels side by side; 1 for a list */
	size_t lines,	   /* number of lines of panels, or of the list */
		visible,   /* number of visible lines */
		first;	   /* index of the first visible line */
};

/* Least rows of a screen that shows processes below the ports. */
#define SCREEN_BOTH_ROWS 30
/* Least rows of a screen that shows ports above the processes. */
#define SCREEN_PORTS_ROWS 36

/*
 * Lays out a screen of this size. If there is little room, the table is shortened, charts and
 * processes are left out, and panels become a list.
 */
struct layout screen_layout(int rows, int columns, const struct layout_contents *contents);

/* Returns the area of panel n, from 0, or of its line in the list; 0 rows: n is not visible. */
struct area screen_panel_area(const struct layout *layout, size_t n);

#endif
