/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints updates as a text table, CSV and JSON Lines. */
#ifndef CXLMON_PROBE_TOP_TOP_PRINT_H
#define CXLMON_PROBE_TOP_TOP_PRINT_H

#include <stdio.h>

#include "probe/top/top_groups.h"

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define TOP_SCHEMA 1

struct top_sheet {
	FILE *out;
	enum row_by by;
	size_t width;	/* characters in a line */
	size_t updates; /* updates printed */
};

struct top_shown {
	const struct top_summary *summary;
	const struct top_group *groups;
	size_t count;
	double missed; /* deadlines; NAN: unknown */
};

/* Prints an update, after a header if it is the first one. */
typedef void top_printer(struct top_sheet *sheet, const struct top_shown *shown);

top_printer top_table, top_csv, top_json;

/* Prints all processes of an update as CSV, with the header. */
void top_save(const struct top_summary *summary, const struct top_row *rows, FILE *out);

#endif
