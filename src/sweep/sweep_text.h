/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a sweep as CSV, and its curves for people to read. */
#ifndef CXLMON_SWEEP_TEXT_H
#define CXLMON_SWEEP_TEXT_H

#include <stdio.h>

#include "metrics/sweep_point.h"

/* A row a point; what is not known is empty. */
void sweep_csv_header(FILE *out);
void sweep_csv_row(const struct sweep_point *point, const struct sweep_counted *counted, FILE *out);

/* A line a curve: a node and mix, by the chase and by the counters. */
void sweep_summary(const struct sweep_points *all, FILE *out);

#endif
