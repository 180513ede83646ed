/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/latencies.h"

#include <math.h>

#include "base/coder.h"

#define EXACT (2 * LATENCY_STEPS) /* first value that shares its bucket, in ns */

size_t latencies_bucket(double ns)
{
	int exponent;

	if (ns < EXACT)
		return ns < 0 ? 0 : (size_t)ns;
	/* fraction is from 0.5 to 1, which makes EXACT the start of the first power of two */
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
	latencies->buckets[latencies_bucket(ns)] += weight;
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

void latencies_code(struct coder *c, struct latencies *latencies)
{
	size_t used = 0, bucket = 0;

	for (size_t i = 0; c->out && i < LATENCY_BUCKETS; i++)
		used += latencies->buckets[i] > 0;
	used = code_count(c, used, LATENCY_BUCKETS);

	for (size_t i = 0; i < used && !c->bad; i++) {
		size_t passed = 0;

		while (c->out && !latencies->buckets[bucket + passed])
			passed++;
		bucket += code_count(c, passed, LATENCY_BUCKETS - 1 - bucket);
		const uint64_t weight = code_varint(c, latencies->buckets[bucket]);
		latencies->buckets[bucket] += c->out ? 0 : weight;
		c->bad |= ++bucket == LATENCY_BUCKETS && i + 1 < used;
	}
	if (used) {
		const uint64_t count = code_varint(c, latencies->count);
		latencies->count += c->out ? 0 : count;
		latencies->max = fmax(latencies->max, code_number(c, latencies->max));
	}
}
