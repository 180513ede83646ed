/* SPDX-License-Identifier: BSD-3-Clause */
/* Bars, and graphs of histories. */
#ifndef CXLMON_GRAPH_H
#define CXLMON_GRAPH_H

#include "screen/canvas.h"
#include "screen/history.h"

/*
 * Draws a bar of value/full: in eighths of a column, or whole columns without Unicode. Empty if the
 * value is unknown; full if it is more than full.
 */
void graph_bar(struct canvas *canvas, int row, int column, int columns, double value, double full,
	       enum style style);

/*
 * Draws the sum of both histories (second may be NULL), the newest step on the right: two steps per
 * column and four levels per row in braille; without Unicode one step per column and three levels
 * per row. A known 0 has one dot, an unknown value none.
 */
void graph_history(struct canvas *canvas, const struct area *area, const struct history *first,
		   const struct history *second, double full, enum style style);

/* The largest sum in the steps of a graph of this width; 0: none is known. */
double graph_peak(const struct canvas *canvas, int columns, const struct history *first,
		  const struct history *second);

#endif
