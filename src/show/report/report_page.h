/* SPDX-License-Identifier: BSD-3-Clause */
/* The report: one HTML page that loads no other resource. */
#ifndef CXLMON_SHOW_REPORT_REPORT_PAGE_H
#define CXLMON_SHOW_REPORT_REPORT_PAGE_H

#include <stdio.h>

#include "show/page/plotted.h"

/* Writes the report. flaw: a flaw of the recording; code 0: none. 0 or -ENOMEM. */
int report_page(const struct report *report, const struct error *flaw, FILE *out);

/* Parts of the report. */

/* Writes a chart over time for each metric with known values, or for each event. */
void charts_over_time(const struct report *report, FILE *out);

/* Writes charts of latency over bandwidth of the same rows; nothing if there are none. */
void charts_of_latency(const struct report *report, FILE *out);

/* Writes the predicted slowdown by the share of memory in CXL; nothing if none is predicted. */
void report_what_if(const struct report *report, FILE *out);

/* Writes sampled loads; nothing if there are none. */
void report_hot(const struct report *report, FILE *out);

/*
 * Writes the results of a sweep: a sentence for each node and mix, and then the measurements,
 * loaded-latency curves and their knees: a chart for each node, and a table. Nothing if the
 * recording is not of a sweep. 0 or -ENOMEM.
 */
int report_sweep(const struct report *report, FILE *out);

/*
 * Writes "100 % reads: a read takes 320 ns without load, 640 ns at 26.6 GB/s (the knee), and 1 920
 * ns (6.00 times) at the peak, 30.0 GB/s." Parts that the curve lacks are left out.
 */
void sweep_sentence(double read_share, const struct curve *curve, FILE *out);

/* Writes a paragraph if the counters saw traffic of others at these points; else nothing. */
void sweep_others_sentence(const struct sweep_points *all, size_t first, size_t end, FILE *out);

#endif
