/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares two recordings, A and B. A pair is a metric or an event of a row that A and B have.
 * Metrics match if their names and units are equal. Rows match if their scopes, names and numbers
 * are equal, even if the devices at a port differ.
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

/* Verdicts on a pair: on its means or, for states, on the last states of A and B. */
enum compared_as {
	COMPARED_SAME,	    /* the means do not differ by more than chance; the states are equal */
	COMPARED_DIFFERS,   /* the means or states differ */
	COMPARED_TOO_SHORT, /* a recording is too short to tell */
	COMPARED_UNLIKE,    /* both sides were measured in different ways: not judged */
	COMPARED_RAISED,    /* values may be too high, due to reads of DRAM: not judged */
	COMPARED_ABSENT,    /* one side has no known value */
};

/* Position of all values of B relative to all values of A, also if the means are not judged. */
enum range {
	/* ranges overlap, a side has fewer than two values, or the values cannot be compared */
	RANGE_OVERLAPS,
	RANGE_ABOVE, /* all of B are above all of A */
	RANGE_BELOW, /* all of B are below all of A */
	RANGE_EQUAL, /* no two values differ by an amount that any output would show */
};

/* A pair. At least one side has values. */
struct compared {
	const struct plotted *series[SIDES]; /* values of A and B */
	enum compared_as verdict;
	enum range range;
	unsigned states[SIDES]; /* last known states (sums of bits); 0 for other metrics */
	double p; /* probability that chance makes the means differ so much; NAN: not judged */
	double record_s; /* COMPARED_TOO_SHORT: least seconds to record; NAN: unknown, or not too
			    short */
};

/* A row or a metric that only one recording has. */
struct unmatched {
	enum side side;		     /* the recording that has it */
	const struct row *row;	     /* NULL: all rows of .metric */
	const struct metric *metric; /* NULL: all metrics of .row */
};

/* A difference between the recordings that may make them incomparable. */
struct difference {
	const char *what;      /* "processor", an option, or a metric (its source differs) */
	const char *of[SIDES]; /* values on both sides */
};

/* One of the recordings; nothing is owned. */
struct compared_side {
	const char *name; /* name of the file */
	const struct report *report;
	const struct error *flaw; /* damage of the recording; .code 0: none */
};

/* The result. Points into the reports, which must stay valid. */
struct comparison {
	struct compared_side sides[SIDES];
	enum scope finest;	   /* finest scope of the rows */
	struct compared *compared; /* pairs by metric, then by row; events follow */
	size_t compared_count;
	size_t judged,
		differ; /* numbers of pairs whose means were judged, and whose means differ */
	size_t states, states_differ; /* numbers of pairs of states, and of differing ones */
	size_t apart; /* number of pairs that do not differ, but whose ranges do not overlap */
	struct unmatched *unmatched;
	size_t unmatched_count;
	struct difference *differences;
	size_t difference_count;
	bool identical; /* A and B are the same recording */
};

/*
 * Compares two recordings. finest: finest scope of rows; finer rows are left out. Returns 0 or
 * -ENOMEM. Freed by comparison_free(), also after failure.
 */
int comparison_make(const struct compared_side sides[SIDES], enum scope finest,
		    struct comparison *out);
void comparison_free(struct comparison *comparison);

/* condition.c: a condition under which a comparison fails: "cxl_read_latency_ns.p99>+10%". */

struct condition {
	const char *text;	    /* text of the condition, not owned */
	char name[EVENT_NAME_SIZE]; /* name of a metric or an event */
	enum statistic statistic;
	bool above;    /* true if B - A is above the limit; false: below */
	bool relative; /* .limit is in percent of A; false: in the metric's unit */
	double limit;
};

/* Parses a condition. text must stay valid. Returns 0 or -EINVAL (ERROR_USAGE). */
int condition_parse(const char *text, struct condition *out, struct error *err);

/*
 * Checks the name of a condition. Returns 0 or -EINVAL (ERROR_USAGE): neither recording has such a
 * metric or event, or it is a metric of states.
 */
int condition_check(const struct condition *condition, const struct comparison *comparison,
		    struct error *err);

/* Results of condition_of(). */
enum condition_state {
	CONDITION_OTHER, /* the condition is on another metric or event */
	CONDITION_FALSE,
	CONDITION_TRUE,
	CONDITION_UNKNOWN, /* a side has no value, or COMPARED_UNLIKE or COMPARED_RAISED */
};

/* Returns the state of a condition for a pair. A difference due to chance counts too. */
enum condition_state condition_of(const struct condition *condition, const struct compared *pair);

/* Writes "METRIC, ROW: p99 is 400.0 in A, 420.0 in B: +20.0 (+5.00 %)". Returns text. */
#define CONDITION_TEXT_SIZE 768
const char *condition_describe(const struct condition *condition, const struct compared *pair,
			       char text[CONDITION_TEXT_SIZE]);

/* compare_print.c: prints a comparison for people and for programs. */

#define COMPARE_SCHEMA 1

/*
 * Prints, for people, unmatched rows, then pairs by verdict and metric, and the method. Tables have
 * 80 columns. width: columns to wrap sentences at; 0: they are not wrapped.
 */
void compare_table(const struct comparison *comparison, int width, FILE *out);

/* Prints CSV: a row for each metric, row and statistic. */
void compare_csv(const struct comparison *comparison, FILE *out);

/* Returns a comparison as one object, to be released by json_decref(); NULL: out of memory. */
json_t *compare_json(const struct comparison *comparison);

/* compare_page.c: prints an HTML page like a report's, with both recordings in each chart. */
void compare_page(const struct comparison *comparison, FILE *out);

#endif
