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
#include "show/page/series.h"
#include "view/view.h"

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
	const struct series *series[SIDES];
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

#define HEADING_SIZE 128
/* As people read it: "CXL read, MB/s". */
const char *compared_heading(const struct compared *pair, char text[HEADING_SIZE]);

/* "differs", "same", "too short to tell", "measured differently", "an estimate"; "not in A" or "not
 * in B". */
const char *compared_verdict(const struct compared *pair);

/* "above", "below", "equal"; "": they overlap. */
const char *compared_range(const struct compared *pair);

/* Whether no value of one is among those of the other, but the means are not said to differ. */
bool compared_is_apart(const struct compared *pair);

/*
 * The verdict for people: "too short to tell: record at least 40 s", of a state "A: fine; B: to be
 * replaced", "all 60 values of B are above all 60 of A; too few independent values to exclude
 * chance: record at least 100 s". Returns text.
 */
#define ADVICE_SIZE 544
const char *compared_advice(const struct compared *pair, char text[ADVICE_SIZE]);

/* B less A, and as percent of A; NAN where one is not known, or A is 0. */
double compared_difference(const struct compared *pair, enum statistic statistic);
double compared_difference_pct(const struct compared *pair, enum statistic statistic);

/*
 * Whether samples have the same length in both: else those of the longer ones vary less, and have a
 * lower maximum, of the same load.
 */
bool comparison_same_interval(const struct comparison *comparison);

/* One sentence on how means are judged. */
extern const char comparison_method[];

/* unlike.c: fills .differences and .identical, after .compared. 0 or -ENOMEM. */
int unlike_find(struct comparison *comparison);

/*
 * Whether the pair doesn't measure the same: of different processors, counted by different sources,
 * computed by different formulas, or sums over different sockets, ports or devices.
 */
bool unlike_pair(const struct comparison *comparison, const struct compared *pair);

/* A change that makes a comparison fail: "cxl_read_latency_ns.p99>+10%". */

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

/* A comparison as text, for people and for programs. */

#define COMPARE_SCHEMA 1

/* A line for each metric and row, those first whose means differ; what only one has; the method. */
void compare_table(const struct comparison *comparison, FILE *out);

/* A row for each metric, row and statistic. */
void compare_csv(const struct comparison *comparison, FILE *out);

/* One object. NULL: out of memory. */
json_t *compare_json(const struct comparison *comparison);

/* An HTML page like that of a report, with both recordings in each chart. */
void compare_page(const struct comparison *comparison, FILE *out);

/* "metric hbm_read_MBps", "socket 1": what only one of the recordings has. Returns text. */
#define UNMATCHED_SIZE 512
const char *compare_unmatched(const struct unmatched *unmatched, char text[UNMATCHED_SIZE]);

/* Numbers for people: short whatever a recording has. Unknown ones are "". */
#define COMPARED_NUMBER_SIZE 48

/* Each returns text. */
const char *compared_value(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* With its sign; 0 has none. */
const char *compared_signed(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* "+5.00" */
const char *compared_pct(double pct, char text[COMPARED_NUMBER_SIZE]);
/* "0.012", "< 0.001" */
const char *compared_p(double p, char text[COMPARED_NUMBER_SIZE]);

/*
 * Tests whether the means of two series of correlated samples differ. The variance of a mean is the
 * spectrum at frequency 0, divided by the number of samples. It is estimated from the 40 lowest
 * cosine transforms of the series (equally weighted cosines), each an independent estimate, after
 * they are flattened by a first-order autoregression (prewhitening). Student's t, with the degrees
 * of freedom of Welch and Satterthwaite, does the rest.
 *
 * Sources: P. Heidelberger and P. D. Welch, Comm. ACM 24 (1981); U. K. Müller, J. Econometrics 141
 * (2007); E. Lazarus, D. J. Lewis, J. H. Stock, M. W. Watson, J. Bus. Econ. Stat. 36 (2018); for
 * prewhitening D. W. K. Andrews and J. C. Monahan, Econometrica 60 (1992); B. L. Welch, Biometrika
 * 34 (1947); S. Holm, Scand. J. Statist. 6 (1979).
 */

#define MEAN_LEAST_SAMPLES    40  /* known ones */
#define MEAN_LEAST_CONSTANT   100 /* of a series that never changes, to differ from another */
#define MEAN_LEAST_CORRELATED 300 /* enough if it remembers few of them */

/* Probability of a difference where there is none, of all that is compared together. */
#define TEST_LEVEL 0.05

struct mean_estimate {
	double mean;	 /* weighted by time */
	double variance; /* of the mean */
	double low;	 /* the part of the variance from the lowest quarter of the transforms */
	double freedom;	 /* degrees of freedom of the variance; 0: not known */
	double memory;	 /* in samples: so many say as much as one independent one; 1 or more */
	double spacing;	 /* seconds a known sample */
	size_t samples;	 /* known ones */
};

/*
 * values: count numbers, or NAN where unknown; times: the ends of their intervals, ascending, the
 * first of which begins at 0. Allocates nothing.
 */
struct mean_estimate mean_estimate_make(const double *values, const double *times, size_t count);

/*
 * The probability of such a difference, or a larger one, if both recorded the same load. NAN: too
 * short to tell, and both series must be *needed_s seconds long at least; 0: not known how long. It
 * is too short where a series is not 12 times as long as the memory of either, or where its slowest
 * changes are larger than faster ones.
 */
double mean_test(const struct mean_estimate *a, const struct mean_estimate *b, double *needed_s);

/*
 * Holm's correction for so many tests at once: afterwards, what is below a level differs, and the
 * probability of one or more that do not is at most that level. Those that are NAN are no tests. 0
 * or -ENOMEM.
 */
int holm_adjust(double *p, size_t count);

#endif
