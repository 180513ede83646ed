/* SPDX-License-Identifier: BSD-3-Clause */
/* How scans are shown: as a table for people, CSV and JSON Lines for programs. */
#ifndef CXLMON_PROBE_WHO_PRINT_H
#define CXLMON_PROBE_WHO_PRINT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "probe/who/watch.h"
#include "process/report.h"

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define WHO_SCHEMA 1

struct who_sheet {
	FILE *out;
	const struct who_nodes *nodes;
	enum who_by by;
	bool reads;	 /* they are estimated, or of groups of resctrl counted */
	bool regions;	 /* bytes by region of such groups, or of cgroups, are counted, */
	bool one_socket; /* which has no memory of others */
	bool stalls;	 /* cycles in which groups of resctrl wait for memory are counted */
	bool sampled;	 /* .reads_per_s of rows is known, */
	bool no_loads;	 /* and is of no loads */
	bool repeats;	 /* there is more than one scan */
	size_t width;	 /* of the table, in characters */
	size_t height;	 /* of the terminal, in lines; 0: it is none */
	size_t scans;	 /* so far */
	size_t lines;	 /* of the table since its header; 0: there was none */
};

/* Sampled reads a second; NAN: not known. */
static inline double who_reads_per_s(const struct who_sheet *sheet, const struct who_scan *scan,
				     const struct who_row *row)
{
	return sheet->sampled && !isnan(scan->interval_s) ? row->reads_per_s : NAN;
}

static inline double who_sampled_MBps(const struct who_sheet *sheet, const struct who_scan *scan,
				      const struct who_row *row)
{
	return sheet->no_loads ? NAN : who_reads_per_s(sheet, scan, row) * LOAD_LINE_BYTES / 1e6;
}

/* As --by and the scopes of rows have them, ended by a NULL. */
extern const char *const who_by_names[WHO_BYS + 1];

/* Prints a scan; before the first one, what stands before all. */
typedef void who_printer(struct who_sheet *sheet, const struct who_scan *scan);

who_printer who_table, who_csv, who_json;

/* Whether the table has a column for each node, of several: else only their sum. */
bool who_table_has_nodes(const struct who_sheet *sheet);

static inline double who_mib(double bytes)
{
	return bytes / (1024 * 1024);
}

/* The MiB of a row, for programs; NAN: it has at least as many. */
static inline double who_known_mib(const struct who_row *row, uint64_t bytes)
{
	return row->partial ? NAN : who_mib((double)bytes);
}

/* What it has mapped of devices in devdax mode; NAN: none is watched, or it is a cgroup. */
static inline double who_dax_mib(const struct who_sheet *sheet, const struct who_row *row)
{
	return sheet->nodes->dax_count && !who_by_cgroups(sheet->by) ? who_mib((double)row->dax_sum)
								     : NAN;
}

/* The share of its memory on all nodes, in percent; NAN: not known. */
static inline double who_share_pct(const struct who_row *row, uint64_t bytes)
{
	return row->partial || !row->total ? NAN : 100 * (double)bytes / (double)row->total;
}

#endif
