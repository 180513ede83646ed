/* SPDX-License-Identifier: BSD-3-Clause */
/* How reports are shown: as a table for people, CSV and JSON Lines for programs. */
#ifndef CXLMON_PROBE_HOT_PRINT_H
#define CXLMON_PROBE_HOT_PRINT_H

#include <stdio.h>

#include "output/sink.h"
#include "process/heat.h"

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define HOT_SCHEMA 1

#define HOT_TABLE_ROWS 20 /* of a table; CSV and JSON have all */

struct process_intake;

struct hot_sheet {
	FILE *out;
	size_t width;	/* of the table, in characters */
	size_t height;	/* of the terminal, in lines; 0: it is none */
	size_t reports; /* so far */
	size_t lines;	/* of the terminal since its header, and with it; 0: there was none */
};

struct hot_format {
	void (*begin)(struct hot_sheet *sheet); /* NULL: nothing stands before the first report */
	void (*report)(struct hot_sheet *sheet, const struct process_report *report);
	bool sums_up; /* the report of the whole run is shown, too */
};

extern const struct hot_format hot_table, hot_csv, hot_json;

/* Returns the form that samples of loads have in a format; NULL: none. */
const struct hot_format *hot_format_of(const struct format *format);

/* Ranges of memory as CSV, and those of a detail page by page: for tools that move pages. */
void hot_print_pages(FILE *out, const struct process_intake *intake);

#endif
