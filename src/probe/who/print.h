/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints scans (watch.h) as a text table, CSV and JSON Lines. */
#ifndef CXLMON_PROBE_WHO_PRINT_H
#define CXLMON_PROBE_WHO_PRINT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/number.h"
#include "probe/who/watch.h"

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define WHO_SCHEMA 1

struct who_sheet {
	FILE *out;
	const struct who_nodes *nodes; /* the watched nodes */
	enum row_by by;
	/* reads of processes are estimated, or reads of resctrl groups are counted */
	bool reads;
	/* traffic by region is counted for resctrl groups or cgroups */
	bool regions;
	bool one_socket; /* the machine has one socket, and so no remote memory */
	/* memory stall cycles are counted for resctrl groups */
	bool stalls;
	bool sampled;  /* loads or page faults are sampled */
	bool no_loads; /* the samples are page faults */
	bool repeats;  /* scans are repeated at an interval */
	size_t width;  /* characters in a line of the table */
	size_t height; /* lines of the terminal; 0: not a terminal */
	size_t scans;  /* scans printed so far; initially 0 */
	size_t lines;  /* private: lines since the last header; 0: no header yet */
};

/*
 * Prints a scan. CSV has one header, before the first scan. The table repeats its header on a
 * terminal, before the last one scrolls away.
 */
typedef void who_printer(struct who_sheet *sheet, const struct who_scan *scan);

who_printer who_table, who_csv, who_json;

/* Tells if the table has a column for each watched node, not only for their sum. */
bool who_table_has_nodes(const struct who_sheet *sheet);

/* Converts bytes of a row to MiB, for CSV and JSON; NAN: they are only a lower limit. */
static inline double who_known_mib(const struct process_row *row, double bytes)
{
	return row->memory.partial ? NAN : to_MiB(bytes);
}

/*
 * Returns the MiB that a row has mapped from devices in devdax mode; NAN: no such device is
 * watched, or rows are cgroups, whose mappings are unknown.
 */
static inline double who_dax_mib(const struct who_sheet *sheet, const struct process_row *row)
{
	return sheet->nodes->dax_count && !row_by_cgroups(sheet->by) ? to_MiB((double)row->dax_sum)
								     : NAN;
}

#endif
