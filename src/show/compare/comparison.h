/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares two recordings, A and B, row by row and metric by metric. Metrics are the same if their
 * names and units are equal. Rows are the same if their places have the same scope, name and
 * numbers, whatever the device behind a port. Pairs of values that were measured in different ways
 * are not judged.
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

/* Verdicts on a pair. */
enum compared_as {
	/* the means do not differ by more than chance; states: the last ones are equal */
	COMPARED_SAME,
	COMPARED_DIFFERS,   /* the means differ, or the last states */
	COMPARED_TOO_SHORT, /* a recording is too short to tell */
	COMPARED_UNLIKE,    /* the two sides do not measure the same */
	COMPARED_RAISED,    /* reads of DRAM may have raised either value by an unknown amount */
	COMPARED_ABSENT,    /* one side has no known value */
};

/*
 * Position of all values of B relative to all of A. It is known even if the means are not judged.
 */
enum range {
	/* overlapping ranges, fewer than two values on a side, or values that cannot be compared */
	RANGE_OVERLAPS,
	RANGE_ABOVE, /* all of B are above all of A */
	RANGE_BELOW, /* all of B are below all of A */
	RANGE_EQUAL, /* no two values differ by an amount that any output would show */
};

/* A pair: a metric or an event of a row that both recordings have. At least one has values. */
struct compared {
	const struct plotted *series[SIDES]; /* values of A and B */
	enum compared_as verdict;	     /* verdict on the means, or on states */
	enum range range;
	unsigned states[SIDES]; /* last known states, sums of bits; 0 for other metrics */
	double p; /* probability after holm_adjust(); NAN: the means were not judged */
	/*
	 * COMPARED_TOO_SHORT: seconds that both recordings must have; NAN: unknown, or another
	 * verdict
	 */
	double record_s;
};

/* A row or a metric that only one of the two recordings has. */
struct unmatched {
	enum side side;		     /* the recording that has it */
	const struct row *row;	     /* NULL: all rows of .metric */
	const struct metric *metric; /* NULL: all metrics of .row */
};

/* A difference between the recordings that may make rows incomparable. */
struct difference {
	/* "processor", the name of an option, or a metric whose source differs */
	const char *what;
	const char *of[SIDES]; /* the value on each side */
};

/* One of the recordings; nothing is owned. */
struct compared_side {
	const char *name; /* name of the file */
	const struct report *report;
	const struct error *flaw; /* damage of the recording; code 0: none */
};

/* The result. It points into the reports, which must outlive it. */
struct comparison {
	struct compared_side sides[SIDES];
	enum scope finest;	   /* finest scope of the rows */
	struct compared *compared; /* pairs by metric, then by row; events follow */
	size_t compared_count;
	size_t judged, differ; /* number of pairs judged by their means, and of those that differ */
	/* number of pairs of states, which have no mean, and of those that differ */
	size_t states, states_differ;
	size_t apart; /* number of pairs for which compared_is_apart() is true */
	struct unmatched *unmatched;
	size_t unmatched_count;
	struct difference *differences;
	size_t difference_count;
	bool identical; /* A and B are the same recording */
};

/*
 * Makes a comparison of rows of the scope finest and coarser ones. Returns 0 or -ENOMEM. Freed by
 * comparison_free(), also after failure.
 */
int comparison_make(const struct compared_side sides[SIDES], enum scope finest,
		    struct comparison *out);
void comparison_free(struct comparison *comparison);

/* condition.c: a condition under which a comparison fails: "cxl_read_latency_ns.p99>+10%". */

struct condition {
	const char *text;	    /* text of the condition, not owned */
	char name[EVENT_NAME_SIZE]; /* name of a metric or an event */
	enum statistic statistic;
	bool above;    /* B less A must be above the limit; false: below */
	bool relative; /* the limit is in percent of A; false: in the metric's unit */
	double limit;
};

/*
 * Parses a condition. text must outlive *out. Returns 0 or -EINVAL, ERROR_USAGE: the message says
 * what was expected.
 */
int condition_parse(const char *text, struct condition *out, struct error *err);

/*
 * Checks the name of a condition. ERROR_USAGE (-EINVAL): neither recording has such a metric or
 * event, or it is a metric of states.
 */
int condition_check(const struct condition *condition, const struct comparison *comparison,
		    struct error *err);

/* Results of condition_of(). */
enum condition_state {
	CONDITION_OTHER, /* the pair is of another metric */
	CONDITION_FALSE, /* the values do not differ as much */
	CONDITION_TRUE,
	CONDITION_UNKNOWN, /* one of the recordings has no value, or it was measured differently */
};

/* Returns the state of a condition for a pair, without regard to chance. */
enum condition_state condition_of(const struct condition *condition, const struct compared *pair);

/* Writes "METRIC, ROW: p99 is 400.0 in A, 420.0 in B: +20.0 (+5.00 %)". Returns text. */
#define CONDITION_TEXT_SIZE 768
const char *condition_describe(const struct condition *condition, const struct compared *pair,
			       char text[CONDITION_TEXT_SIZE]);

/* compare_print.c: prints a comparison for people and for programs. */

#define COMPARE_SCHEMA 1

/*
 * Prints, for people, unmatched rows, then pairs by verdict and metric on 80 columns, and the
 * method. width: columns of sentences; 0: they are not wrapped.
 */
void compare_table(const struct comparison *comparison, int width, FILE *out);

/* Prints CSV: a row for each metric, row and statistic. */
void compare_csv(const struct comparison *comparison, FILE *out);

/* Returns a comparison as one object, to be released by json_decref(); NULL: out of memory. */
json_t *compare_json(const struct comparison *comparison);

/* compare_page.c: prints an HTML page like a report's, with both recordings in each chart. */
void compare_page(const struct comparison *comparison, FILE *out);

#endif
