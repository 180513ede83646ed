/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints updates as a text table, CSV and JSON Lines. */
#ifndef CXLMON_PROBE_TOP_TOP_PRINT_H
#define CXLMON_PROBE_TOP_TOP_PRINT_H

#include <stdio.h>

#include "probe/top/top_list.h"

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define TOP_SCHEMA 1

struct top_sheet {
	FILE *out;
	enum row_by by; /* BY_PROCESS: lines are processes; else groups of this kind */
	size_t width;	/* characters in a line of the table */
	size_t updates; /* updates printed so far; initially 0 */
};

/* An update to print. */
struct top_shown {
	const struct top_summary *summary;
	const struct top_line *lines; /* processes, or groups: see top_sheet.by */
	size_t count;		      /* lines */
	double missed;		      /* deadlines missed since the previous update; NAN: unknown */
};

/* Prints an update. CSV has one header, before the first update; the table has one per update. */
typedef void top_printer(struct top_sheet *sheet, const struct top_shown *shown);

top_printer top_table, top_csv, top_json;

/*
 * Prints an update as CSV with a header: the system, then each of summary->row_count processes in
 * the order of rows, with its memory by node.
 */
void top_save(const struct top_summary *summary, const struct process_row *rows, FILE *out);

#endif
