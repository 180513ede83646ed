/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare/batch_means.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "platform/number.h"

/*
 * Of neighbouring means. It is estimated from few, with a standard deviation of 0.2 and more: a
 * lower limit would refuse more of what can be judged, and half of that is added to what is
 * accepted. Tried with autoregressive series: of 12 independent rows at once, less than 7 % have
 * one that is judged different and is not, however short a series is beside its memory.
 */
#define MAX_CORRELATION	   0.3
#define CORRELATION_MARGIN 0.1

/* Of a mean: what the sums of many numbers that are all the same may differ by. */
#define ROUNDING 1e-12

/* Ever fewer, longer batches; the last must be BATCH_LEAST. */
static const size_t batch_counts[] = {BATCH_MOST, 16, 12, BATCH_LEAST};

#define BATCH_COUNTS (sizeof(batch_counts) / sizeof(batch_counts[0]))

static size_t count_known(const double *values, size_t count)
{
	size_t known = 0;

	for (size_t i = 0; i < count; i++)
		known += !isnan(values[i]);
	return known;
}

struct batch {
	double weighted, seconds;
	double sum; /* for the mean of values that take no time */
	size_t count;
};

static double mean_of(const struct batch *batch)
{
	return batch->seconds > 0 ? batch->weighted / batch->seconds
				  : batch->sum / (double)batch->count;
}

/* As many known values in each batch, but for one. */
static void fill_batches(const double *values, const double *times, size_t count, size_t known,
			 struct batch *batches, size_t batch_count)
{
	size_t nth = 0;

	for (size_t i = 0; i < count; i++) {
		const double seconds = times[i] - (i ? times[i - 1] : 0);

		if (isnan(values[i]))
			continue;
		struct batch *batch = &batches[nth++ * batch_count / known];
		batch->weighted += values[i] * seconds;
		batch->seconds += seconds;
		batch->sum += values[i];
		batch->count++;
	}
}

/* As of independent means; *correlation is that of neighbours. */
static struct batch_means combine(const struct batch *batches, size_t count, double *correlation)
{
	double squares = 0, products = 0, sum = 0, before = 0, largest = 0;

	for (size_t i = 0; i < count; i++)
		sum += mean_of(&batches[i]);
	const double mean = sum / (double)count;
	for (size_t i = 0; i < count; i++) {
		const double deviation = mean_of(&batches[i]) - mean;

		squares += deviation * deviation;
		products += deviation * before;
		before = deviation;
		largest = max_double(largest, fabs(deviation));
	}
	/* the mean itself is rounded: all deviations may be the same, and look correlated */
	if (largest <= ROUNDING * fabs(mean))
		squares = 0;
	/* of independent means it would be -1/count on average: their deviations add up to 0 */
	*correlation = squares > 0 ? products / squares + 1 / (double)count : 0;
	return (struct batch_means){
		.mean = mean,
		.variance = squares / (double)(count - 1) / (double)count,
		.freedom = (double)(count - 1),
	};
}

/* Each mean remembers so much of the one before: they say as much as fewer independent ones. */
static void allow_for(double correlation, struct batch_means *means)
{
	const double part = (1 - correlation) / (1 + correlation);

	means->variance /= part;
	means->freedom = (means->freedom + 1) * part - 1;
}

struct batch_means batch_means_make(const double *values, const double *times, size_t count)
{
	const size_t known = count_known(values, count);

	for (size_t i = 0; known >= BATCH_MIN_SAMPLES && i < BATCH_COUNTS; i++) {
		struct batch batches[BATCH_MOST] = {{0}};
		double correlation;

		fill_batches(values, times, count, known, batches, batch_counts[i]);
		struct batch_means means = combine(batches, batch_counts[i], &correlation);
		/* sums of the largest numbers overflow */
		if (!isfinite(means.mean) || !isfinite(means.variance))
			break;
		if (correlation > MAX_CORRELATION)
			continue;
		allow_for(max_double(0, correlation + CORRELATION_MARGIN), &means);
		return means;
	}
	return (struct batch_means){.freedom = 0};
}

/* Of a number from 0 to 1, by Newton's method, from above. */
static double square_root(double number)
{
	double root = 1, next = (1 + number) / 2;

	while (next < root) {
		root = next;
		next = (root + number / root) / 2;
	}
	return number > 0 ? root : 0;
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
	return max_double(0, 1 - square_root(1 - cosine_squared) * sum);
}

double welch_p(const struct batch_means *a, const struct batch_means *b)
{
	const struct batch_means *wide = a->variance > b->variance ? a : b;
	const struct batch_means *narrow = wide == a ? b : a;
	const double difference = a->mean - b->mean;

	if (!(a->freedom > 0 && b->freedom > 0))
		return NAN;
	if (!(wide->variance > 0))
		return difference != 0 ? 0 : 1;
	/* by Welch and Satterthwaite; of the ratio of the variances, whose squares might overflow
	 */
	const double ratio = narrow->variance / wide->variance;
	const double freedom =
		(1 + ratio) * (1 + ratio) / (1 / wide->freedom + ratio * ratio / narrow->freedom);
	return student_p(difference / wide->variance * difference / (1 + ratio), freedom);
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
		least = max_double(least, min_double(1, *sorted[i] * (double)(tests - i)));
		*sorted[i] = least;
	}
	free(sorted);
	return 0;
}
