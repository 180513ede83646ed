/* SPDX-License-Identifier: BSD-3-Clause */
/* The report: one HTML page that loads no other resource. */
#ifndef CXLMON_SHOW_REPORT_REPORT_PAGE_H
#define CXLMON_SHOW_REPORT_REPORT_PAGE_H

#include <stdio.h>

#include "show/page/plotted.h"

/* flaw: what is wrong with the recording; code 0: nothing. 0 or -ENOMEM. */
int report_page(const struct report *report, const struct error *flaw, FILE *out);

/* Parts of it. */

/* A chart over time per metric with known values, or per event. */
void charts_over_time(const struct report *report, FILE *out);

/* Latency over bandwidth of the same rows; nothing if there are none. */
void charts_of_latency(const struct report *report, FILE *out);

/* How much longer it would take with its memory in CXL, by its share; nothing if none is predicted.
 */
void report_what_if(const struct report *report, FILE *out);

/* Sampled loads; nothing if there are none. */
void report_hot(const struct report *report, FILE *out);

/*
 * What a sweep has found, in a sentence for each node and mix; then what it has measured,
 * loaded-latency curves and their knees: a chart for each node, and a table; nothing if the
 * recording is not of a sweep. 0 or -ENOMEM.
 */
int report_sweep(const struct report *report, FILE *out);

/*
 * "100 % reads: a read takes 320 ns without load, 640 ns at 26.6 GB/s (the knee), and 1 920
 * ns (6.00 times) at the peak, 30.0 GB/s." What the curve does not have is not named.
 */
void sweep_sentence(double read_share, const struct curve *curve, FILE *out);

/* A paragraph, if the counters saw others use the memory of these points; else nothing. */
void sweep_others_sentence(const struct sweep_points *all, size_t first, size_t end, FILE *out);

#endif
