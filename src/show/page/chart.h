/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts of series, with captions and legends. */
#ifndef CXLMON_SHOW_PAGE_CHART_H
#define CXLMON_SHOW_PAGE_CHART_H

#include <stdio.h>

#include "show/page/plot.h"
#include "show/page/plotted.h"

#define CHART_MAX_LINES 64 /* per chart */
#define CHART_MAX	60 /* charts of events, per report */
#define CHART_MARKS	100
#define CHART_LEVELS	4

struct chart_line {
	const struct plotted *series;
	const double *x; /* x value of each sample in .series */
	size_t samples;
	const char *name; /* name in the legend; NULL: the label of its row */
};

struct chart {
	const char *name, *title, *unit, *help;
	struct chart_line lines[CHART_MAX_LINES];
	size_t count, left_out;
	/* Numbers that firmware reports, in the unit of the lines; each number once. */
	double levels[CHART_LEVELS];
	size_t level_count;
	const char *since;	     /* origin of the time axis; NULL: "the start" */
	bool live;		     /* the legend has the latest values */
	const struct report *report; /* report whose marks are drawn in the chart; NULL: none */
};

/* Sets name, title, unit and help from the metric or event of the first line. */
void chart_set_title(struct chart *chart);

/* Adds a series over the time since the start of its recording. name: see struct chart_line. */
void chart_add(struct chart *chart, const struct report *report, const struct plotted *series,
	       const char *name);

/* Returns the title of a group of metrics: "CXL bandwidth". */
const char *chart_group_title(const char *group);

/* Draws the lines over time. */
void chart_over_time(const struct chart *chart, FILE *out);

/* Draws points over the bandwidth, in MB/s, of the same sample; the unit is ns. */
void chart_scatter(const struct chart *chart, double bandwidth, FILE *out);

/* Writes the caption and the beginning of the plot, which follow the figure's tag. */
void chart_begin(const struct chart *chart, const struct plot *plot);
/* Writes the end of the plot, and the legend of the lines. */
void chart_end(const struct chart *chart, FILE *out);

#endif
