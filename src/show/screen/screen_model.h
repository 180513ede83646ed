/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The content of the screen: a panel per port (or device), NUMA node, socket and for the system,
 * with its metrics over time.
 */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_MODEL_H
#define CXLMON_SHOW_SCREEN_SCREEN_MODEL_H

#include "counts/sample.h"
#include "series/series.h"
#include "show/screen/graph.h"
#include "table/table.h"

struct panel {
	const struct row *row; /* of the table */
	unsigned ports;	       /* number of ports whose links are summed up */
	double link_MBps;      /* of all of these, in one direction; NAN: not all are known */
	bool short_flits;      /* all of these have flits of 68 bytes, as far as is known */
	double promised_MBps, promised_ns; /* of its reads, by firmware; 0: not said */
	char title[96];			   /* "s0 p0  mem0  node 2  0000:35:00.0" */
	const struct series *series;	   /* values of all panels */
	size_t index;			   /* number of its row in the table */
};

#define CHART_SERIES 4

/* Columns that are drawn together. */
struct drawn_columns {
	const char *title; /* NULL: the name of the only column */
	bool mirrored;	   /* the first up, the second down, if there are both */
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
	size_t sockets, ports;	    /* of the machine, as far as they are shown */
	/* of what rows have, and the machine may be able to count; steps are an hour of seconds */
	struct series series;
	uint64_t first_ns, wall_ns;	 /* of the first and the last sample; 0: none yet */
	struct mark marks[PANELS_MARKS]; /* the latest; the nth of all is [n % PANELS_MARKS] */
	size_t mark_count;		 /* of all samples */
	struct drawn_columns *pictures;	 /* each column of the table is in one of them */
	size_t picture_count;
	/* columns of the table of sockets, in their order; SIZE_MAX: not measured */
	size_t of_sockets[SOCKET_COLUMNS];
	bool *troubles; /* by column: its values should be 0 */
};

/* 0 or -ENOMEM. The table outlives it. Freed by panels_free(), also after failure. */
int panels_init(struct panels *panels, const struct table *table);
void panels_free(struct panels *panels);

/* screen_columns.c: finds columns by the names of their metrics. */
void panels_find_columns(struct panels *panels);

/* Adds the table's values after a sample to the series; samples are interval_ns apart. */
void panels_update(struct panels *panels, const struct sample *sample, uint64_t interval_ns);

/* Tells if any value of a column was known; the screen has no place for others. */
bool panel_knows(const struct panel *panel, size_t column);

/* The means of a panel's steps. */
struct curve panel_curve(const struct panel *panel, size_t column);

/* Seconds from the end of a step, so many before the latest one, to the end of that. */
double panels_ago(const struct panels *panels, size_t back);

/* The value so many steps ago, 0: of the last sample. NAN: not known. */
double panel_value(const struct panel *panel, size_t column, size_t back);

/* The nth metric group, from 1; NULL: there is none, or n is 0, which stands for all. */
const char *panels_group(const struct panels *panels, size_t n);

/* The next coarser scope with panels; after the coarsest, the finest. */
enum scope panels_next_scope(const struct panels *panels, enum scope scope);

/* The finest scope, from this one on, whose panels know a metric of a group; this one: none does.
 */
enum scope panels_scope_with(const struct panels *panels, enum scope scope, size_t group);

/*
 * Selects the panels of a scope, in the table's order or sorted by the traffic of their last ten
 * steps (unknown last). At most panels->count; returns how many.
 */
size_t panels_choose(const struct panels *panels, enum scope scope, bool by_traffic,
		     const struct panel **out);

/* Moves panels without traffic in their last ten steps behind the others. Returns how many have. */
size_t panels_fold_idle(const struct panels *panels, const struct panel **chosen, size_t count);

#endif
