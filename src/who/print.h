/* SPDX-License-Identifier: BSD-3-Clause */
/* How scans are shown: as a table for people, CSV and JSON Lines for programs. */
#ifndef CXLMON_WHO_PRINT_H
#define CXLMON_WHO_PRINT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "who/scan.h"

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define WHO_SCHEMA 1

#define WHO_TABLE_WIDTH 80 /* where the output is no terminal */

struct who_sheet {
	FILE *out;
	const struct who_nodes *nodes;
	bool reads;   /* .cpu_MBps is estimated */
	bool repeats; /* there is more than one scan */
	size_t width; /* of the table, in characters */
	size_t scans; /* so far */
};

struct who_format {
	void (*begin)(struct who_sheet *sheet); /* NULL: nothing stands before the first scan */
	void (*scan)(struct who_sheet *sheet, const struct who_scan *scan);
};

extern const struct who_format who_table, who_csv, who_json;

/* Whether the table has a column for each node, of several: else only their sum. */
bool who_table_has_nodes(const struct who_sheet *sheet);

static inline double who_mib(double bytes)
{
	return bytes / (1024 * 1024);
}

/* The MiB of a process, for programs; NAN: it has at least as many. */
static inline double who_known_mib(const struct who_process *process, uint64_t bytes)
{
	return process->partial ? NAN : who_mib((double)bytes);
}

/* The share of the memory that a process has mapped, in percent; NAN: not known. */
static inline double who_share_pct(const struct who_process *process, uint64_t bytes)
{
	return process->partial || !process->total ? NAN
						   : 100 * (double)bytes / (double)process->total;
}

#endif
