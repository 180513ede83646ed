/* SPDX-License-Identifier: BSD-3-Clause */
/* How reports are shown: as a table for people, CSV and JSON Lines for programs. */
#ifndef CXLMON_HOT_PRINT_H
#define CXLMON_HOT_PRINT_H

#include <stdio.h>

#include "hot/hot.h"

/* Version of the JSON output; grows when a key is removed or changes its meaning. */
#define HOT_SCHEMA 1

#define HOT_TABLE_ROWS 20 /* of a table; CSV and JSON have all */

struct hot_sheet {
	FILE *out;
	size_t reports; /* so far */
};

struct hot_format {
	void (*begin)(struct hot_sheet *sheet); /* NULL: nothing stands before the first report */
	void (*report)(struct hot_sheet *sheet, const struct hot_report *report);
	bool sums_up; /* the report of the whole run is shown, too */
};

extern const struct hot_format hot_table, hot_csv, hot_json;

#define HOT_LINE_BYTES 64 /* that a load brings */

/* Events a second; NAN: samples do not say how many there were. */
double hot_per_s(const struct hot_report *report, const struct hot_row *row,
		 enum hot_memory memory);

/* The same in MB/s; NAN: or they are no loads. */
double hot_MBps(const struct hot_report *report, const struct hot_row *row, enum hot_memory memory);

/* The part of what ports have counted that is seen in the samples of a row; NAN: not known. */
double hot_share_pct(const struct hot_report *report, const struct hot_row *row);

/* percent 100: the longest. NAN: not known. */
double hot_latency(const struct hot_report *report, const struct hot_row *row,
		   enum hot_memory memory, unsigned percent);

/* GiB of a node that are used and were not sampled; NAN: not known. */
double hot_unseen_GiB(const struct hot_node *node);

/*
 * How much DRAM is colder than the hottest CXL memory that has half of its reads: two numbers that
 * say whether moving pages would help. False: there is none of the one or of the other.
 */
bool hot_misplaced(const struct hot_report *report, double *cold_GiB, double *hot_GiB);

/* The ranges of memory as CSV: for tools that move pages. */
void hot_print_pages(FILE *out, const struct hot_report *report);

/* Samples of one kind of memory, of the event that says how many, or else how long. */
uint64_t hot_samples(const struct hot_report *report, const struct hot_row *row,
		     enum hot_memory memory);

#endif
