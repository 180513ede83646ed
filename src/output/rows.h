/* SPDX-License-Identifier: BSD-3-Clause */
/* A row as formats show it: its place in a word or two, and its fields for programs. */
#ifndef CXLMON_OUTPUT_ROWS_H
#define CXLMON_OUTPUT_ROWS_H

#include "metrics/view.h"
#include "output/fields.h"

#define LOCATION_SIZE 160

/* "s0 p1 mem2"; without the device if it is unknown. Returns text. */
const char *location(const struct row *row, char text[LOCATION_SIZE]);

/* "s0 cha 3", or in full "socket 0 port 1 mem2": with the unit if the row is of an event. */
const char *location_with_unit(const struct row *row, bool full, char text[LOCATION_SIZE]);

/* The width of the longest location, at least that of "system". */
int location_width(const struct view *view);

/* From its place to counted_pct, in the order of CSV. row NULL: of none, for the names alone. */
void out_row(struct fields *f, const struct view *view, const struct row *row);

#endif
