/* SPDX-License-Identifier: BSD-3-Clause */
/* Bars, and graphs of histories. */
#ifndef CXLMON_SHOW_SCREEN_GRAPH_H
#define CXLMON_SHOW_SCREEN_GRAPH_H

#include <stddef.h>

#include "show/screen/canvas.h"

/*
 * The latest values of a metric, for graphs. An unknown value is a gap (NAN), not 0. Short samples
 * are combined: a step is their mean, weighted by time.
 */

#define HISTORY_SIZE 3600 /* steps: an hour of samples of a second */

/* Initially {0}. */
struct history {
	float steps[HISTORY_SIZE];
	size_t next, count;
	size_t total;		       /* steps so far, also those that are no longer kept */
	double sum, known_s, passed_s; /* of the incomplete step */
};

/* Adds a value (NAN: unknown) of so many seconds; a step is complete after step_s. */
void history_add(struct history *history, double value, double seconds, double step_s);

/* The value of a step, 0 is the newest; NAN: unknown, or no such step. */
double history_at(const struct history *history, size_t age);

/* The mean of what is known of the newest steps; NAN: nothing. */
double history_mean(const struct history *history, size_t steps);

/*
 * The part of histories that graphs show, over their whole width: few steps are drawn wide. The
 * newest is so many steps ago.
 */
struct window {
	size_t back, steps;
};

/* As many of the last count steps as a graph of this width has room for. */
struct window graph_window(const struct canvas *canvas, int columns, size_t count, size_t back);

/* The largest value in a window; 0: none is known. */
double graph_peak(const struct history *history, struct window window);

/* Whether all known values in a window are the same. */
bool graph_is_level(const struct history *history, struct window window);

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
void graph_fill(struct canvas *canvas, const struct area *area, const struct history *history,
		struct window window, double full, enum style style, bool down);

/* Draws a line, over what is there. */
void graph_line(struct canvas *canvas, const struct area *area, const struct history *history,
		struct window window, double full, enum style style);

#endif
