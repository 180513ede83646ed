/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An SVG plot: a frame with two axes, with fitting units and round numbers at the ticks, and lines
 * or points. The size of the SVG is limited by the plot's width, however many values there are.
 */
#ifndef CXLMON_SHOW_PAGE_PLOT_H
#define CXLMON_SHOW_PAGE_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "show/page/html.h"

/* Sizes in SVG units, about a pixel each. */
#define PLOT_WIDTH   400
#define PLOT_HEIGHT  200
#define PLOT_LEFT    42
#define PLOT_RIGHT   392
#define PLOT_TOP     8
#define PLOT_BOTTOM  164
#define PLOT_PIXELS  (PLOT_RIGHT - PLOT_LEFT)
#define PLOT_COLUMNS (2 * PLOT_PIXELS) /* at most: half a pixel each, visible when enlarged */

struct axis {
	const char *unit;  /* "GB/s" */
	double factor;	   /* .unit = values * factor */
	double from;	   /* value at its beginning, in .unit */
	double max;	   /* value at its end, in .unit; > 0 */
	double step;	   /* from one tick to the next, in .unit */
	unsigned ticks;	   /* including the one at the beginning */
	unsigned decimals; /* for labels */
};

/*
 * Returns an axis from 0 to at least the largest value, which has this unit ("MB/s"); from a round
 * number below the least value if all are in the upper half.
 */
struct axis axis_of_range(const char *unit, double least, double largest);

/* Returns an axis from 0 to exactly this many seconds. */
struct axis axis_of_time(double seconds);

/* Writes the label of a tick. Returns text. */
const char *axis_label(const struct axis *axis, unsigned tick, char text[NUMBER_SIZE]);

struct plot {
	FILE *out;
	struct axis x, y;
};

/* Draws frame, grid and labels into an open <svg>; title is the x axis's, before its unit. */
void plot_frame(const struct plot *plot, const char *title);

/*
 * Write the tags around lines and bands: the script enlarges a range of them, and clips them to the
 * plot.
 */
void plot_begin_lines(const struct plot *plot);
void plot_end_lines(const struct plot *plot);

/* Attributes of a series' element. */
struct plot_mark {
	const char *kind; /* "line", "band", "dots", "key": a class, next to that of the colour */
	const char *name; /* shown by the pointer */
	size_t series, count; /* number of its legend entry, and number of entries */
};

#define PLOT_COLOURS 8 /* more lines than this all have the same colour */

/* Draws the line of an entry in a legend. */
void plot_key(FILE *out, size_t series, size_t count);

/* Tells if so many values are drawn as the mean of each column, instead of one by one. */
bool plot_is_reduced(size_t count);
/* Returns the number of columns: each has two values or more, if they are evenly spaced. */
unsigned plot_columns(size_t count);

/*
 * Draws a line through count points, with gaps where y is NAN; if there are many, through the means
 * of columns, weighted by time. x is ascending and begins after 0; x and y are in the axis's unit
 * before its factor.
 */
void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const struct plot_mark *mark);

/*
 * Draws the area between the minimum and the maximum of each column, over all lines together;
 * nothing if plot_is_reduced() is false.
 */
void plot_band(const struct plot *plot, const double *x, const double *const *y, size_t lines,
	       size_t count, const struct plot_mark *mark);

/*
 * Draws the area from low to high, neither of them NAN, at each of count points of an ascending x.
 */
void plot_area(const struct plot *plot, const double *x, const double *low, const double *high,
	       size_t count, const struct plot_mark *mark);

/* Draws points, at most one per pixel. */
void plot_points(const struct plot *plot, const double *x, const double *y, size_t count,
		 const struct plot_mark *mark);

/* Draws a horizontal line at this height, unless it is outside the axis. */
void plot_level(const struct plot *plot, double y, const char *name);

/* Draws a vertical line at this x. */
void plot_moment(const struct plot *plot, double x, const char *name);

/* Draws a ring around a point, with a tooltip. */
void plot_ring(const struct plot *plot, double x, double y, const struct plot_mark *mark);

#endif
