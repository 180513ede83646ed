/* SPDX-License-Identifier: BSD-3-Clause */
/* Bars, and graphs of what was. */
#ifndef CXLMON_GRAPH_H
#define CXLMON_GRAPH_H

#include "screen/canvas.h"
#include "screen/history.h"

/*
 * A line that is filled to value/full: in eighths of a column, or in whole ones without Unicode.
 * Nothing where the value is not known. More than full is full.
 */
void graph_bar(struct canvas *canvas, int row, int column, int columns, double value, double full,
	       enum style style);

/*
 * The newest step at the right; two steps a column in braille, four levels a row. Without Unicode
 * one step a column, and three levels a row. The sum of both histories is shown; the second may be
 * NULL. A known 0 has one dot, and what is not known none.
 */
void graph_history(struct canvas *canvas, const struct area *area, const struct history *first,
		   const struct history *second, double full, enum style style);

/* The largest sum among the steps that a graph this wide shows; 0 where none is known. */
double graph_peak(const struct canvas *canvas, int columns, const struct history *first,
		  const struct history *second);

#endif
