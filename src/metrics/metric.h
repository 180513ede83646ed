/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that cxlmon can show, one row each. CSV columns and the table's headings come from
 * here, in this order within a group; a column is only ever added at the end of its group.
 */
#ifndef CXLMON_METRIC_H
#define CXLMON_METRIC_H

#include <stdbool.h>
#include <stddef.h>

/* What a row of output stands for. */
enum scope {
	SCOPE_CPU,
	SCOPE_PORT,
	SCOPE_SOCKET,
	SCOPE_SYSTEM,
	SCOPE_COUNT,
};

extern const char *const scope_names[SCOPE_COUNT]; /* "cpu", "port", "socket", "system" */

enum metric_kind {
	METRIC_NUMBER,
	METRIC_SOURCE, /* text: the formula's source of the metric named in .of */
	METRIC_CPU,    /* text: the number of the row's CPU; only with rows of CPUs */
};

/*
 * A metric as a family of OpenMetrics, in base units. A counter adds up what a rate has counted, so
 * that it is the reader who makes rates.
 */
struct family {
	const char *name; /* "cxl_mem_read_bytes", behind a prefix; NULL: it is none */
	const char *unit; /* the name's end: bytes, seconds, ratio or hertz; NULL: has none */
	const char *help;
	double factor; /* base units in one of the metric's */
	bool counter;  /* else a gauge */
};

struct metric {
	const char *name;  /* with its unit: a column, and a formula's .metric */
	const char *group; /* as --metrics takes it */
	enum metric_kind kind;
	unsigned scopes;     /* 1 << scope of the rows that can have it */
	const char *of;	     /* METRIC_SOURCE */
	unsigned decimals;   /* METRIC_NUMBER, in CSV */
	const char *heading; /* two words above a column of the table; NULL: not in the table */
	const char *unit;    /* under them; short */
	const char *help;
	struct family family;
};

/* Ends with a row whose name is NULL. */
extern const struct metric metric_table[];

/* Whether some metric is of this group. */
bool metric_group_exists(const char *group, size_t length);

/* "cxl, latency, dram, ...": every group once. */
void metric_group_names(char *text, size_t size);

#endif
