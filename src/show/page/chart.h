/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts of an HTML page: plots of series, with captions and legends. */
#ifndef CXLMON_SHOW_PAGE_CHART_H
#define CXLMON_SHOW_PAGE_CHART_H

#include <stdio.h>

#include "show/page/plot.h"
#include "show/page/plotted.h"

#define CHART_MAX_LINES 64  /* most lines of a chart */
#define CHART_MAX	60  /* most charts of events in a report */
#define CHART_MARKS	100 /* most marks in a chart */
#define CHART_LEVELS	4   /* most levels of a chart */

/* A line of a chart; nothing is owned. */
struct chart_line {
	const struct plotted *series;
	const double *x; /* x of each value of .series */
	size_t samples;
	const char *name; /* name in the legend; NULL: the name of its row */
};

/* A chart; nothing is owned. */
struct chart {
	const char *name, *title, *unit, *help; /* set by chart_set_title() */
	struct chart_line lines[CHART_MAX_LINES];
	size_t count, left_out; /* number of lines, and of further ones without room */
	/* Numbers that firmware reports, in .unit, drawn as horizontal lines; each number once. */
	double levels[CHART_LEVELS];
	size_t level_count;
	const char *since;	     /* words for the origin of the time axis; NULL: "the start" */
	bool live;		     /* the legend has the latest values */
	const struct report *report; /* report whose marks are drawn in the chart; NULL: none */
};

/* Sets name, title, unit and help from the metric or event of the first line. */
void chart_set_title(struct chart *chart);

/*
 * Adds a series over the time of its report, or counts it in .left_out if there is no room. name:
 * see struct chart_line.
 */
void chart_add(struct chart *chart, const struct report *report, const struct plotted *series,
	       const char *name);

/* Returns the title of a metric group: "CXL bandwidth"; the group's name if there is none. */
const char *chart_group_title(const char *group);

/* Prints a chart of the lines over time. */
void chart_over_time(const struct chart *chart, FILE *out);

/*
 * Prints a chart of points: values in ns over the bandwidth of the same sample, which the lines
 * have as x, in MB/s. bandwidth: the largest one.
 */
void chart_scatter(const struct chart *chart, double bandwidth, FILE *out);

/* Prints the caption and the beginning of the plot, which follow the tag <figure>. */
void chart_begin(const struct chart *chart, const struct plot *plot);
/* Prints the end of the plot, and the legend of the lines, up to </figure>. */
void chart_end(const struct chart *chart, FILE *out);

#endif
