/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Content of the screen: a panel for each port (or device), NUMA node and socket, and for the
 * system, with its metrics over time.
 */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_MODEL_H
#define CXLMON_SHOW_SCREEN_SCREEN_MODEL_H

#include "counts/sample.h"
#include "series/series.h"
#include "show/screen/graph.h"
#include "table/table.h"

struct panel {
	const struct row *row; /* row of the table */
	unsigned ports;	       /* number of ports whose links are summed up */
	/* bandwidth of all these links in one direction; NAN: not all are known */
	double link_MBps;
	bool short_flits; /* all these links have flits of 68 bytes, as far as known */
	/* bandwidth and latency of reads, by firmware; 0: not reported */
	double promised_MBps, promised_ns;
	char title[96];		     /* "s0 p0  mem0  node 2  0000:35:00.0" */
	const struct series *series; /* values of all panels */
	size_t index;		     /* number of its row in the table */
};

#define CHART_SERIES 4

/* Columns that are drawn together. */
struct drawn_columns {
	const char *title; /* NULL: the name of the only column */
	bool mirrored;	   /* the first is drawn up and the second down, if there are both */
	size_t columns[CHART_SERIES];
	unsigned count;
};

#define SOCKET_COLUMNS 7

#define PANELS_MARKS 32

struct panels {
	const struct table *table;
	struct panel *all; /* in the order of the table's rows: ports, sockets, the system */
	size_t count;
	size_t cxl_read, cxl_write; /* columns; SIZE_MAX: not measured */
	size_t sockets, ports;	    /* numbers of sockets and ports, as far as shown */
	/*
	 * values that rows have and the machine may be able to count; steps for an hour of seconds
	 */
	struct series series;
	/* times of the first and the last sample; 0: no sample yet */
	uint64_t first_ns, wall_ns;
	struct mark marks[PANELS_MARKS]; /* latest marks; the nth of all is [n % PANELS_MARKS] */
	size_t mark_count;		 /* number of marks in all samples */
	struct drawn_columns *pictures;	 /* groups of columns; each column of the table is in one */
	size_t picture_count;
	/* columns of the table of sockets, in their order; SIZE_MAX: not measured */
	size_t of_sockets[SOCKET_COLUMNS];
	bool *troubles; /* by column: its values should be 0 */
};

/*
 * Makes the panels of a table, which must outlive them. Returns 0 or -ENOMEM. Freed by
 * panels_free(), also after failure.
 */
int panels_init(struct panels *panels, const struct table *table);
void panels_free(struct panels *panels);

/* screen_columns.c: finds columns by the names of their metrics. */
void panels_find_columns(struct panels *panels);

/* Adds the table's values after a sample to the series; samples are interval_ns apart. */
void panels_update(struct panels *panels, const struct sample *sample, uint64_t interval_ns);

/* Returns whether any value of a column was known; other columns get no place on the screen. */
bool panel_knows(const struct panel *panel, size_t column);

/* Returns the means of a panel's steps. */
struct curve panel_curve(const struct panel *panel, size_t column);

/* Returns the seconds from the end of the step `back` steps ago to the end of the latest one. */
double panels_ago(const struct panels *panels, size_t back);

/* Returns the value `back` steps ago; 0: the last sample's. NAN: unknown. */
double panel_value(const struct panel *panel, size_t column, size_t back);

/* Returns the nth metric group, from 1; NULL: no such group, or n is 0, which stands for all. */
const char *panels_group(const struct panels *panels, size_t n);

/* Returns the next coarser scope with panels; after the coarsest, the finest. */
enum scope panels_next_scope(const struct panels *panels, enum scope scope);

/*
 * Returns the finest scope, from this one on, whose panels have known values of a group; this one
 * if none has.
 */
enum scope panels_scope_with(const struct panels *panels, enum scope scope, size_t group);

/*
 * Selects the panels of a scope, in the table's order or sorted by the traffic of their last ten
 * steps (unknown last). Returns their number, at most panels->count.
 */
size_t panels_choose(const struct panels *panels, enum scope scope, bool by_traffic,
		     const struct panel **out);

/*
 * Moves panels without traffic in their last ten steps after the others. Returns how many have
 * traffic.
 */
size_t panels_fold_idle(const struct panels *panels, const struct panel **chosen, size_t count);

#endif
