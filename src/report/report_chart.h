/* SPDX-License-Identifier: BSD-3-Clause */
/* The charts of a report, with captions and legends. */
#ifndef CXLMON_REPORT_CHART_H
#define CXLMON_REPORT_CHART_H

#include <stdio.h>

#include "report/report_series.h"

#define CHART_MAX_LINES 64 /* per chart */
#define CHART_MAX	60 /* of events, per report */

/* "socket 0 port 1 mem1", with the unit if the row is of an event. Returns text. */
#define CHART_LABEL_SIZE 160
const char *chart_label(const struct row *row, char text[CHART_LABEL_SIZE]);

struct chart_line {
	const struct report *report; /* that the series is of */
	const struct series *series;
	const char *name; /* in the legend; NULL: its row's label */
};

struct chart {
	const char *name, *title, *unit, *help;
	struct chart_line lines[CHART_MAX_LINES];
	size_t count, left_out;
};

/* What a metric's chart is called, is in and is about, without lines. */
struct chart chart_of_metric(const struct metric *metric);

/* "CXL bandwidth": of a group of metrics. */
const char *chart_group_title(const char *group);

/* The lines over time, each since the start of its recording. */
void chart_over_time(const struct chart *chart, FILE *out);

/* A chart over time per metric with known values, or per event. */
void charts_over_time(const struct report *report, FILE *out);

/* Latency over bandwidth of the same rows; nothing if there are none. 0 or -ENOMEM. */
int charts_of_latency(const struct report *report, FILE *out);

#endif
