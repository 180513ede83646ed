/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two recordings, A and B, row by row. Metrics are the same if their names and units are, and rows
 * if what they are about has the same scope, name and numbers, whatever the device behind a port.
 * What was measured in another way is not judged.
 */
#ifndef CXLMON_SHOW_COMPARE_COMPARISON_H
#define CXLMON_SHOW_COMPARE_COMPARISON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "show/page/plotted.h"
#include "table/table.h"

enum side { SIDE_A, SIDE_B, SIDES };

extern const char *const side_names[SIDES]; /* "A", "B" */

enum compared_as {
	/* the means differ by no more than chance would have it; of states: the last ones are the
	   same */
	COMPARED_SAME,
	COMPARED_DIFFERS,
	COMPARED_TOO_SHORT,
	COMPARED_UNLIKE, /* they don't measure the same */
	COMPARED_RAISED, /* reads of DRAM may have raised either, by what is not known */
	COMPARED_ABSENT, /* one of the two has no known value */
};

/* How all values of B lie to all of A: plain also where chance can't be excluded. */
enum range {
	RANGE_OVERLAPS, /* or either has fewer than two values, or they can't be compared */
	RANGE_ABOVE,
	RANGE_BELOW,
	RANGE_EQUAL, /* no value differs from another by what any output would show */
};

/* A metric (or an event) of a row that both have, and at least one has values of. */
struct compared {
	const struct plotted *series[SIDES];
	enum compared_as verdict; /* on the means */
	enum range range;
	unsigned states[SIDES]; /* of a state, the last ones known; else 0 */
	double p;		/* see holm_adjust(); NAN: not judged */
	double record_s;	/* COMPARED_TOO_SHORT: how long both must be; else NAN */
};

/* A row or metric that only one of the two recordings has. */
struct unmatched {
	enum side side;
	const struct row *row;	     /* NULL: all rows of the metric */
	const struct metric *metric; /* NULL: all of the row */
};

/* Why rows may not measure the same: "processor", "device" (the option), a metric's source. */
struct difference {
	const char *what;
	const char *of[SIDES];
};

/* One of the recordings; nothing is owned. */
struct compared_side {
	const char *name; /* of its file */
	const struct report *report;
	const struct error *flaw; /* its flaw; code 0: none */
};

struct comparison {
	struct compared_side sides[SIDES];
	enum scope finest;	   /* of the rows */
	struct compared *compared; /* by metric, then by row; then events */
	size_t compared_count;
	size_t judged, differ;	      /* of pairs, by their means */
	size_t states, states_differ; /* of pairs of states, which have no mean */
	size_t apart;		      /* see compared_is_apart() */
	struct unmatched *unmatched;
	size_t unmatched_count;
	struct difference *differences;
	size_t difference_count;
	bool identical; /* the same recording twice */
};

/* 0 or -ENOMEM. Freed by comparison_free(), also after failure. */
int comparison_make(const struct compared_side sides[SIDES], enum scope finest,
		    struct comparison *out);
void comparison_free(struct comparison *comparison);

/* condition.c: a change that makes a comparison fail: "cxl_read_latency_ns.p99>+10%". */

struct condition {
	const char *text;	    /* as it was given; not owned */
	char name[EVENT_NAME_SIZE]; /* of a metric or an event */
	enum statistic statistic;
	bool above;    /* B less A must be above the limit; else below */
	bool relative; /* the limit is in percent of A; else in the metric's unit */
	double limit;
};

/* ERROR_USAGE with a message that says what was expected. */
int condition_parse(const char *text, struct condition *out, struct error *err);

/* ERROR_USAGE: neither recording has such a metric or event. */
int condition_check(const struct condition *condition, const struct comparison *comparison,
		    struct error *err);

enum condition_state {
	CONDITION_OTHER, /* it is about another metric */
	CONDITION_FALSE,
	CONDITION_TRUE,
	CONDITION_UNKNOWN, /* one of the recordings has no value, or it was measured differently */
};

enum condition_state condition_of(const struct condition *condition, const struct compared *pair);

/* "METRIC, ROW: p99 420.0 in B, 400.0 in A: +20.0 (+5.00 %)". Returns text. */
#define CONDITION_TEXT_SIZE 768
const char *condition_describe(const struct condition *condition, const struct compared *pair,
			       char text[CONDITION_TEXT_SIZE]);

/* compare_print.c: a comparison as text, for people and for programs */

#define COMPARE_SCHEMA 1

/* A line for each metric and row, those first whose means differ; what only one has; the method. */
void compare_table(const struct comparison *comparison, FILE *out);

/* A row for each metric, row and statistic. */
void compare_csv(const struct comparison *comparison, FILE *out);

/* One object. NULL: out of memory. */
json_t *compare_json(const struct comparison *comparison);

/* compare_page.c: an HTML page like that of a report, with both recordings in each chart. */
void compare_page(const struct comparison *comparison, FILE *out);

#endif
