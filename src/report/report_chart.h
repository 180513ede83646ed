/* SPDX-License-Identifier: BSD-3-Clause */
/* The charts of a report: what is drawn in which, and the words around it. */
#ifndef CXLMON_REPORT_CHART_H
#define CXLMON_REPORT_CHART_H

#include <stdio.h>

#include "report/report_series.h"

#define CHART_MOST_LINES 64 /* in one chart */
#define CHART_MOST	 60 /* of events in one report */

/* "socket 0 port 1 mem1", and the unit where the row is an event's. Returns text. */
#define CHART_PLACE_SIZE 160
const char *chart_place(const struct row *row, char text[CHART_PLACE_SIZE]);

/* A chart over time for each metric that is known somewhere, or for each event. */
void charts_over_time(const struct report *report, FILE *out);

/* Latencies against the bandwidth of the same rows; nothing where there are none. 0 or -ENOMEM. */
int charts_of_latency(const struct report *report, FILE *out);

#endif
