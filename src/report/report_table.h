/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a report. */
#ifndef CXLMON_REPORT_TABLE_H
#define CXLMON_REPORT_TABLE_H

#include <stdio.h>

#include "report/report_series.h"

/* The few that are looked for first, of the whole system. */
void report_tiles(const struct report *report, FILE *out);

/* Every row and metric that is known, in the metric's own unit. */
void report_table(const struct report *report, FILE *out);

/* The names of what was never known. */
void report_unknown(const struct report *report, FILE *out);

/* Ports and what is behind them. */
void report_devices(const struct report *report, FILE *out);

#endif
