/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a report. */
#ifndef CXLMON_REPORT_TABLE_H
#define CXLMON_REPORT_TABLE_H

#include <stdio.h>

#include "report/report_series.h"

/* The main metrics of the whole system. */
void report_tiles(const struct report *report, FILE *out);

/* Statistics of every row and metric with known values, in the metric's unit. */
void report_table(const struct report *report, FILE *out);

/* The names of metrics without any known value. */
void report_unknown(const struct report *report, FILE *out);

/* The ports and their devices. */
void report_devices(const struct report *report, FILE *out);

#endif
