/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An SVG plot: a frame with two axes, and lines or points. Each axis has a fitting unit, and round
 * numbers at its ticks. The plot's width limits the size of the SVG, however many values there are.
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
#define PLOT_COLUMNS (2 * PLOT_PIXELS) /* most columns: half a pixel each, seen if enlarged */

struct axis {
	const char *unit;  /* "GB/s" */
	double factor;	   /* a value times the factor is in .unit */
	double from;	   /* value at its beginning, in .unit */
	double max;	   /* value at its end, in .unit; > 0 */
	double step;	   /* from one tick to the next, in .unit */
	unsigned ticks;	   /* including the one at the beginning */
	unsigned decimals; /* for labels */
};

/*
 * Returns an axis for values from least to largest in this unit ("MB/s"). It begins at 0; if least
 * is more than half of largest, at a round number below least. It ends at a round number that is at
 * least largest.
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

/* Draws grid and labels into an open <svg>; title is written at the x axis, before its unit. */
void plot_frame(const struct plot *plot, const char *title);

/*
 * Write the tags around lines and bands: an inner <svg>, which clips them to the plot. The script
 * of the page enlarges a range of it.
 */
void plot_begin_lines(const struct plot *plot);
void plot_end_lines(const struct plot *plot);

/* Attributes of a series' element. */
struct plot_mark {
	const char *kind;     /* class, such as "line", "band" or "dots"; the colour adds another */
	const char *name;     /* the tooltip */
	size_t series, count; /* index of its entry in the legend, and number of entries */
};

#define PLOT_COLOURS 8 /* most entries with different colours; if there are more, all have one */

/* Draws the line of an entry in a legend. */
void plot_key(FILE *out, size_t series, size_t count);

/* Returns true if so many values are drawn as means of columns, instead of one by one. */
bool plot_is_reduced(size_t count);
/* Returns the number of columns for so many values: each has at least two if evenly spaced. */
unsigned plot_columns(size_t count);

/*
 * Draws a line through count points, with gaps at points whose y is NAN. If plot_is_reduced(), it
 * goes through means of columns, in which a value has the weight of its time: from the x before it,
 * at first 0, to its own x. x is ascending. x and y are not yet multiplied by the axis's factor.
 */
void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const struct plot_mark *mark);

/*
 * Draws the area between the minimum and the maximum of all lines in each column. Does nothing if
 * plot_is_reduced() is false.
 */
void plot_band(const struct plot *plot, const double *x, const double *const *y, size_t lines,
	       size_t count, const struct plot_mark *mark);

/* Draws the area between low and high at count ascending x. No value may be NAN. */
void plot_area(const struct plot *plot, const double *x, const double *low, const double *high,
	       size_t count, const struct plot_mark *mark);

/* Draws points, at most one per pixel, without points that have a NAN. */
void plot_points(const struct plot *plot, const double *x, const double *y, size_t count,
		 const struct plot_mark *mark);

/* Draws a horizontal line at y, unless it is outside the axis; name is its tooltip. */
void plot_level(const struct plot *plot, double y, const char *name);

/* Draws a vertical line at x; name is its tooltip. */
void plot_moment(const struct plot *plot, double x, const char *name);

/* Draws a ring around a point, with the tooltip mark->name. */
void plot_ring(const struct plot *plot, double x, double y, const struct plot_mark *mark);

#endif
