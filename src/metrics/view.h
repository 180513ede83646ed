/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is shown of a machine: rows (CPUs, ports, sockets, the system) by columns (metrics), or a
 * row an event and unit. Set up once: the view knows which events it needs, and which slots of the
 * plan each value is made of. Values are computed here and nowhere else; outputs only print them.
 */
#ifndef CXLMON_VIEW_H
#define CXLMON_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "events/event_list.h"
#include "metrics/metric.h"
#include "plan/plan.h"
#include "poller/sample.h"
#include "uncore/machine.h"

/* How the latencies of several tiers share the one counter of a CHA that can measure one. */
enum latency_policy {
	LATENCY_SPATIAL, /* each tier on its own part of the CHAs, which moves on once a second */
	LATENCY_ROTATE,	 /* each tier on all CHAs, in turns */
};

struct view_options {
	const char *groups;  /* comma separated names of metric groups, or "all" */
	enum scope finest;   /* rows of this scope and coarser ones */
	const char *sockets; /* number lists; NULL: all */
	const char *ports;
	const char *devices; /* names of memory devices behind ports, comma separated; NULL: all */
	const char *nodes;   /* number list of their NUMA nodes; NULL: all */
	enum latency_policy latency;
	const struct event_choice *events; /* instead of metrics, where there are any */
	size_t event_count;
};

/* One cell of one row; number is NAN and text empty where it is not known. */
struct value {
	double number;
	const char *text; /* the source of a number, or the text of a column that has texts */
	bool scaled;	  /* its events did not count all the time, but took turns with others */
	double seconds;	  /* that it stands for; NAN where the number is */
};

struct row {
	enum scope scope;
	int socket;	      /* -1: does not apply */
	int port;	      /* likewise */
	int cpu;	      /* likewise */
	const char *pci;      /* of the device behind a port: "0000:35:00.0"; empty: not known */
	const char *memdev;   /* its name, "mem0"; likewise */
	int node;	      /* NUMA node of its memory; -1: not known */
	double interval_s;    /* the shortest time that the units of the row counted */
	double counted_pct;   /* the smallest share of it that any value was counted */
	struct value *values; /* by column */

	/* of an event */
	const struct unit *unit;
	const struct event *event;
	double count, per_s; /* in the whole interval; NAN: not known */
};

struct view {
	const char *model; /* short name of the processor: "spr" */
	bool by_event;	   /* rows are events, and there are no columns */
	const struct metric **columns;
	size_t column_count;
	size_t *source_column; /* by column: that of the number whose source it shows */
	struct row *rows;      /* the finest first, the system last */
	size_t row_count;
	struct request *requests; /* what the plan must count */
	size_t request_count;
	unsigned long suspects; /* values beyond what the hardware can do, which were not shown */
	unsigned long doubts;	/* values that a second opinion did not confirm */
	double opinions[2];	/* the first such value, and the other opinion of it */

	/* behind the cells */
	struct expression *expressions; /* rows x columns x ways to make a metric */
	size_t *terms;			/* indices of requests, and after view_bind() of slots */
	size_t term_count, term_room;
};

/*
 * Opens the units that the chosen metrics need, and nothing else. A port or unit that doesn't
 * answer is left out with a warning; where that leaves none, its error is returned. EXIT_USAGE
 * where a group is unknown, a selection matches nothing or an event's unit isn't there;
 * EXIT_NO_UNIT where the machine has no CXL port and only ports were asked for;
 * machine.uncore_error where more than the CPUs was asked for, and nothing else can be had. Freed
 * by view_free(), also after failure.
 */
int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err);
void view_free(struct view *view);

/* Whether the list names metric groups; EXIT_USAGE names the one that is none. */
int view_check_groups(const char *groups, struct error *err);

/* The plan was made of view->requests. Call once. */
void view_bind(struct view *view, const struct plan *plan);

/* Computes every value of every row. */
void view_update(struct view *view, const struct sample *sample);

#endif
