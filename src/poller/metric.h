/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that cxlmon can show, one row each. CSV columns and the table's headings come from
 * here, in this order within a group; a column is only ever added at the end of its group.
 */
#ifndef CXLMON_METRIC_H
#define CXLMON_METRIC_H

#include <stddef.h>

/* What a row of output stands for. */
enum scope {
	SCOPE_PORT,
	SCOPE_SOCKET,
	SCOPE_SYSTEM,
	SCOPE_COUNT,
};

extern const char *const scope_names[SCOPE_COUNT]; /* "port", "socket", "system" */

enum metric_kind {
	METRIC_NUMBER,
	METRIC_SOURCE, /* text: the formula's source of the metric named in .of */
};

struct metric {
	const char *name;  /* with its unit: a column, and a formula's .metric */
	const char *group; /* as --metrics takes it */
	enum metric_kind kind;
	const char *of; /* METRIC_SOURCE */
	unsigned
		decimals; /* METRIC_NUMBER, in CSV; the table takes one less than it has room for */
	const char *heading; /* two words above a column of the table; NULL: not in the table */
	const char *help;
};

/* Ends with a row whose name is NULL. */
extern const struct metric metric_table[];

/* Whether some metric is of this group. */
int metric_group_exists(const char *group, size_t length);

#endif
