/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/distribution.h"

#include <math.h>
#include <string.h>

#include "platform/number.h"

/*
 * The bucket of a number is the top of its representation in IEEE 754: the exponent and six bits of
 * the fraction. That needs no logarithm, and orders numbers as they are.
 */
#define FRACTION_BITS 52
#define BUCKET_BITS   6
#define BUCKET_SHIFT  (FRACTION_BITS - BUCKET_BITS)
#define FIRST_BUCKET  (UINT64_C(1013) << BUCKET_BITS) /* of 2^-10 */

static size_t bucket_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	if (!(value > 0) || bits >> BUCKET_SHIFT < FIRST_BUCKET)
		return 0;
	bits = (bits >> BUCKET_SHIFT) - FIRST_BUCKET;
	return bits < DISTRIBUTION_BUCKETS ? bits : DISTRIBUTION_BUCKETS - 1;
}

/* The middle of a bucket; the first one has all that is smaller, too. */
static double middle_of(size_t bucket)
{
	const uint64_t bits = ((uint64_t)bucket + FIRST_BUCKET) << BUCKET_SHIFT |
			      UINT64_C(1) << (BUCKET_SHIFT - 1);
	double middle;

	memcpy(&middle, &bits, sizeof(middle));
	return bucket ? middle : 0;
}

void distribution_add(struct distribution *d, double value, double seconds)
{
	if (isnan(value))
		return;
	d->max = d->known ? max_double(d->max, value) : value;
	if (seconds > 0) {
		d->weighted += value * seconds;
		d->seconds += seconds;
	}
	if (d->known < DISTRIBUTION_EXACT)
		d->values[d->known] = value;
	for (size_t i = 0; d->known == DISTRIBUTION_EXACT && i < DISTRIBUTION_EXACT; i++)
		d->buckets[bucket_of(d->values[i])]++;
	if (d->known >= DISTRIBUTION_EXACT)
		d->buckets[bucket_of(value)]++;
	d->known++;
}

/* By nearest rank, as percentile(). */
static double bucket_percentile(const struct distribution *d, unsigned percent)
{
	const uint64_t rank = d->known / 100 * percent + (d->known % 100 * percent + 99) / 100;
	uint64_t seen = d->buckets[0];
	size_t bucket = 0;

	while (seen < rank && bucket < DISTRIBUTION_BUCKETS - 1)
		seen += d->buckets[++bucket];
	return min_double(middle_of(bucket), d->max);
}

int distribution_statistics(const struct distribution *d, struct statistics *out)
{
	if (d->known <= DISTRIBUTION_EXACT)
		return statistics_make(d->values, (size_t)d->known, d->weighted, d->seconds, out);
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
