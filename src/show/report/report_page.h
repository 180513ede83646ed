/* SPDX-License-Identifier: BSD-3-Clause */
/* The HTML page of cxlmon report, which loads no other resource. */
#ifndef CXLMON_SHOW_REPORT_REPORT_PAGE_H
#define CXLMON_SHOW_REPORT_REPORT_PAGE_H

#include <stdio.h>

#include "show/page/plotted.h"

/*
 * Prints the report. flaw: damage of the recording; code 0: none. Returns 0 or -ENOMEM: a part is
 * missing.
 */
int report_page(const struct report *report, const struct error *flaw, FILE *out);

/* Parts of the report. */

/* Prints a picture of where loads are answered, from core to device; nothing if all are unknown. */
void report_path(const struct report *report, FILE *out);

/* Prints a chart over time for each metric with known values, and for each event. */
void charts_over_time(const struct report *report, FILE *out);

/* Prints charts of latency over bandwidth of the same rows; nothing if there are none. */
void charts_of_latency(const struct report *report, FILE *out);

/* Prints the predicted slowdown by the share of memory in CXL; nothing if none is predicted. */
void report_what_if(const struct report *report, FILE *out);

/* Prints tables and charts of sampled loads; nothing if there are none. */
void report_hot(const struct report *report, FILE *out);

/*
 * Prints the results of a sweep: a sentence for each node and mix of reads and writes, a chart of
 * loaded-latency curves for each node, and a table of the measurements. Prints nothing if the
 * recording is not of a sweep. Returns 0 or -ENOMEM.
 */
int report_sweep(const struct report *report, FILE *out);

/*
 * Prints "100 % reads: a read takes 320 ns without load, 640 ns at 26.6 GB/s (the knee), and 1 920
 * ns (6.00 times) at the peak, 30.0 GB/s." Parts that the curve lacks are left out. read_share: 0
 * to 1.
 */
void sweep_sentence(double read_share, const struct curve *curve, FILE *out);

/*
 * Prints a paragraph if counters saw traffic of other programs at the points from first to end - 1;
 * else nothing.
 */
void sweep_others_sentence(const struct sweep_points *all, size_t first, size_t end, FILE *out);

#endif
