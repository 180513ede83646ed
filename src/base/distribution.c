/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/distribution.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int compare_values(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

const char *const statistic_names[STATISTICS] = {
	[STATISTIC_MEAN] = "mean", [STATISTIC_P50] = "p50", [STATISTIC_P95] = "p95",
	[STATISTIC_P99] = "p99",   [STATISTIC_MAX] = "max",
};

double statistics_get(const struct statistics *s, enum statistic which)
{
	const double numbers[STATISTICS] = {
		[STATISTIC_MEAN] = s->mean, [STATISTIC_P50] = s->p50, [STATISTIC_P95] = s->p95,
		[STATISTIC_P99] = s->p99,   [STATISTIC_MAX] = s->max,
	};

	return numbers[which];
}

double percentile(const double *sorted, size_t count, unsigned percent)
{
	return count ? sorted[(count * percent + 99) / 100 - 1] : NAN;
}

/* Returns NAN without time, and if the sum has overflowed. */
static double mean_of(double weighted, double seconds)
{
	const double mean = seconds > 0 ? weighted / seconds : NAN;

	return isfinite(mean) ? mean : NAN;
}

int statistics_make(const double *values, size_t count, double weighted, double seconds,
		    struct statistics *out)
{
	double *sorted = malloc((count + 1) * sizeof(*sorted));
	size_t known = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			sorted[known++] = values[i];
	qsort(sorted, known, sizeof(*sorted), compare_values);
	*out = (struct statistics){
		.known = known,
		.mean = known ? mean_of(weighted, seconds) : NAN,
		.p50 = percentile(sorted, known, 50),
		.p95 = percentile(sorted, known, 95),
		.p99 = percentile(sorted, known, 99),
		.max = percentile(sorted, known, 100),
	};
	free(sorted);
	return 0;
}

/*
 * Returns the bucket of a number: the top of its IEEE 754 representation, with the sign, the
 * exponent and six bits of the fraction. This needs no logarithm, and orders buckets as numbers,
 * once all bits of negative numbers, and the sign of others, are inverted.
 */
#define SIGN	     (UINT64_C(1) << 63)
#define BUCKET_BITS  (1 + 11 + 6)
#define BUCKET_SHIFT (64 - BUCKET_BITS)
#define PAGE_BUCKETS (((size_t)1 << BUCKET_BITS) / DISTRIBUTION_PAGES)

static size_t bucket_of(double value)
{
	uint64_t bits = 0;

	if (fabs(value) >= DBL_MIN)
		memcpy(&bits, &value, sizeof(bits));
	bits ^= bits & SIGN ? UINT64_MAX : SIGN;
	return bits >> BUCKET_SHIFT;
}

static double middle_of(size_t bucket)
{
	uint64_t bits = (uint64_t)bucket << BUCKET_SHIFT | UINT64_C(1) << (BUCKET_SHIFT - 1);
	double middle;

	bits ^= bits & SIGN ? SIGN : UINT64_MAX;
	memcpy(&middle, &bits, sizeof(middle));
	if (isnan(middle)) /* the first number of this bucket is infinite, and the others are NAN */
		return copysign(INFINITY, middle);
	return fabs(middle) >= DBL_MIN ? middle : 0;
}

static void count_value(struct distribution *d, double value)
{
	const size_t bucket = bucket_of(value);
	uint64_t **page = &d->pages[bucket / PAGE_BUCKETS];

	if (!*page)
		*page = calloc(PAGE_BUCKETS, sizeof(**page));
	if (*page)
		(*page)[bucket % PAGE_BUCKETS]++;
	d->failed |= !*page;
}

/* Only counts values from now on. */
static void count_values(struct distribution *d)
{
	for (size_t i = 0; d->values && i < DISTRIBUTION_EXACT; i++)
		count_value(d, d->values[i]);
	free(d->values);
	d->values = NULL;
}

static void keep_value(struct distribution *d, double value)
{
	d->failed |= array_room(&d->values, (size_t)d->known, 1, sizeof(*d->values)) != 0;
	if (!d->failed)
		d->values[d->known] = value;
}

void distribution_add(struct distribution *d, double value)
{
	if (isnan(value) || d->failed)
		return;
	d->min = d->known ? fmin(d->min, value) : value;
	d->max = d->known ? fmax(d->max, value) : value;
	if (d->known == DISTRIBUTION_EXACT)
		count_values(d);
	if (d->known < DISTRIBUTION_EXACT)
		keep_value(d, value);
	else
		count_value(d, value);
	d->known++;
}

/* Returns the percentile by nearest rank, as percentile(). */
static double bucket_percentile(const struct distribution *d, unsigned percent)
{
	const uint64_t rank = d->known / 100 * percent + (d->known % 100 * percent + 99) / 100;
	uint64_t seen = 0;

	for (size_t p = 0; p < DISTRIBUTION_PAGES; p++) {
		for (size_t i = 0; d->pages[p] && i < PAGE_BUCKETS; i++) {
			seen += d->pages[p][i];
			if (seen >= rank)
				return fmax(d->min, fmin(middle_of(p * PAGE_BUCKETS + i), d->max));
		}
	}
	return d->max;
}

int distribution_statistics(const struct distribution *d, double weighted, double seconds,
			    struct statistics *out)
{
	if (d->failed)
		return -ENOMEM;
	if (d->known <= DISTRIBUTION_EXACT)
		return statistics_make(d->values, (size_t)d->known, weighted, seconds, out);
	*out = (struct statistics){
		.known = (size_t)d->known,
		.mean = mean_of(weighted, seconds),
		.p50 = bucket_percentile(d, 50),
		.p95 = bucket_percentile(d, 95),
		.p99 = bucket_percentile(d, 99),
		.max = d->max,
	};
	return 0;
}

void distribution_free(struct distribution *d)
{
	free(d->values);
	for (size_t p = 0; p < DISTRIBUTION_PAGES; p++)
		free(d->pages[p]);
	*d = (struct distribution){.known = 0};
}
