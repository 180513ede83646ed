/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws bars, and graphs of values by step: over time or another quantity. */
#ifndef CXLMON_SHOW_SCREEN_GRAPH_H
#define CXLMON_SHOW_SCREEN_GRAPH_H

#include <stddef.h>

#include "show/screen/canvas.h"

/*
 * Values of a graph, one per step, from left to right. NAN: unknown, drawn as a gap.
 */
struct curve {
	const float *values; /* not owned */
	size_t count;	     /* number of steps */
};

/* Most steps of a graph over another quantity than time. */
#define GRAPH_MOST 1024

/* Returns the value `age` steps before the last step; NAN: unknown, or no such step. */
double curve_at(struct curve curve, size_t age);

/* Returns the mean of the known values in the last `steps` steps; NAN: none is known. */
double curve_mean(struct curve curve, size_t steps);

/* The steps that a graph shows. If they are few, each is drawn wide, to fill the graph's width. */
struct window {
	/* number of steps after the window's last one, and number of steps in it */
	size_t back, steps;
};

/*
 * Returns a window for a graph of this width, with as many steps as it has room for. count: number
 * of steps of the curve; back: see struct window.
 */
struct window graph_window(const struct canvas *canvas, int columns, size_t count, size_t back);

/* Returns how many steps a graph of this width has room for, at most GRAPH_MOST. */
size_t graph_places(const struct canvas *canvas, int columns);

/* Returns the largest value in a window, at least 0; 0: no value is known. */
double graph_peak(struct curve curve, struct window window);

/* Returns true if all known values in a window are equal. */
bool graph_is_level(struct curve curve, struct window window);

/*
 * Returns the end of a scale for a number: the number rounded up to 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8
 * times a power of 10. If the number is not above 0, returns 1.
 */
double graph_round_up(double number);

/*
 * Draws a bar in one row. `columns`: width of a full bar, for values from `full` on. NAN and values
 * up to 0 draw nothing. The bar ends at an eighth of a column, or with GLYPHS_ASCII at a column.
 */
void graph_bar(struct canvas *canvas, int row, int column, int columns, double value, double full,
	       enum style style);

/*
 * Draws a graph, filled from the bottom of an area or, if down is true, from its top. full: value
 * that fills the height. style: first of SHADES styles. A value of 0 is drawn as the lowest level,
 * NAN as a gap.
 */
void graph_fill(struct canvas *canvas, const struct area *area, struct curve curve,
		struct window window, double full, enum style style, bool down);

/* Draws a graph as a line of one style, over what the area shows. full: as for graph_fill(). */
void graph_line(struct canvas *canvas, const struct area *area, struct curve curve,
		struct window window, double full, enum style style);

/*
 * Draws a scale at the left of an area: a line, with top and "0%" before its ends. Returns the area
 * at its right.
 */
#define GRAPH_GUTTER 6 /* width of the scale */
struct area graph_percent_scale(struct canvas *canvas, const struct area *area, const char *top);

#endif
