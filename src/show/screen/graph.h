/* SPDX-License-Identifier: BSD-3-Clause */
/* Bars, and graphs of values over time, or over something else. */
#ifndef CXLMON_SHOW_SCREEN_GRAPH_H
#define CXLMON_SHOW_SCREEN_GRAPH_H

#include <stddef.h>

#include "show/screen/canvas.h"

/* Values from left to right. NAN: not known, which is a gap, not 0. Not owned. */
struct curve {
	const float *values;
	size_t count;
};

/* Most places for values in a graph over something else than time. */
#define GRAPH_MOST 1024

/* Counted from the right, from 0. NAN: not known, or no such value. */
double curve_at(struct curve curve, size_t age);

/* Mean of what is known of so many at the right; NAN: nothing. */
double curve_mean(struct curve curve, size_t steps);

/*
 * The part of curves that graphs show, over their whole width: few steps are drawn wide. The
 * rightmost is so many steps ago.
 */
struct window {
	size_t back, steps;
};

/* As many of the last count steps as a graph of this width has room for. */
struct window graph_window(const struct canvas *canvas, int columns, size_t count, size_t back);

/* The largest value in a window; 0: none is known. */
double graph_peak(struct curve curve, struct window window);

/* Whether all known values in a window are the same. */
bool graph_is_level(struct curve curve, struct window window);

/* 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of 10, not below a number: the end of a scale. */
double graph_round_up(double number);

/*
 * Draws a bar of value/full: in eighths of a column, or whole columns without Unicode. Empty if the
 * value is unknown; full if it is more than full.
 */
void graph_bar(struct canvas *canvas, int row, int column, int columns, double value, double full,
	       enum style style);

/*
 * Fills from the bottom of an area up, or from its top down. The style is the first of SHADES. A
 * known 0 is drawn as the least there is, an unknown value not at all.
 */
void graph_fill(struct canvas *canvas, const struct area *area, struct curve curve,
		struct window window, double full, enum style style, bool down);

/* Draws a line, over what is there. */
void graph_line(struct canvas *canvas, const struct area *area, struct curve curve,
		struct window window, double full, enum style style);

#endif
