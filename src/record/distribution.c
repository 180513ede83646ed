/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/distribution.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double percentile(const double *sorted, size_t count, unsigned percent)
{
	return count ? sorted[(count * percent + 99) / 100 - 1] : NAN;
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
	qsort(sorted, known, sizeof(*sorted), compare);
	*out = (struct statistics){
		.known = known,
		.mean = known && seconds > 0 ? weighted / seconds : NAN,
		.p50 = percentile(sorted, known, 50),
		.p95 = percentile(sorted, known, 95),
		.p99 = percentile(sorted, known, 99),
		.max = percentile(sorted, known, 100),
	};
	/* the sum may overflow */
	if (!isfinite(out->mean))
		out->mean = NAN;
	free(sorted);
	return 0;
}

/*
 * The bucket of a number is the top of its representation in IEEE 754: the sign, the exponent and
 * six bits of the fraction. That needs no logarithm, and orders numbers as they are, once all bits
 * of negative ones, and the sign of others, are inverted.
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

void distribution_add(struct distribution *d, double value, double seconds)
{
	if (isnan(value))
		return;
	d->min = d->known ? fmin(d->min, value) : value;
	d->max = d->known ? fmax(d->max, value) : value;
	if (seconds > 0) {
		d->weighted += value * seconds;
		d->seconds += seconds;
	}
	if (d->known < DISTRIBUTION_EXACT)
		d->values[d->known] = value;
	for (size_t i = 0; d->known == DISTRIBUTION_EXACT && i < DISTRIBUTION_EXACT; i++)
		count_value(d, d->values[i]);
	if (d->known >= DISTRIBUTION_EXACT)
		count_value(d, value);
	d->known++;
}

/* The percentile by nearest rank, as percentile(). */
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

int distribution_statistics(const struct distribution *d, struct statistics *out)
{
	if (d->known <= DISTRIBUTION_EXACT)
		return statistics_make(d->values, (size_t)d->known, d->weighted, d->seconds, out);
	if (d->failed)
		return -ENOMEM;
	*out = (struct statistics){
		.known = (size_t)d->known,
		.mean = d->seconds > 0 ? d->weighted / d->seconds : NAN,
		.p50 = bucket_percentile(d, 50),
		.p95 = bucket_percentile(d, 95),
		.p99 = bucket_percentile(d, 99),
		.max = d->max,
	};
	return 0;
}

void distribution_free(struct distribution *d)
{
	for (size_t p = 0; p < DISTRIBUTION_PAGES; p++)
		free(d->pages[p]);
	*d = (struct distribution){.known = 0};
}

#define EXACT (2 * LATENCY_STEPS) /* buckets of one ns, up to here */

static size_t latency_bucket(double ns)
{
	int exponent;

	if (ns < EXACT)
		return ns < 0 ? 0 : (size_t)ns;
	/* fraction is from 0.5 to 1, so that the first power of two is that of EXACT */
	const double fraction = frexp(ns, &exponent);
	const size_t power = (size_t)exponent - 6;
	const size_t step = (size_t)((2 * fraction - 1) * LATENCY_STEPS);
	const size_t bucket = EXACT + power * LATENCY_STEPS + step;

	return bucket < LATENCY_BUCKETS ? bucket : LATENCY_BUCKETS - 1;
}

double latencies_middle(size_t bucket)
{
	if (bucket < EXACT)
		return (double)bucket;
	const size_t power = (bucket - EXACT) / LATENCY_STEPS,
		     step = (bucket - EXACT) % LATENCY_STEPS;

	return ldexp(1 + ((double)step + 0.5) / LATENCY_STEPS, (int)power + 5);
}

void latencies_add(struct latencies *latencies, double ns, uint64_t weight)
{
	if (isnan(ns))
		return;
	latencies->count++;
	latencies->max = fmax(latencies->max, ns);
	latencies->buckets[latency_bucket(ns)] += weight;
}

void latencies_merge(struct latencies *latencies, const struct latencies *others)
{
	latencies->count += others->count;
	latencies->max = fmax(latencies->max, others->max);
	for (size_t i = 0; i < LATENCY_BUCKETS; i++)
		latencies->buckets[i] += others->buckets[i];
}

uint64_t latencies_weight(const struct latencies *latencies)
{
	uint64_t weight = 0;

	for (size_t i = 0; i < LATENCY_BUCKETS; i++)
		weight += latencies->buckets[i];
	return weight;
}

double latencies_percentile(const struct latencies *latencies, unsigned percent)
{
	const double rank = (double)latencies_weight(latencies) * percent / 100;
	uint64_t seen = 0;

	if ((double)latencies->count * (100 - percent) < 100)
		return NAN;
	for (size_t i = 0; i < LATENCY_BUCKETS; i++) {
		seen += latencies->buckets[i];
		if (seen && (double)seen >= rank)
			return fmin(latencies_middle(i), latencies->max);
	}
	return latencies->max;
}
