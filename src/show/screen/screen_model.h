/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of the screen: a panel for each row of the table (CPU, port, device, NUMA node,
 * socket, system), with values over time.
 */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_MODEL_H
#define CXLMON_SHOW_SCREEN_SCREEN_MODEL_H

#include "counts/sample.h"
#include "series/series.h"
#include "show/screen/graph.h"
#include "table/table.h"

/* A row and its past. */
struct panel {
	const struct row *row; /* row of the table */
	unsigned ports;	       /* number of ports whose links are summed up */
	/* MB/s of all these links together in one direction; NAN: not all are known */
	double link_MBps;
	bool short_flits; /* all these links are known to have flits of 68 bytes */
	/* MB/s and ns of reads that firmware promises for the device; 0: not reported */
	double promised_MBps, promised_ns;
	char title[96];		     /* "s0 p0  mem0  node 2  0000:35:00.0" */
	const struct series *series; /* series of all panels; not owned */
	size_t index;		     /* index of its row in the table */
};

#define CHART_SERIES 4

/* Columns that are drawn together. */
struct drawn_columns {
	const char *title; /* NULL: use the name of the only column */
	bool mirrored;	   /* the first column is drawn up and the second down, if there are both */
	size_t columns[CHART_SERIES];
	unsigned count;
};

#define SOCKET_COLUMNS 7

#define PANELS_MARKS 32

/* All panels, and facts about the table. */
struct panels {
	const struct table *table;
	struct panel *all; /* one per row of the table, in its order */
	size_t count;
	size_t cxl_read, cxl_write; /* indices of columns; SIZE_MAX: not measured */
	size_t sockets, ports;	    /* numbers of rows of sockets and of ports */
	/* values of all cells that the machine may be able to count, in up to 3600 steps */
	struct series series;
	/* times of the first and the last sample, in ns since 1970; 0: no sample yet */
	uint64_t first_ns, wall_ns;
	/* the latest marks; mark n of the run is [n % PANELS_MARKS] */
	struct mark marks[PANELS_MARKS];
	size_t mark_count; /* number of marks in all samples */
	/* columns drawn together; each column of the table is in one of these */
	struct drawn_columns *pictures;
	size_t picture_count;
	/*
	 * indices of the columns that the table of sockets shows, in its order; SIZE_MAX: not
	 * measured
	 */
	size_t of_sockets[SOCKET_COLUMNS];
	bool *troubles; /* by column: a value above 0 is a problem */
};

/*
 * Makes the panels of a table, which must outlive them. Returns 0 or -ENOMEM. Freed by
 * panels_free(), also after failure.
 */
int panels_init(struct panels *panels, const struct table *table);
void panels_free(struct panels *panels);

/* screen_columns.c: sets .pictures, .of_sockets, .cxl_read and .cxl_write, for panels_init(). */
void panels_find_columns(struct panels *panels);

/*
 * Adds the values and marks that the table has for a sample. Samples are interval_ns apart; several
 * of less than 0.1 s make one step.
 */
void panels_update(struct panels *panels, const struct sample *sample, uint64_t interval_ns);

/*
 * Returns true if any value of a column was known so far; other columns get no place on the screen.
 */
bool panel_knows(const struct panel *panel, size_t column);

/*
 * Returns the values of a column by step: means over the samples of each step. Valid until
 * panels_update().
 */
struct curve panel_curve(const struct panel *panel, size_t column);

/* Returns the seconds from the end of the step `back` steps ago to the end of the latest one. */
double panels_ago(const struct panels *panels, size_t back);

/* Returns the value of the step `back` steps ago; back 0: the last sample's. NAN: unknown. */
double panel_value(const struct panel *panel, size_t column, size_t back);

/*
 * Returns metric group n of the table, from 1. NULL: there is none, or n is 0, which stands for
 * all.
 */
const char *panels_group(const struct panels *panels, size_t n);

/* Returns the next coarser scope with panels; after the coarsest, the finest. */
enum scope panels_next_scope(const struct panels *panels, enum scope scope);

/*
 * Returns the finest scope, not finer than this one, whose panels have known values of group n (see
 * panels_group()); this scope if none has.
 */
enum scope panels_scope_with(const struct panels *panels, enum scope scope, size_t group);

/*
 * Sets out[] to the panels of a scope, in the table's order or sorted by the CXL traffic of their
 * last ten steps (unknown last). Returns their number, at most panels->count.
 */
size_t panels_choose(const struct panels *panels, enum scope scope, bool by_traffic,
		     const struct panel **out);

/*
 * Moves idle panels, whose traffic was 0 in their last ten steps, after the others. Returns the
 * number of the others.
 */
size_t panels_fold_idle(const struct panels *panels, const struct panel **chosen, size_t count);

#endif
