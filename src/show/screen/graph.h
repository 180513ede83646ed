/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws bars, and graphs of values over time or another quantity. */
#ifndef CXLMON_SHOW_SCREEN_GRAPH_H
#define CXLMON_SHOW_SCREEN_GRAPH_H

#include <stddef.h>

#include "show/screen/canvas.h"

/*
 * Values of a graph, one per step, from left to right; not owned. NAN: unknown, drawn as a gap, not
 * as 0.
 */
struct curve {
	const float *values;
	size_t count;
};

/* Most values of a graph over another quantity than time. */
#define GRAPH_MOST 1024

/* Returns the value `age` steps before the last one. NAN: unknown, or there is none. */
double curve_at(struct curve curve, size_t age);

/* Returns the mean of the known values in the last steps; NAN: none is known. */
double curve_mean(struct curve curve, size_t steps);

/*
 * The steps of curves that a graph shows over its whole width: few steps are drawn wide. The
 * rightmost one is .back steps before the last.
 */
struct window {
	size_t back, steps;
};

/*
 * Returns a window that ends `back` steps before the last of count steps, with as many of them as a
 * graph of this width has room for.
 */
struct window graph_window(const struct canvas *canvas, int columns, size_t count, size_t back);

/* Returns the largest value in a window; 0: none is known. */
double graph_peak(struct curve curve, struct window window);

/* Returns true if all known values in a window are the same, or none is known. */
bool graph_is_level(struct curve curve, struct window window);

/*
 * Returns the end of a scale for a number: 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of 10, at
 * least the number. 1: the number is not above 0.
 */
double graph_round_up(double number);

/*
 * Draws a bar for value/full in one row: in eighths of a column, or whole columns with
 * GLYPHS_ASCII. The bar is empty if the value is unknown, and full if the value is above full.
 */
void graph_bar(struct canvas *canvas, int row, int column, int columns, double value, double full,
	       enum style style);

/*
 * Draws a graph filled from the bottom of an area up, or (down) from its top down. full: value of
 * the whole height; style: the first of SHADES. A known 0 is drawn as the smallest level, an
 * unknown value not at all.
 */
void graph_fill(struct canvas *canvas, const struct area *area, struct curve curve,
		struct window window, double full, enum style style, bool down);

/* Draws a graph as a line of one style, over the area's contents. */
void graph_line(struct canvas *canvas, const struct area *area, struct curve curve,
		struct window window, double full, enum style style);

#endif
