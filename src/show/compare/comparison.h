/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparison of two recordings, A and B, row by row. Metrics are the same if their names and units
 * are equal. Rows are the same if their places have the same scope, name and numbers, whatever the
 * device behind a port. Values that were measured in different ways are not judged.
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
	/* the means differ no more than by chance; states: the last ones are equal */
	COMPARED_SAME,
	COMPARED_DIFFERS,
	COMPARED_TOO_SHORT,
	COMPARED_UNLIKE, /* the two do not measure the same */
	COMPARED_RAISED, /* reads of DRAM may have raised either value by an unknown amount */
	COMPARED_ABSENT, /* one side has no known value */
};

/* Position of all values of B relative to all of A: also told if chance cannot be excluded. */
enum range {
	/* overlapping ranges, fewer than two values on a side, or values that cannot be compared */
	RANGE_OVERLAPS,
	RANGE_ABOVE,
	RANGE_BELOW,
	RANGE_EQUAL, /* no two values differ by an amount that any output would show */
};

/* A metric (or an event) of a row that both recordings have; at least one has values. */
struct compared {
	const struct plotted *series[SIDES];
	enum compared_as verdict; /* verdict on the means */
	enum range range;
	unsigned states[SIDES]; /* last known states; 0 for other metrics */
	double p;		/* see holm_adjust(); NAN: not judged */
	double record_s;	/* COMPARED_TOO_SHORT: length that both must have; else NAN */
};

/* A row or metric that only one of the two recordings has. */
struct unmatched {
	enum side side;
	const struct row *row;	     /* NULL: all rows of the metric */
	const struct metric *metric; /* NULL: all metrics of the row */
};

/*
 * Reason why rows may not measure the same: "processor", "device" (the option), a metric's source.
 */
struct difference {
	const char *what;
	const char *of[SIDES];
};

/* One of the recordings; nothing is owned. */
struct compared_side {
	const char *name; /* name of its file */
	const struct report *report;
	const struct error *flaw; /* damage; code 0: none */
};

struct comparison {
	struct compared_side sides[SIDES];
	enum scope finest;	   /* finest scope of the rows */
	struct compared *compared; /* by metric, then by row; events follow */
	size_t compared_count;
	size_t judged, differ; /* pairs judged by their means, and those that differ */
	/* pairs of states, which have no mean, and those that differ */
	size_t states, states_differ;
	size_t apart; /* pairs for which compared_is_apart() is true */
	struct unmatched *unmatched;
	size_t unmatched_count;
	struct difference *differences;
	size_t difference_count;
	bool identical; /* both are the same recording */
};

/* Makes a comparison. Returns 0 or -ENOMEM. Freed by comparison_free(), also after failure. */
int comparison_make(const struct compared_side sides[SIDES], enum scope finest,
		    struct comparison *out);
void comparison_free(struct comparison *comparison);

/* condition.c: a change that makes a comparison fail: "cxl_read_latency_ns.p99>+10%". */

struct condition {
	const char *text;	    /* text of the condition, not owned */
	char name[EVENT_NAME_SIZE]; /* name of a metric or an event */
	enum statistic statistic;
	bool above;    /* B less A must be above the limit; false: below */
	bool relative; /* the limit is in percent of A; false: in the metric's unit */
	double limit;
};

/* Parses a condition. ERROR_USAGE: the message says what was expected. */
int condition_parse(const char *text, struct condition *out, struct error *err);

/* Checks the name of a condition. ERROR_USAGE: neither recording has such a metric or event. */
int condition_check(const struct condition *condition, const struct comparison *comparison,
		    struct error *err);

enum condition_state {
	CONDITION_OTHER, /* the pair is of another metric */
	CONDITION_FALSE,
	CONDITION_TRUE,
	CONDITION_UNKNOWN, /* one of the recordings has no value, or it was measured differently */
};

enum condition_state condition_of(const struct condition *condition, const struct compared *pair);

/* Writes "METRIC, ROW: p99 420.0 in B, 400.0 in A: +20.0 (+5.00 %)". Returns text. */
#define CONDITION_TEXT_SIZE 768
const char *condition_describe(const struct condition *condition, const struct compared *pair,
			       char text[CONDITION_TEXT_SIZE]);

/* compare_print.c: a comparison as text, for people and for programs. */

#define COMPARE_SCHEMA 1

/*
 * Prints unmatched rows, then all others by verdict and metric on 80 columns, and the method.
 * width: the columns of sentences; 0: they are not wrapped.
 */
void compare_table(const struct comparison *comparison, int width, FILE *out);

/* Prints a row for each metric, row and statistic. */
void compare_csv(const struct comparison *comparison, FILE *out);

/* Encodes a comparison as one object. NULL: out of memory. */
json_t *compare_json(const struct comparison *comparison);

/* compare_page.c: writes an HTML page like a report's, with both recordings in each chart. */
void compare_page(const struct comparison *comparison, FILE *out);

#endif
