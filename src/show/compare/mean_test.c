/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/compare/compare_private.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define MEMORIES 12 /* least length of a series, in its memories */
#define LONGER	 4  /* times as long, a drift may have ended */

/* Least correlation of the means of neighbouring parts that counts as a drift. */
#define MOST_CORRELATION 0.25

#define FREEDOM (2 * (MEAN_PARTS - 1)) /* even number */

/* Largest difference between sums of many equal numbers, as a part of their mean. */
#define ROUNDING 1e-12

/* Deviations of known values from their mean. */
struct deviations {
	const double *values, *times;
	size_t count, known;
	double mean;
	double mean_weight; /* weight of a value; 0: the clock did not advance */
};

static double seconds_of(const struct deviations *d, size_t i)
{
	return d->times[i] - (i ? d->times[i - 1] : 0);
}

/* Returns a deviation; 0 for an unknown value. */
static double deviation_of(const struct deviations *d, size_t i)
{
	const double weight = d->mean_weight > 0 ? seconds_of(d, i) / d->mean_weight : 1;

	return (d->values[i] - d->mean) * weight;
}

static struct deviations deviations_make(const double *values, const double *times, size_t count)
{
	struct deviations d = {.values = values, .times = times, .count = count};
	double seconds = 0, weighted = 0, sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (isnan(values[i]))
			continue;
		seconds += seconds_of(&d, i);
		weighted += values[i] * seconds_of(&d, i);
		sum += values[i];
		d.known++;
	}
	d.mean = seconds > 0 ? weighted / seconds : sum / (double)d.known;
	d.mean_weight = seconds / (double)d.known;
	return d;
}

static bool is_constant(const struct deviations *d)
{
	for (size_t i = 0; i < d->count; i++)
		if (fabs(d->values[i] - d->mean) > ROUNDING * fabs(d->mean))
			return false;
	return true;
}

/*
 * Returns the correlation of neighbours, corrected for a short series, in which it is too small by
 * (1 + 3 x correlation) / n (M. G. Kendall, Biometrika 41, 1954). It is never negative, and limited
 * so that the memory is not longer than the series.
 */
static double correlation_of(const struct deviations *d)
{
	const double n = (double)d->known;
	double squares = 0, products = 0, before = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (isnan(d->values[i]))
			continue;
		const double now = deviation_of(d, i);

		squares += now * now;
		products += now * before;
		before = now;
	}
	const double biased = products / squares;
	return fmin((n - 1) / (n + 1), fmax(0, biased + (1 + 3 * biased) / n));
}

/* Adds up the means of the parts, whose numbers of known samples differ by one at most. */
static void add_parts(const struct deviations *d, struct mean_estimate *out)
{
	double sums[MEAN_PARTS] = {0}, before = 0, squares = 0;
	size_t counts[MEAN_PARTS] = {0}, nth = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (isnan(d->values[i]))
			continue;
		const size_t part = nth++ * MEAN_PARTS / d->known;

		sums[part] += deviation_of(d, i);
		counts[part]++;
		squares += deviation_of(d, i) * deviation_of(d, i);
	}
	for (size_t part = 0; part < MEAN_PARTS; part++) {
		const double mean = sums[part] / (double)counts[part];

		out->spread += mean * mean;
		out->steps += part ? (mean - before) * (mean - before) : 0;
		before = mean;
	}
	const double carried = correlation_of(d), n = (double)d->known;

	out->memory = (1 + carried) / (1 - carried);
	out->variance = fmax(out->spread / (MEAN_PARTS * (MEAN_PARTS - 1)),
			     squares / (n * (n - 1)) * out->memory);
}

struct mean_estimate mean_estimate_make(const double *values, const double *times, size_t count)
{
	const struct deviations d = deviations_make(values, times, count);
	const double length = count ? times[count - 1] : 0;
	struct mean_estimate out = {.mean = d.mean, .memory = 1, .samples = d.known};

	out.spacing = d.known && length > 0 ? length / (double)d.known : 1;
	if (d.known < MEAN_LEAST_SAMPLES)
		return out;
	if (!is_constant(&d))
		add_parts(&d, &out);
	/* sums of the largest numbers overflow */
	out.valid = isfinite(out.mean) && isfinite(out.variance);
	return out;
}

/*
 * Returns the probability that |t| is larger: a finite sum for an even number of degrees of
 * freedom. Source: Abramowitz and Stegun, 26.7.4, with the sine and cosine of theta = atan(t /
 * sqrt(freedom)).
 */
static double student_p(double t_squared)
{
	const double cosine_squared = FREEDOM / (FREEDOM + t_squared);
	double term = 1, sum = 1;

	for (unsigned i = 1; i < FREEDOM / 2; i++) {
		term *= cosine_squared * (2 * i - 1) / (2 * i);
		sum += term;
	}
	return fmax(0, 1 - sqrt(1 - cosine_squared) * sum);
}

/* Returns how long e must be to be compared with another series, in seconds. */
static double needed_length(const struct mean_estimate *e, const struct mean_estimate *other)
{
	/*
	 * both may have recorded the same load: one may show a memory that the other hides by
	 * chance
	 */
	const double memory =
		fmax(e->memory, 1 + (other->memory - 1) * other->spacing / e->spacing);
	double samples = fmax(MEAN_LEAST_SAMPLES, MEMORIES * memory);

	if (e->valid && !(e->variance > 0) && e->mean != other->mean)
		samples = fmax(samples, MEAN_LEAST_CONSTANT);
	return samples * e->spacing;
}

static double length_of(const struct mean_estimate *e)
{
	return (double)e->samples * e->spacing;
}

/* Returns whether parts of both resemble the parts before them, by von Neumann's ratio. */
static bool means_drift(const struct mean_estimate *a, const struct mean_estimate *b)
{
	const double spread = a->spread + b->spread;

	return a->steps + b->steps < 2 * (1 - MOST_CORRELATION) * spread;
}

/* Returns the variance, at least as high as the other series shows for the same load. */
static double variance_beside(const struct mean_estimate *e, const struct mean_estimate *other)
{
	return fmax(e->variance, other->variance * length_of(other) / length_of(e));
}

double mean_test(const struct mean_estimate *a, const struct mean_estimate *b, double *needed_s)
{
	const double needed_a = needed_length(a, b), needed_b = needed_length(b, a);
	const double difference = a->mean - b->mean;
	const double variance = variance_beside(a, b) + variance_beside(b, a);

	*needed_s = 0;
	/* allows for rounding: a length is a sum of intervals */
	if (needed_a > length_of(a) * (1 + ROUNDING))
		*needed_s = needed_a;
	if (needed_b > length_of(b) * (1 + ROUNDING))
		*needed_s = fmax(*needed_s, needed_b);
	if (*needed_s > 0 || !a->valid || !b->valid)
		return NAN;
	if (!(variance > 0))
		return difference != 0 ? 0 : 1;
	if (!means_drift(a, b))
		return student_p(difference / variance * difference);
	*needed_s = LONGER * fmax(length_of(a), length_of(b));
	return NAN;
}

static int compare_p(const void *a, const void *b)
{
	const double x = **(const double *const *)a, y = **(const double *const *)b;

	return (x > y) - (x < y);
}

int holm_adjust(double *p, size_t count)
{
	double **sorted = malloc((count + 1) * sizeof(*sorted));
	size_t tests = 0;
	double least = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (!isnan(p[i]))
			sorted[tests++] = &p[i];
	qsort(sorted, tests, sizeof(*sorted), compare_p);
	for (size_t i = 0; i < tests; i++) {
		least = fmax(least, fmin(1, *sorted[i] * (double)(tests - i)));
		*sorted[i] = least;
	}
	free(sorted);
	return 0;
}
