/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is shown of a machine: rows (ports, sockets, the system) by columns (metrics). Set up once:
 * the view knows which events it needs, and which slots of the plan each value is made of. Metrics
 * are computed here and nowhere else; outputs only print them.
 */
#ifndef CXLMON_VIEW_H
#define CXLMON_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "poller/metric.h"
#include "poller/sample.h"
#include "uncore/machine.h"
#include "uncore/plan.h"

struct view_options {
	const char *groups;  /* comma separated names of metric groups, or "all" */
	enum scope finest;   /* rows of this scope and coarser ones */
	const char *sockets; /* number lists; NULL: all */
	const char *ports;
};

/* One cell of one row; number is NAN and text empty where it is not known. */
struct value {
	double number;
	const char *text;
};

struct row {
	enum scope scope;
	int socket;	      /* -1: does not apply */
	int port;	      /* likewise */
	const char *pci;      /* "0000:35:00.0"; empty where not known, as are these two */
	const char *memdev;   /* "mem0" */
	const char *node;     /* NUMA node */
	double interval_s;    /* the shortest time that any value of the row was counted */
	double counted_pct;   /* its share of the time that its events could have counted */
	struct value *values; /* by column */
};

struct view {
	const struct metric **columns;
	size_t column_count;
	struct row *rows; /* ports, then sockets, then the system */
	size_t row_count;
	struct request *requests; /* what the plan must count */
	size_t request_count;

	/* behind the cells: rows x columns */
	struct cell *cells;
	size_t *terms; /* indices of requests, and after view_bind() of slots */
	size_t term_count;
};

/*
 * Opens the units that the chosen metrics need, and nothing else. A port whose units can't be
 * opened is left out with a warning; where that leaves none, its error is returned. EXIT_USAGE
 * where a group is unknown or a selection matches nothing. Freed by view_free(), also after
 * failure.
 */
int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err);
void view_free(struct view *view);

/* The plan was made of view->requests. Call once. */
void view_bind(struct view *view, const struct plan *plan);

/* Computes every value of every row. */
void view_update(struct view *view, const struct sample *sample);

#endif
