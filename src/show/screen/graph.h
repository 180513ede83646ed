/* SPDX-License-Identifier: BSD-3-Clause */
/* Bars, and graphs of values over time or another quantity. */
#ifndef CXLMON_SHOW_SCREEN_GRAPH_H
#define CXLMON_SHOW_SCREEN_GRAPH_H

#include <stddef.h>

#include "show/screen/canvas.h"

/* Values from left to right, not owned. NAN: unknown, drawn as a gap, not as 0. */
struct curve {
	const float *values;
	size_t count;
};

/* Most places for values in a graph over another quantity than time. */
#define GRAPH_MOST 1024

/* Returns a value, counted from the right, from 0. NAN: unknown, or no such value. */
double curve_at(struct curve curve, size_t age);

/* Returns the mean of the known values in the last steps at the right; NAN: none. */
double curve_mean(struct curve curve, size_t steps);

/*
 * The part of curves that graphs show over their whole width, so that few steps are drawn wide. Its
 * rightmost step is .back steps ago.
 */
struct window {
	size_t back, steps;
};

/* Returns a window of as many of the last count steps as a graph of this width has room for. */
struct window graph_window(const struct canvas *canvas, int columns, size_t count, size_t back);

/* Returns the largest value in a window; 0: none is known. */
double graph_peak(struct curve curve, struct window window);

/* Returns whether all known values in a window are the same. */
bool graph_is_level(struct curve curve, struct window window);

/*
 * Returns the end of a scale: 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of 10, not below a
 * number.
 */
double graph_round_up(double number);

/*
 * Draws a bar of value/full: in eighths of a column, or whole columns without Unicode. The bar is
 * empty if the value is unknown, and full if the value is above full.
 */
void graph_bar(struct canvas *canvas, int row, int column, int columns, double value, double full,
	       enum style style);

/*
 * Fills a graph from the bottom of an area up, or from its top down. style: the first of SHADES. A
 * known 0 is drawn as the smallest level, an unknown value not at all.
 */
void graph_fill(struct canvas *canvas, const struct area *area, struct curve curve,
		struct window window, double full, enum style style, bool down);

/* Draws a graph as a line, without erasing the area. */
void graph_line(struct canvas *canvas, const struct area *area, struct curve curve,
		struct window window, double full, enum style style);

#endif
