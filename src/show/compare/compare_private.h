/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private header of cxlmon compare: texts about pairs (a row and metric of both recordings), facts
 * that make pairs incomparable, and the test of means.
 */
#ifndef CXLMON_SHOW_COMPARE_COMPARE_PRIVATE_H
#define CXLMON_SHOW_COMPARE_COMPARE_PRIVATE_H

#include "show/compare/comparison.h"

/* comparison.c: texts about a pair, for people. */

#define HEADING_SIZE 128
/* Writes the heading of a pair's metric: "CXL read, MB/s". Returns text. */
const char *compared_heading(const struct compared *pair, char text[HEADING_SIZE]);

/*
 * Returns a pair's verdict as text: "differs", "same", "too short to tell", "measured differently",
 * "an estimate", "not in A" or "not in B".
 */
const char *compared_verdict(const struct compared *pair);

/*
 * Returns the position of B's values as text: "above", "below" or "equal"; "": see RANGE_OVERLAPS.
 */
const char *compared_range(const struct compared *pair);

/*
 * Returns true if all values of one side are above the other's, although the means are not judged
 * to differ.
 */
bool compared_is_apart(const struct compared *pair);

/*
 * Writes the verdict with its reason: "too short to tell: record at least 40 s"; "A: fine; B: to be
 * replaced" for a state; "all 60 values of B are above all 60 of A; too few independent values to
 * exclude chance: record at least 100 s". Returns text.
 */
#define ADVICE_SIZE 544
const char *compared_advice(const struct compared *pair, char text[ADVICE_SIZE]);

/*
 * Return the statistic of B minus that of A, in the metric's unit and in percent of A. NAN: one is
 * unknown; in percent also if A is 0.
 */
double compared_difference(const struct compared *pair, enum statistic statistic);
double compared_difference_pct(const struct compared *pair, enum statistic statistic);

/*
 * Returns true if both recordings have the same interval. Otherwise the longer samples vary less,
 * and have a lower maximum, for the same load.
 */
bool comparison_same_interval(const struct comparison *comparison);

/* A sentence that tells people how means are judged. */
extern const char comparison_method[];

/* unlike.c: sets .differences and .identical; .compared must be set. Returns 0 or -ENOMEM. */
int unlike_find(struct comparison *comparison);

/*
 * Returns true if the two sides of a pair do not measure the same: they are of different
 * processors, counted by different sources, computed by different formulas, or summed over
 * different sockets, ports or devices.
 */
bool unlike_pair(const struct comparison *comparison, const struct compared *pair);

/* compare_print.c: numbers and names for people. */

/*
 * Writes the name of a metric or row that only one recording has: "metric hbm_read_MBps", "socket
 * 1". Returns text.
 */
#define UNMATCHED_SIZE 512
const char *compare_unmatched(const struct unmatched *unmatched, char text[UNMATCHED_SIZE]);

/* Size of numbers for people, which are short for any value of a recording. NAN is "". */
#define COMPARED_NUMBER_SIZE 48

/* Writes a number. Returns text. */
const char *compared_value(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* Writes a number with its sign; 0 has none. */
const char *compared_signed(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* Writes percent: "+5.00" */
const char *compared_pct(double pct, char text[COMPARED_NUMBER_SIZE]);
/* Writes a probability: "0.012", "< 0.001" */
const char *compared_p(double p, char text[COMPARED_NUMBER_SIZE]);

/*
 * mean_test.c: tests whether the means of two series of correlated samples differ: Student's t-test
 * of the means of 20 parts of each (batch means). The parts are independent if they are long
 * compared with the time for which samples resemble each other. Their variance may be too small by
 * chance, so it is raised to the variance of single samples with the correlation of neighbours, and
 * to that of the other series.
 *
 * Sources: R. W. Conway, Management Science 10 (1963); J. von Neumann, Ann. Math. Statist. 12
 * (1941); S. Holm, Scand. J. Statist. 6 (1979).
 */

#define MEAN_PARTS	   20
#define MEAN_LEAST_SAMPLES 40 /* known samples */
/* fewest samples of a constant series that may differ from another */
#define MEAN_LEAST_CONSTANT 100

/* Probability of any false difference among all pairs that are compared together. */
#define TEST_LEVEL 0.05

/* A mean, and how exactly it is known. */
struct mean_estimate {
	double mean;	 /* weighted by time */
	double variance; /* variance of the mean */
	double spread;	 /* sum of the squared deviations of the parts' means */
	double steps;	 /* sum of the squared differences of neighbouring parts' means */
	/* number of samples that tell as much as one independent sample, 1 or more */
	double memory;
	double spacing; /* seconds per known sample */
	size_t samples; /* known samples */
	bool valid;	/* there are enough known samples, and the numbers are finite */
};

/*
 * Estimates a mean. values: count numbers, NAN if unknown. times: the ends of their intervals in
 * seconds, ascending; the first interval begins at 0. Allocates nothing.
 */
struct mean_estimate mean_estimate_make(const double *values, const double *times, size_t count);

/*
 * Returns the probability of such a difference of means, or a larger one, if both series are of the
 * same load. NAN: they are too short to tell. Then *needed_s is the seconds that both must have at
 * least, or 0 if unknown. A series is too short if it is not 12 times as long as the memory of
 * either, or if its parts resemble the parts before them (a drift).
 */
double mean_test(const struct mean_estimate *a, const struct mean_estimate *b, double *needed_s);

/*
 * Corrects the probabilities p of count tests for being made together, in place, by Holm's method:
 * if each p below a level is called a difference, the probability of any false one is at most that
 * level. NANs are not tests. Returns 0 or -ENOMEM.
 */
int holm_adjust(double *p, size_t count);

#endif
