/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints reports of sampled loads as a text table, CSV and JSON Lines. */
#ifndef CXLMON_PROBE_HOT_PRINT_H
#define CXLMON_PROBE_HOT_PRINT_H

#include <stdio.h>

#include "output/sink.h"
#include "process/heat.h"

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define HOT_SCHEMA 1

#define HOT_TABLE_ROWS 20 /* most rows of the table; CSV and JSON have all rows */

struct process_intake;

struct hot_sheet {
	FILE *out;
	size_t width;	/* characters in a line of the table */
	size_t height;	/* lines of the terminal; 0: not a terminal */
	size_t reports; /* reports printed so far; initially 0 */
	/* private: lines on the terminal since its header began; 0: no header yet */
	size_t lines;
};

struct hot_format {
	/* prints the header, once before the first report; NULL: none */
	void (*begin)(struct hot_sheet *sheet);
	/* prints a report of an interval or of the run */
	void (*report)(struct hot_sheet *sheet, const struct process_report *report);
	bool sums_up; /* a report of the whole run is printed at the end */
};

extern const struct hot_format hot_table, hot_csv, hot_json;

/* Returns the form of reports for an output format; NULL: the format has none. */
const struct hot_format *hot_format_of(const struct format *format);

/*
 * Prints a CSV for tools that move pages: the ranges of memory that the intake's first set of rows
 * has counted. Ranges within the set's .detail are printed page by page.
 */
void hot_print_pages(FILE *out, const struct process_intake *intake);

#endif
