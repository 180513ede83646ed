/* SPDX-License-Identifier: BSD-3-Clause */
/* The charts of a report, with captions and legends. */
#ifndef CXLMON_REPORT_CHART_H
#define CXLMON_REPORT_CHART_H

#include <stdio.h>

#include "output/rows.h"
#include "report/report_plot.h"
#include "report/report_series.h"

#define CHART_MAX_LINES 64 /* per chart */
#define CHART_MAX	60 /* of events, per report */

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

/* Parts of charts. */

/* CSS classes: "line c0"; "line many" if there are more lines than colours. Returns text. */
#define CHART_CLASS_SIZE 32
const char *chart_class(const char *kind, size_t line, size_t lines, char text[CHART_CLASS_SIZE]);

/* The caption above a figure; the legend below it, and the figure's end. */
void chart_head(const struct chart *chart, const char *unit, FILE *out);
void chart_key(const char *class_name, FILE *out); /* of an entry, in the style of its line */
void chart_legend(const struct chart *chart, FILE *out);

/* That of the legend. Returns it; text has room for it. */
const char *chart_line_name(const struct chart_line *line, char text[LOCATION_SIZE]);

#endif
