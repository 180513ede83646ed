/* SPDX-License-Identifier: BSD-3-Clause */
/* The HTML page of cxlmon report, which loads no other resource. */
#ifndef CXLMON_SHOW_REPORT_REPORT_PAGE_H
#define CXLMON_SHOW_REPORT_REPORT_PAGE_H

#include <stdio.h>

#include "show/page/plotted.h"

/*
 * Prints the page. flaw: damage of the recording; .code 0: none. Returns 0, or -ENOMEM: parts of
 * the page are missing.
 */
int report_page(const struct report *report, const struct error *flaw, FILE *out);

/* Parts of the report. */

/* Prints pictures of where loads find data, from the core to CXL memory; nothing if unknown. */
void report_path(const struct report *report, FILE *out);

/* Prints a chart over time for each metric with known values, and for each event. */
void charts_over_time(const struct report *report, FILE *out);

/* Prints charts of latency over bandwidth, for rows with known values of both. */
void charts_of_latency(const struct report *report, FILE *out);

/* Prints the predicted slowdown by share of memory in CXL; nothing if report->predicted is NULL. */
void report_what_if(const struct report *report, FILE *out);

/* Prints tables and charts of sampled loads; nothing if there are none. */
void report_hot(const struct report *report, FILE *out);

/*
 * Prints the results of a sweep: sentences on each node and mix of reads and writes, a chart of
 * latency over bandwidth for each node, and a table. If the recording is not of a sweep, prints
 * nothing. Returns 0 or -ENOMEM.
 */
int report_sweep(const struct report *report, FILE *out);

/*
 * Prints "100 % reads: a read takes 320 ns without load, 640 ns at 26.6 GB/s (the knee), and 1 920
 * ns (6.00 times) at the peak, 30.0 GB/s." Leaves out parts that the curve lacks. read_share: share
 * of reads in the traffic, 0 to 1.
 */
void sweep_sentence(double read_share, const struct curve *curve, FILE *out);

/*
 * If counters saw much traffic of other programs at any of the points first to end - 1, prints a
 * paragraph that says so.
 */
void sweep_others_sentence(const struct sweep_points *all, size_t first, size_t end, FILE *out);

#endif
