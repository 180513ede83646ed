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

/* In SVG units, about a pixel each. */
#define PLOT_WIDTH   400
#define PLOT_HEIGHT  200
#define PLOT_LEFT    42
#define PLOT_RIGHT   392
#define PLOT_TOP     8
#define PLOT_BOTTOM  164
#define PLOT_PIXELS  (PLOT_RIGHT - PLOT_LEFT)
#define PLOT_COLUMNS (2 * PLOT_PIXELS) /* at most: half a pixel each, which is seen enlarged */

struct axis {
	const char *unit;  /* "GB/s" */
	double factor;	   /* .unit = values * factor */
	double from;	   /* where it begins, in .unit */
	double max;	   /* at the end, in .unit; > 0 */
	double step;	   /* from one tick to the next, in .unit */
	unsigned ticks;	   /* including the one where it begins */
	unsigned decimals; /* of labels */
};

/*
 * From 0 to at least the largest value, which has this unit ("MB/s"); from a round number below the
 * least value if all are in the upper half.
 */
struct axis axis_of_range(const char *unit, double least, double largest);

/* From 0 to exactly this many seconds. */
struct axis axis_of_time(double seconds);

/* The label of a tick. Returns text. */
const char *axis_label(const struct axis *axis, unsigned tick, char text[NUMBER_SIZE]);

struct plot {
	FILE *out;
	struct axis x, y;
};

/* Draws frame, grid and labels into an open <svg>; title is the x axis's, before its unit. */
void plot_frame(const struct plot *plot, const char *title);

/* Around lines and bands: the script enlarges a range of them, and what leaves the plot is cut off.
 */
void plot_begin_lines(const struct plot *plot);
void plot_end_lines(const struct plot *plot);

/* What is drawn of one series: attributes of its element. */
struct plot_mark {
	const char *kind; /* "line", "band", "dots", "key": a class, beside that of its colour */
	const char *name; /* shown by the pointer */
	size_t series, count; /* its entry of the legend, of so many */
};

#define PLOT_COLOURS 8 /* if there are more lines, they have all the same */

/* The entry's line in a legend. */
void plot_key(FILE *out, size_t series, size_t count);

/* Whether so many values are drawn as the mean of each column, and not one by one. */
bool plot_is_reduced(size_t count);
/* How many columns these are: each has two values or more, if they are evenly spaced. */
unsigned plot_columns(size_t count);

/*
 * Draws a line through count points, with gaps where y is NAN; if there are many, through the means
 * of columns, weighted by time. x is ascending and begins after 0; x and y are in the axis's unit
 * before its factor.
 */
void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const struct plot_mark *mark);

/*
 * Draws the area between the minimum and the maximum of each column, of this number of lines
 * together; nothing if plot_is_reduced() is false.
 */
void plot_band(const struct plot *plot, const double *x, const double *const *y, size_t lines,
	       size_t count, const struct plot_mark *mark);

/* Draws the area from low to high, which are known, at each of count points of an ascending x. */
void plot_area(const struct plot *plot, const double *x, const double *low, const double *high,
	       size_t count, const struct plot_mark *mark);

/* Draws points, at most one per pixel. */
void plot_points(const struct plot *plot, const double *x, const double *y, size_t count,
		 const struct plot_mark *mark);

/* Draws a line across at this height, unless the axis does not reach it. */
void plot_level(const struct plot *plot, double y, const char *name);

/* Draws a line from the bottom to the top at this x. */
void plot_moment(const struct plot *plot, double x, const char *name);

/* Draws a ring around a point, which says what it is about it. */
void plot_ring(const struct plot *plot, double x, double y, const struct plot_mark *mark);

#endif
