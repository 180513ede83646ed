/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contents of the screen: a panel for each row of the table (CPU, port, device, NUMA node,
 * socket, system), with its values over time. Times are counted in steps: a step is one sample, or
 * the mean of several samples that are together 0.1 s long.
 */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_MODEL_H
#define CXLMON_SHOW_SCREEN_SCREEN_MODEL_H

#include "counts/sample.h"
#include "metrics/important.h"
#include "series/series.h"
#include "show/screen/graph.h"
#include "table/table.h"

/* A row of the table and its past. Nothing is owned. */
struct panel {
	const struct row *row;
	unsigned ports; /* number of ports that the row includes */
	/* sum of the raw rates of these ports' links, in one direction; NAN: a rate is unknown */
	double link_MBps;
	bool short_flits; /* all these links are known to use 68-byte flits */
	/* bandwidth and latency of reads that firmware reports for the device; 0: not reported */
	double promised_MBps, promised_ns;
	char title[96];		     /* "s0 p0  mem0  node 2  0000:35:00.0" */
	const struct series *series; /* series of all panels */
	size_t index;		     /* index of .row in the table */
};

/* A chart: columns that are drawn together. */
struct chart {
	const char *title;		 /* in panels.pictures, NULL: the name of the only column */
	const struct panel *panel;	 /* its values; in panels.pictures, NULL: of any panel */
	bool mirrored;			 /* the first of two columns is drawn up, the second down */
	size_t columns[PICTURE_METRICS]; /* indices of columns of the table */
	unsigned count;			 /* number of columns */
};

#define SOCKET_COLUMNS 7 /* columns of the table of sockets, which is above the ports */
#define PANELS_MARKS   32

/* All panels, and facts about the table. */
struct panels {
	const struct table *table;
	struct panel *all; /* one per row of the table, in its order */
	size_t count;
	size_t cxl_read, cxl_write; /* indices of columns; SIZE_MAX: not measured */
	size_t sockets, ports;	    /* numbers of rows of sockets and of ports */
	struct series series;	    /* values by step: the latest 3600 */
	/* ends of the first and the last sample, in ns since 1970; 0: no sample yet */
	uint64_t first_ns, wall_ns;
	/* latest marks (logged events); mark n of the run, from 0, is [n % PANELS_MARKS] */
	struct mark marks[PANELS_MARKS];
	size_t mark_count;	/* number of marks so far */
	struct chart *pictures; /* each column of the table is in one */
	size_t picture_count;
	size_t of_sockets[SOCKET_COLUMNS]; /* columns of the table of sockets; SIZE_MAX: none */
	bool *troubles;			   /* by column: a value above 0 is a problem */
};

/*
 * Makes the panels of a table, which must stay valid until panels_free(). Returns 0 or -ENOMEM.
 * Freed by panels_free(), also after failure.
 */
int panels_init(struct panels *panels, const struct table *table);
void panels_free(struct panels *panels);

/* screen_columns.c: sets .pictures, .of_sockets, .cxl_read and .cxl_write, for panels_init(). */
void panels_find_columns(struct panels *panels);

/*
 * Adds a sample: the values and marks in the table. interval_ns: the present interval of samples.
 */
void panels_update(struct panels *panels, const struct sample *sample, uint64_t interval_ns);

/* Returns true if any value of a column was known so far. Other columns are not shown. */
bool panel_knows(const struct panel *panel, size_t column);

/*
 * Returns the values of a column by step, valid until panels_update(). Empty: the column is not
 * kept for this row.
 */
struct curve panel_curve(const struct panel *panel, size_t column);

/*
 * Returns the seconds from the end of the step `back` steps ago to the end of the latest step; 0:
 * no such step.
 */
double panels_ago(const struct panels *panels, size_t back);

/*
 * Returns the value of the step `back` steps ago. back 0: the value of the last sample. NAN:
 * unknown.
 */
double panel_value(const struct panel *panel, size_t column, size_t back);

/* Returns the name of metric group n of the table, from 1; NULL: there is no group n. */
const char *panels_group(const struct panels *panels, size_t n);

/* Returns the next coarser scope with panels; after the coarsest, the finest. */
enum scope panels_next_scope(const struct panels *panels, enum scope scope);

/*
 * Returns the finest scope, from `scope` on, whose panels have known values of a metric group. If
 * there is none, or the group does not exist, returns `scope`. group: see panels_group().
 */
enum scope panels_scope_with(const struct panels *panels, enum scope scope, size_t group);

/*
 * Sets out[], which has room for all panels, to the panels of a scope. by_traffic: sorted by CXL
 * traffic in the last ten steps, unknown traffic last; false: in the table's order. Returns their
 * number.
 */
size_t panels_choose(const struct panels *panels, enum scope scope, bool by_traffic,
		     const struct panel **out);

/*
 * Moves idle panels, whose CXL traffic was 0 in the last ten steps, to the end. Returns the number
 * of other panels.
 */
size_t panels_fold_idle(const struct panels *panels, const struct panel **chosen, size_t count);

#endif
