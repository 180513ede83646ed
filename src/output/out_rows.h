/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a row, for the formats for programs. */
#ifndef CXLMON_OUT_ROWS_H
#define CXLMON_OUT_ROWS_H

#include "metrics/view.h"
#include "output/fields.h"

/* From its place to counted_pct, in the order of CSV. row NULL: of none, for the names alone. */
void out_row(struct fields *f, const struct view *view, const struct row *row);

#endif
