/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the charts, and private to them. */
#ifndef CXLMON_REPORT_CHART_PRIVATE_H
#define CXLMON_REPORT_CHART_PRIVATE_H

#include "report/report_chart.h"
#include "report/report_plot.h"

/* CSS classes: "line c0"; "line many" if there are more lines than colours. Returns text. */
#define CHART_CLASS_SIZE 32
const char *chart_class(const char *kind, size_t line, size_t lines, char text[CHART_CLASS_SIZE]);

/* The caption above a figure; the legend below it, and the figure's end. */
void chart_head(const struct chart *chart, const char *unit, FILE *out);
void chart_key(const char *class_name, FILE *out); /* of an entry, in the style of its line */
void chart_legend(const struct chart *chart, FILE *out);

/* That of the legend. Returns it; text has room for it. */
const char *chart_line_name(const struct chart_line *line, char text[CHART_LABEL_SIZE]);

#endif
