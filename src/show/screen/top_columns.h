/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the list of processes: which of them have room, and what they mean. */
#ifndef CXLMON_SHOW_SCREEN_TOP_COLUMNS_H
#define CXLMON_SHOW_SCREEN_TOP_COLUMNS_H

#include "show/screen/top_list.h"

/* Columns, in the order of the screen. */
enum top_column {
	COLUMN_NAME,
	COLUMN_PID,
	COLUMN_USER,
	COLUMN_READ,
	COLUMN_BAR,
	COLUMN_SHARE,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_CXL,
	COLUMN_DRAM,
	COLUMN_AGE,
	COLUMN_DRAM_READ,
	COLUMN_SAMPLES,
	COLUMN_CGROUP,
	TOP_COLUMNS,
};

struct top_column_kind {
	const char *heading; /* "": none */
	const char *help;
	int width;
	bool left;	    /* else at the right */
	bool sampled;	    /* not known without samples */
	enum top_sort sort; /* that sorts by it; TOP_SORTS: none */
};

extern const struct top_column_kind top_column_kinds[TOP_COLUMNS];

/*
 * The width of each column, 0: it has no room. Each takes one more. The most important ones have
 * room first.
 */
void top_columns_choose(int columns, bool sampled, int widths[TOP_COLUMNS]);

#endif
