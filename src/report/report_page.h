/* SPDX-License-Identifier: BSD-3-Clause */
/* The report: one HTML page that loads no other resource. */
#ifndef CXLMON_REPORT_PAGE_H
#define CXLMON_REPORT_PAGE_H

#include <stdio.h>

#include "report/report_series.h"

/* flaw: what is wrong with the recording; code 0: nothing. 0 or -ENOMEM. */
int report_page(const struct report *report, const struct error *flaw, FILE *out);

/* What is around the contents of every page: up to the text of the title, which is printed next;
 * up to the contents; their end. */
void frame_begin(FILE *out);
void frame_begin_contents(FILE *out);
void frame_end(FILE *out);

/* Parts of it, also of other pages: that it is simulated, or incomplete; when and how it was
 * recorded, as a list. */
void report_flags(const struct recording_info *about, const struct error *flaw, FILE *out);
void report_facts(const struct report *report, FILE *out);
/* An entry of the notes, if lines are drawn through means. */
void report_note_reduced(const struct report *report, FILE *out);

/* The beginning of a table; that of its rows of a metric. */
void report_table_begin(const char *label, const char *class_name, FILE *out);
void report_table_group(const char *metric, const char *unit, FILE *out);

/* The main metrics of the whole system; statistics of every row and metric with known values, in
 * the metric's unit; the names of metrics without any; the ports and their devices. */
void report_tiles(const struct report *report, FILE *out);
void report_table(const struct report *report, FILE *out);
void report_unknown(const struct report *report, FILE *out);
void report_devices(const struct report *report, FILE *out);

/*
 * What a sweep has measured, loaded-latency curves and their knees: a chart for each node, and a
 * table; nothing if the recording is not of a sweep. 0 or -ENOMEM.
 */
int report_sweep(const struct report *report, FILE *out);

#endif
