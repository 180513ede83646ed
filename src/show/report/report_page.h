/* SPDX-License-Identifier: BSD-3-Clause */
/* The report: one HTML page that loads no other resource. */
#ifndef CXLMON_SHOW_REPORT_REPORT_PAGE_H
#define CXLMON_SHOW_REPORT_REPORT_PAGE_H

#include <stdio.h>

#include "show/report/report_series.h"

/* flaw: what is wrong with the recording; code 0: nothing. 0 or -ENOMEM. */
int report_page(const struct report *report, const struct error *flaw, FILE *out);

/*
 * The template of this page, and of others like it: page.html, with the parts title, kind (of
 * page), heading, flags (behind the heading), contents, notes, sources (what it was made from), and
 * those that page_put() prints: version, style and script. Its Content-Security-Policy has the
 * hashes of report.css and report.js, and forbids any other, whatever texts a recording has. The
 * script shows the values at the pointer's position, in all charts at the same time; a series
 * alone; and a range of time, enlarged. The page is complete without it.
 */
extern const char page_html[];
void page_put(const char *name, FILE *out);

/* Metrics of the whole system that have a tile; ends with NULL. */
extern const char *const report_tiles[];
#define REPORT_TILES_MOST 6
/* A tile with a number (NAN: not known), and below it another, which has this name, and the max. */
void report_tile(const struct series *series, double number, const char *name, double beside,
		 FILE *out);

/* Parts of it: sampled loads; nothing if there are none. */
void report_hot(const struct report *report, FILE *out);

/* Parts of it, also of other pages: that it is simulated, or incomplete; when and how it was
 * recorded, as a list. */
void report_flags(const struct recording_info *info, const struct error *flaw, FILE *out);
void report_facts(const struct report *report, FILE *out);
/* An entry of the notes, if lines are drawn through means. */
void report_note_reduced(const struct report *report, FILE *out);

/*
 * What a sweep has found, in a sentence for each node and mix; then what it has measured,
 * loaded-latency curves and their knees: a chart for each node, and a table; nothing if the
 * recording is not of a sweep. 0 or -ENOMEM.
 */
int report_sweep(const struct report *report, FILE *out);

/* How much longer it would take with its memory in CXL, by its share; nothing if none is predicted.
 */
void report_what_if(const struct report *report, FILE *out);

/*
 * "100 % reads: a read takes 320 ns without load, 640 ns at 26.6 GB/s (the knee), and 1 920
 * ns (6.00 times) at the peak, 30.0 GB/s." What the curve does not have is not named.
 */
void sweep_sentence(double read_share, const struct curve *curve, FILE *out);

/* A paragraph, if the counters saw others use the memory of these points; else nothing. */
void sweep_others_sentence(const struct sweep_points *all, size_t first, size_t end, FILE *out);

#endif
