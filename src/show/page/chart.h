/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts of an HTML page: plots of series, with captions and legends. */
#ifndef CXLMON_SHOW_PAGE_CHART_H
#define CXLMON_SHOW_PAGE_CHART_H

#include <stdio.h>

#include "show/page/plot.h"
#include "show/page/plotted.h"

#define CHART_MAX_LINES 64  /* most lines of a chart */
#define CHART_MAX	60  /* most charts of events in a report */
#define CHART_MARKS	100 /* most marks (logged events) in a chart */
#define CHART_LEVELS	4   /* most levels of a chart */

/* A line of a chart; nothing is owned. */
struct chart_line {
	const struct plotted *series;
	const double *x;  /* x of each value of .series: seconds, or MB/s in chart_scatter() */
	size_t samples;	  /* number of values */
	const char *name; /* name in the legend; NULL: the name of the row */
};

/* A chart; nothing is owned. */
struct chart {
	const char *name, *title, *unit, *help; /* set by chart_set_title() */
	struct chart_line lines[CHART_MAX_LINES];
	size_t count, left_out; /* numbers of lines, and of further series without room */
	/* levels: numbers that firmware reports, in .unit, drawn as horizontal lines */
	double levels[CHART_LEVELS];
	size_t level_count;
	const char *since;	     /* name of time 0: "the start" if NULL */
	bool live;		     /* the legend also has the latest values */
	const struct report *report; /* report whose marks are drawn; NULL: no marks */
};

/* Sets .name, .title, .unit and .help from the metric or event of the first line. */
void chart_set_title(struct chart *chart);

/*
 * Adds a line: a series of a report over time. If there is no room, counts it in .left_out. name:
 * see struct chart_line.
 */
void chart_add(struct chart *chart, const struct report *report, const struct plotted *series,
	       const char *name);

/* Returns the title of a metric group: "CXL bandwidth"; the group's name if there is none. */
const char *chart_group_title(const char *group);

/* Prints a chart of the lines over time. */
void chart_over_time(const struct chart *chart, FILE *out);

/*
 * Prints a chart of points: latencies in ns over the bandwidth of the same sample. The .x of lines
 * have bandwidths in MB/s. bandwidth: the largest of them.
 */
void chart_scatter(const struct chart *chart, double bandwidth, FILE *out);

/* If count is not 0, prints a note that so many more are not drawn. what: "lines are". */
void chart_put_left_out(size_t count, const char *what, FILE *out);

/* Prints the caption and the beginning of the plot. The caller has printed <figure>. */
void chart_begin(const struct chart *chart, const struct plot *plot);
/* Prints the end of the plot, the legend of the lines, and </figure>. */
void chart_end(const struct chart *chart, FILE *out);

#endif
