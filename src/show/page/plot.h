/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints SVG plots: a frame with two axes, and lines or points. Each axis has a fitting unit, and
 * round numbers at its ticks. The plot's width limits the size of the SVG, however many values
 * there are.
 */
#ifndef CXLMON_SHOW_PAGE_PLOT_H
#define CXLMON_SHOW_PAGE_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "show/page/html.h"

/* Sizes in SVG units, about a pixel each. */
#define PLOT_WIDTH  400
#define PLOT_HEIGHT 200
#define PLOT_LEFT   42
#define PLOT_RIGHT  392
#define PLOT_TOP    8
#define PLOT_BOTTOM 164
#define PLOT_PIXELS (PLOT_RIGHT - PLOT_LEFT)
/* most columns of a reduced line: half a pixel each, seen if enlarged */
#define PLOT_COLUMNS (2 * PLOT_PIXELS)

/* An axis of a plot. */
struct axis {
	const char *unit;  /* "GB/s" */
	double factor;	   /* a value times the factor is in .unit */
	double from;	   /* value at its beginning, in .unit */
	double max;	   /* value at its end, in .unit; > 0 */
	double step;	   /* distance of ticks, in .unit */
	unsigned ticks;	   /* number of ticks, with the one at the beginning */
	unsigned decimals; /* decimals of labels */
};

/*
 * Returns an axis for values from least to largest in unit ("MB/s"). It begins at 0 or, if least is
 * more than half of largest, at a round number below least. It ends at a round number that is at
 * least largest.
 */
struct axis axis_of_range(const char *unit, double least, double largest);

/* Returns an axis from 0 to exactly this many seconds. */
struct axis axis_of_time(double seconds);

/* Writes the label of tick number tick, from 0. Returns text. */
const char *axis_label(const struct axis *axis, unsigned tick, char text[NUMBER_SIZE]);

struct plot {
	FILE *out;
	struct axis x, y;
};

/* Draws the grid and labels into an open <svg>. title is written at the x axis, before its unit. */
void plot_frame(const struct plot *plot, const char *title);

/*
 * Write the tags around lines and bands: an inner <svg>, which clips them to the plot. The script
 * of the page enlarges a range of it.
 */
void plot_begin_lines(const struct plot *plot);
void plot_end_lines(const struct plot *plot);

/* Attributes of the element of a series. */
struct plot_mark {
	/* class of the element: "line", "band", "dots"; one for the colour is added */
	const char *kind;
	const char *name;     /* tooltip */
	size_t series, count; /* index of the series in the legend, and number of entries there */
};

/* most entries with different colours; if there are more, all have the same */
#define PLOT_COLOURS 8

/* Draws the line of an entry in a legend. */
void plot_key(FILE *out, size_t series, size_t count);

/*
 * Returns true if a line of this many values is drawn through means of columns, instead of all
 * values.
 */
bool plot_is_reduced(size_t count);
/*
 * Returns the number of columns for this many values. Each has at least two of them if they are
 * evenly spaced.
 */
unsigned plot_columns(size_t count);

/*
 * Draws a line through count points, with gaps at points whose y is NAN. If plot_is_reduced(), it
 * goes through means of columns. In a mean, a value has the weight of its time, from the x before
 * it (at first 0) to its own. x is ascending. Here and below, x and y are in units before
 * axis.factor.
 */
void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const struct plot_mark *mark);

/*
 * Draws the area between the minimum and the maximum of several lines in each column. y: one array
 * of count values for each line. Does nothing if plot_is_reduced() is false.
 */
void plot_band(const struct plot *plot, const double *x, const double *const *y, size_t lines,
	       size_t count, const struct plot_mark *mark);

/* Draws the area between low and high at count values of x, ascending. No value may be NAN. */
void plot_area(const struct plot *plot, const double *x, const double *low, const double *high,
	       size_t count, const struct plot_mark *mark);

/* Draws points, at most one per pixel. Points with a NAN are left out. */
void plot_points(const struct plot *plot, const double *x, const double *y, size_t count,
		 const struct plot_mark *mark);

/* Draws a horizontal line at y, unless it is outside the axis; name is its tooltip. */
void plot_level(const struct plot *plot, double y, const char *name);

/* Draws a vertical line at x; name is its tooltip. */
void plot_moment(const struct plot *plot, double x, const char *name);

/* Draws a ring around a point, with the tooltip mark->name. */
void plot_ring(const struct plot *plot, double x, double y, const struct plot_mark *mark);

#endif
