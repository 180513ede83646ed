/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints SVG plots: a frame with two axes, and lines or points. Each axis has a unit that fits its
 * values, and round numbers at its ticks. However many values there are, the SVG has limited size.
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
/* Most columns of a reduced line: two per pixel, which are visible if enlarged. */
#define PLOT_COLUMNS (2 * PLOT_PIXELS)

/* An axis of a plot. */
struct axis {
	const char *unit;  /* unit of its labels: "GB/s" */
	double factor;	   /* factor from the values' unit to .unit */
	double from;	   /* value at its beginning, in .unit */
	double max;	   /* value at its end, in .unit; above .from */
	double step;	   /* distance of ticks, in .unit */
	unsigned ticks;	   /* number of ticks, including the one at .from */
	unsigned decimals; /* decimals of labels */
};

/*
 * Returns an axis for values from least to largest. unit: the values' ("MB/s"). The axis begins at
 * 0 or, if least is more than half of largest, at a round number below least. It ends at a round
 * number not below largest.
 */
struct axis axis_of_range(const char *unit, double least, double largest);

/* Returns an axis from 0 to exactly this many seconds; to 1 if seconds is not above 1e-6. */
struct axis axis_of_time(double seconds);

/* Writes the label of a tick, from 0, without unit. Returns text. */
const char *axis_label(const struct axis *axis, unsigned tick, char text[NUMBER_SIZE]);

/*
 * A plot. The functions below take values in the unit passed to axis_of_range(), and times of
 * axis_of_time() in seconds.
 */
struct plot {
	FILE *out;
	struct axis x, y;
};

/* Draws the grid and labels into an open <svg>. title: name of the x axis. */
void plot_frame(const struct plot *plot, const char *title);

/*
 * Begin and end an inner <svg>, which has lines, bands and moments. The page's script can enlarge a
 * range of it.
 */
void plot_begin_lines(const struct plot *plot);
void plot_end_lines(const struct plot *plot);

/* Attributes of the SVG element of a series. */
struct plot_mark {
	const char *kind;     /* class for its form: "line", "band", "dots" */
	const char *name;     /* tooltip */
	size_t series, count; /* index of the series in the legend, and number of entries there */
};

/* Most entries of a legend with different colours. If there are more, all have the same colour. */
#define PLOT_COLOURS 8

/* Draws the coloured line of a legend's entry. series, count: see struct plot_mark. */
void plot_key(FILE *out, size_t series, size_t count);

/*
 * Returns true if a line of count values is reduced: drawn through means. The x axis is divided
 * into columns, and each mean is over the values of a column.
 */
bool plot_is_reduced(size_t count);
/* Returns the number of columns for count values: half of them, at most PLOT_COLUMNS. */
unsigned plot_columns(size_t count);

/*
 * Draws a line through count points, in ascending order of x. Points whose y is NAN are gaps. If
 * plot_is_reduced(count), draws it through means, in which a value weighs as much as its distance
 * from the previous x (the first: from 0).
 */
void plot_line(const struct plot *plot, const double *x, const double *y, size_t count,
	       const struct plot_mark *mark);

/*
 * Draws the area between the minimum and the maximum of all lines in each column. y: an array of
 * count values for each line. Does nothing unless plot_is_reduced(count).
 */
void plot_band(const struct plot *plot, const double *x, const double *const *y, size_t lines,
	       size_t count, const struct plot_mark *mark);

/* Draws the area between low and high over x, all of count values. x ascends; none may be NAN. */
void plot_area(const struct plot *plot, const double *x, const double *low, const double *high,
	       size_t count, const struct plot_mark *mark);

/* Draws count points, at most one per pixel. Points whose x or y is NAN are left out. */
void plot_points(const struct plot *plot, const double *x, const double *y, size_t count,
		 const struct plot_mark *mark);

/* Draws a horizontal line at y, unless y is outside the axis. name: tooltip. */
void plot_level(const struct plot *plot, double y, const char *name);

/* Draws a vertical line at x. name: tooltip. */
void plot_moment(const struct plot *plot, double x, const char *name);

/* Draws a ring around a point, with the tooltip mark->name. */
void plot_ring(const struct plot *plot, double x, double y, const struct plot_mark *mark);

#endif
