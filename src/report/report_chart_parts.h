/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the charts share. Private to them. */
#ifndef CXLMON_REPORT_CHART_PARTS_H
#define CXLMON_REPORT_CHART_PARTS_H

#include "report/report_chart.h"
#include "report/report_plot.h"

struct chart {
	const char *name, *title, *unit, *help;
	const struct series *series[CHART_MOST_LINES];
	size_t count, left_out;
};

/* "line c0": with a colour of its own, as long as there are enough of them. */
#define CHART_CLASS_SIZE 32
void chart_class(const char *kind, size_t line, size_t lines, char text[CHART_CLASS_SIZE]);

/* The words above a figure, and below it, with its end. */
void chart_head(const struct chart *chart, const char *unit, FILE *out);
void chart_legend(const struct series *const *series, size_t count, FILE *out);

#endif
