/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to cxlmon compare: texts on pairs, pairs that are unlike, and the test of means. */
#ifndef CXLMON_SHOW_COMPARE_COMPARE_PRIVATE_H
#define CXLMON_SHOW_COMPARE_COMPARE_PRIVATE_H

#include "show/compare/comparison.h"

/* comparison.c: texts on a pair, as people read them */

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

/* compare_print.c: numbers and names for people */

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
 * mean_test.c: tests whether the means of two series of correlated samples differ: Student's t-test
 * of the means of 20 parts of each (batch means). These are independent if a part is long beside
 * the time for which samples resemble each other. By chance their variance may be too small: it is
 * at least that of single samples with the correlation of neighbours, and that of the other series.
 *
 * Sources: R. W. Conway, Management Science 10 (1963); J. von Neumann, Ann. Math. Statist. 12
 * (1941); S. Holm, Scand. J. Statist. 6 (1979).
 */

#define MEAN_PARTS	    20
#define MEAN_LEAST_SAMPLES  40	/* known ones */
#define MEAN_LEAST_CONSTANT 100 /* of a series that never changes, to differ from another */

/* Probability of a difference where there is none, of all that is compared together. */
#define TEST_LEVEL 0.05

struct mean_estimate {
	double mean;	 /* weighted by time */
	double variance; /* of the mean */
	double spread;	 /* sum of the squared deviations of the parts' means */
	double steps;	 /* sum of the squared differences of neighbouring parts' means */
	double memory;	 /* in samples: so many say as much as one independent one; 1 or more */
	double spacing;	 /* seconds a known sample */
	size_t samples;	 /* known ones */
	bool valid;	 /* enough known samples, and finite numbers */
};

/*
 * values: count numbers, or NAN where unknown; times: the ends of their intervals, ascending, the
 * first of which begins at 0. Allocates nothing.
 */
struct mean_estimate mean_estimate_make(const double *values, const double *times, size_t count);

/*
 * The probability of such a difference, or a larger one, if both recorded the same load. NAN: too
 * short to tell, and both series must be *needed_s seconds long at least; 0: not known how long. It
 * is too short where a series is not 12 times as long as the memory of either, or where parts
 * resemble the parts before them: a drift.
 */
double mean_test(const struct mean_estimate *a, const struct mean_estimate *b, double *needed_s);

/*
 * Holm's correction for so many tests at once: afterwards, what is below a level differs, and the
 * probability of one or more that do not is at most that level. Those that are NAN are no tests. 0
 * or -ENOMEM.
 */
int holm_adjust(double *p, size_t count);

#endif
