/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private header of cxlmon compare: texts about pairs, facts that make pairs incomparable, and the
 * test of means.
 */
#ifndef CXLMON_SHOW_COMPARE_COMPARE_PRIVATE_H
#define CXLMON_SHOW_COMPARE_COMPARE_PRIVATE_H

#include "show/compare/comparison.h"

/* comparison.c: texts about a pair, for people. */

/*
 * Returns the series of a pair whose metric has a title in words. If a machine could not measure a
 * metric, its recording has no such title.
 */
const struct plotted *compared_titled(const struct compared *pair);
#define HEADING_SIZE 128
/* Writes the heading of a pair's metric: "CXL read, MB/s". Returns text. */
const char *compared_heading(const struct compared *pair, char text[HEADING_SIZE]);

/*
 * Returns a pair's verdict as text: "differs", "same", "too short to tell", "measured differently",
 * "an estimate", "not in A" or "not in B".
 */
const char *compared_verdict(const struct compared *pair);

/* Returns the pair's range as text: "above", "below" or "equal"; "" for RANGE_OVERLAPS. */
const char *compared_range(const struct compared *pair);

/* Returns true if the ranges do not overlap, but the verdict is not COMPARED_DIFFERS. */
bool compared_is_apart(const struct compared *pair);

/*
 * Writes the verdict with its reason: "too short to tell: record at least 40 s". For states that
 * differ, writes both: "A: fine; B: to be replaced". Returns text.
 */
#define ADVICE_SIZE 544
const char *compared_advice(const struct compared *pair, char text[ADVICE_SIZE]);

/* Returns a statistic of B minus the same of A, in the metric's unit; NAN: one is unknown. */
double compared_difference(const struct compared *pair, enum statistic statistic);
/* Returns the same difference in percent of A; NAN: one is unknown, or A is 0. */
double compared_difference_pct(const struct compared *pair, enum statistic statistic);

/* Returns true if both recordings have the same interval of samples. */
bool comparison_same_interval(const struct comparison *comparison);

/* A sentence, for people, on how means are judged. */
extern const char comparison_method[];

/* unlike.c: finds .differences and .identical from .compared. Returns 0 or -ENOMEM. */
int unlike_find(struct comparison *comparison);

/*
 * Returns true if the sides of a pair were measured in different ways: on different processors, by
 * different sources or formulas, or as sums over different sockets, ports or devices.
 */
bool unlike_pair(const struct comparison *comparison, const struct compared *pair);

/* compare_print.c: numbers and names for people. */

/*
 * Writes the name, for people, of a metric or row that only one recording has: "CXL latency",
 * "socket 1". Returns text.
 */
#define UNMATCHED_SIZE 512
const char *compare_unmatched(const struct unmatched *unmatched, char text[UNMATCHED_SIZE]);

/* Numbers for people. NAN is written as "". */
#define COMPARED_NUMBER_SIZE 48

/* Writes a number. Returns text. */
const char *compared_value(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* Writes a number with its sign; 0 has none. */
const char *compared_signed(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* Writes percent: "+5.00". */
const char *compared_pct(double pct, char text[COMPARED_NUMBER_SIZE]);
/* Writes a probability: "0.012", "< 0.001". */
const char *compared_p(double p, char text[COMPARED_NUMBER_SIZE]);

/*
 * mean_test.c: tests whether the means of two series differ. Neighbouring samples of a series are
 * correlated, so a t-test of samples would find differences that chance explains. Instead, each
 * series is divided into 20 parts, and Student's t-test compares the means of these parts (batch
 * means). The memory of a series is the number of samples that tell as much as one independent
 * sample. Parts are long compared with it, so their means are nearly independent. The variance of a
 * mean is the highest of three:
 *
 * - from the means of parts
 * - from single samples and the memory
 * - from the other series, for the same length
 *
 * Sources: R. W. Conway, Management Science 10 (1963); J. von Neumann, Ann. Math. Statist. 12
 * (1941); S. Holm, Scand. J. Statist. 6 (1979).
 */

#define MEAN_PARTS	   20
#define MEAN_LEAST_SAMPLES 40 /* fewest known samples of a series for a test */
/* fewest known samples of a series whose values are all equal, if the means differ */
#define MEAN_LEAST_CONSTANT 100

/* Probability that any difference among all pairs of a comparison is found by chance. */
#define TEST_LEVEL 0.05

/* An estimated mean of a series. */
struct mean_estimate {
	double mean;	 /* weighted by time */
	double variance; /* variance of the mean */
	double spread;	 /* sum of the squared deviations of the parts' means from .mean */
	double steps;	 /* sum of the squared differences of neighbouring parts' means */
	double memory;	 /* in samples, at least 1 */
	double spacing;	 /* seconds per known sample */
	size_t samples;	 /* number of known samples */
	bool valid;	 /* .samples suffice, and all numbers are finite */
};

/*
 * Estimates the mean of a series. values: count numbers; NAN: unknown. times: the ends of their
 * intervals in seconds, ascending; the first interval begins at 0.
 */
struct mean_estimate mean_estimate_make(const double *values, const double *times, size_t count);

/*
 * Returns the probability that two series of the same load have means that differ at least as much.
 * NAN: cannot tell, because
 *
 * - a series has too few samples, or is shorter than 12 memories of either series
 * - the series drift: neighbouring parts are similar
 * - a mean or variance is not finite
 *
 * After NAN, *needed_s is the length in seconds that both series should have; 0: unknown.
 */
double mean_test(const struct mean_estimate *a, const struct mean_estimate *b, double *needed_s);

/*
 * Raises probabilities by Holm's method, because many tests find some differences by chance. p: the
 * probabilities of count tests. Afterwards, if each p below a level counts as a difference, the
 * probability of any false one is at most that level. NANs are not tests. Returns 0 or -ENOMEM.
 */
int holm_adjust(double *p, size_t count);

#endif
