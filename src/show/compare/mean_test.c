/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/compare/compare_private.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define TRANSFORMS   40
#define MEMORIES     12 /* that a series must be as long as */
#define UNCORRELATED 2	/* samples of memory: white noise seems to have so much by chance */
#define MANY	     60 /* memories: enough also below MEAN_LEAST_CORRELATED */

/* How far the share of the lowest quarter may be above it, in squared standard deviations. */
#define QUARTER	       0.25
#define QUARTER_SPREAD 3.5

/* What the sums of many equal numbers may differ by, as a part of their mean. */
#define ROUNDING 1e-12

/* The deviations of known values from their mean. */
struct deviations {
	const double *values, *times;
	size_t count, known;
	double mean;
	double mean_weight; /* of a value; 0: the clock stood still */
};

static double seconds_of(const struct deviations *d, size_t i)
{
	return d->times[i] - (i ? d->times[i - 1] : 0);
}

/* 0 for an unknown value. */
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
 * How much of itself a sample carries over to the next one: the correlation of neighbours, which is
 * too small by (1 + 3 x correlation) / n in a short series (M. G. Kendall, Biometrika 41, 1954).
 * Never negative, nor so large that the memory were more than the series.
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

/*
 * The square of a cosine transform, of n / 2 a unit of variance; sine: that of half its frequency.
 * Cosines by the recurrence of C. Reinsch, divided by the cosine of that angle.
 */
static double transform_of(const struct deviations *d, double sine)
{
	double cosine = 1, step = 0, sum = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (isnan(d->values[i]))
			continue;
		sum += cosine * deviation_of(d, i);
		step -= 4 * sine * sine * cosine;
		cosine += step;
	}
	return sum * sum * (1 - sine * sine);
}

/*
 * Adds up the flattened transforms. The error of the correlation, by which those at higher
 * frequencies are multiplied, takes degrees of freedom (by the delta method).
 */
static void add_transforms(const struct deviations *d, struct mean_estimate *out)
{
	const double n = (double)d->known, carried = correlation_of(d);
	const double steepness = 4 * carried / ((1 - carried) * (1 - carried));
	const size_t quarter = d->known / 12 < TRANSFORMS / 4 ? d->known / 12 : TRANSFORMS / 4;
	const double transforms = 4 * (double)quarter;
	double flattened = 0;

	out->memory = (1 + carried) / (1 - carried);
	for (size_t i = 1; i <= 4 * quarter; i++) {
		const double half = sin(M_PI * (double)i / (2 * n));
		const double factor = 1 + steepness * half * half;

		flattened += (1 - 1 / factor) / transforms;
		out->variance += factor * transform_of(d, half) * 2 / n / n / transforms;
		if (i == quarter)
			out->low = out->variance;
	}
	out->freedom = 1 / (1 / transforms + 2 * flattened * flattened * out->memory / n);
}

struct mean_estimate mean_estimate_make(const double *values, const double *times, size_t count)
{
	const struct deviations d = deviations_make(values, times, count);
	const double length = count ? times[count - 1] : 0;
	struct mean_estimate out = {.mean = d.mean, .memory = 1, .samples = d.known};

	out.spacing = d.known && length > 0 ? length / (double)d.known : 1;
	if (d.known < MEAN_LEAST_SAMPLES)
		return out;
	if (is_constant(&d))
		out.freedom = TRANSFORMS;
	else
		add_transforms(&d, &out);
	/* sums of the largest numbers overflow */
	if (!isfinite(out.mean) || !isfinite(out.variance))
		out.freedom = 0;
	return out;
}

/*
 * The probability that |t| is larger, with this number of degrees of freedom, rounded down to an
 * even one: for these it is a finite sum, and a little too large. Source: Abramowitz and Stegun,
 * 26.7.4, with the sine and cosine of theta = atan(t / sqrt(freedom)).
 */
static double student_p(double t_squared, double freedom)
{
	const unsigned even = 2 * (unsigned)(freedom / 2);
	const double cosine_squared = even / (even + t_squared);
	double term = 1, sum = 1;

	for (unsigned i = 1; i < even / 2; i++) {
		term *= cosine_squared * (2 * i - 1) / (2 * i);
		sum += term;
	}
	return fmax(0, 1 - sqrt(1 - cosine_squared) * sum);
}

/* By Welch and Satterthwaite: of the ratio of variances, whose squares might overflow. */
static double common_freedom(double wide, double wide_freedom, double narrow, double narrow_freedom)
{
	const double ratio = narrow / wide;

	return (1 + ratio) * (1 + ratio) / (1 / wide_freedom + ratio * ratio / narrow_freedom);
}

/* How long e must be beside another series: in seconds. */
static double needed_length(const struct mean_estimate *e, const struct mean_estimate *other)
{
	/* what one has by chance only, the other shows: both may have recorded the same load */
	const double memory =
		fmax(e->memory, 1 + (other->memory - 1) * other->spacing / e->spacing);
	double samples = fmax(MEAN_LEAST_SAMPLES, MEMORIES * memory);

	if (memory > UNCORRELATED)
		samples = fmax(samples, fmin(MEAN_LEAST_CORRELATED, MANY * memory));
	if (e->freedom > 0 && !(e->variance > 0) && e->mean != other->mean)
		samples = fmax(samples, MEAN_LEAST_CONSTANT);
	return samples * e->spacing;
}

static double length_of(const struct mean_estimate *e)
{
	return (double)e->samples * e->spacing;
}

/* Weighs both by how much each adds to the variance of the difference. */
static bool means_drift(const struct mean_estimate *wide, const struct mean_estimate *narrow)
{
	const double freedom =
		common_freedom(wide->variance, wide->freedom, narrow->variance, narrow->freedom);
	const double share = (wide->low / wide->variance + narrow->low / wide->variance) /
			     (1 + narrow->variance / wide->variance);
	const double above = share - QUARTER;

	/* that of a beta distribution */
	return above > 0 &&
	       above * above > QUARTER_SPREAD * QUARTER * (1 - QUARTER) * 2 / (freedom + 2);
}

/*
 * The same load has the same spectrum: the shorter one, which might have met few of its changes,
 * has at least that of the longer.
 */
static struct mean_estimate widened_estimate(const struct mean_estimate *e,
					     const struct mean_estimate *other)
{
	struct mean_estimate out = *e;
	const double ratio = length_of(other) / length_of(e);

	if (ratio > 1 && other->variance * ratio > e->variance) {
		out.variance = other->variance * ratio;
		out.freedom = other->freedom;
	}
	return out;
}

static double difference_p(const struct mean_estimate *a, const struct mean_estimate *b)
{
	const struct mean_estimate one = widened_estimate(a, b), two = widened_estimate(b, a);
	const struct mean_estimate *wide = one.variance > two.variance ? &one : &two;
	const struct mean_estimate *narrow = wide == &one ? &two : &one;
	const double difference = a->mean - b->mean, ratio = narrow->variance / wide->variance;

	return student_p(
		difference / wide->variance * difference / (1 + ratio),
		common_freedom(wide->variance, wide->freedom, narrow->variance, narrow->freedom));
}

double mean_test(const struct mean_estimate *a, const struct mean_estimate *b, double *needed_s)
{
	const struct mean_estimate *wide = a->variance > b->variance ? a : b;
	const struct mean_estimate *narrow = wide == a ? b : a;
	const double needed_a = needed_length(a, b), needed_b = needed_length(b, a);

	*needed_s = 0;
	/* not quite: a length is a sum of intervals */
	if (needed_a > length_of(a) * (1 + ROUNDING))
		*needed_s = needed_a;
	if (needed_b > length_of(b) * (1 + ROUNDING))
		*needed_s = fmax(*needed_s, needed_b);
	if (*needed_s > 0 || !(a->freedom > 0 && b->freedom > 0))
		return NAN;
	if (!(wide->variance > 0))
		return a->mean != b->mean ? 0 : 1;
	if (!means_drift(wide, narrow))
		return difference_p(a, b);
	*needed_s = length_of(wide) / QUARTER;
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
