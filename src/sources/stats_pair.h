/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two readings of the kernel's statistics of one subject, a node or a device. A row is computed
 * from them.
 */
#ifndef CXLMON_SOURCES_STATS_PAIR_H
#define CXLMON_SOURCES_STATS_PAIR_H

#include "base/number.h"
#include "platform/kernel_stats.h"

struct stats_pair {
	bool fresh;	 /* the latest sample has taken a reading; the source clears it */
	bool known;	 /* the latest reading succeeded: .now is valid */
	bool has_before; /* .before is valid */
	/* latest successful reading of an earlier sample, or else one of the present sample */
	struct kernel_stats before;
	struct kernel_stats now; /* latest reading */
};

/*
 * Takes a reading. known: the reading succeeded. If the same sample has taken a reading before,
 * .now is replaced, but .before is kept: rates are since the previous sample with a reading. If no
 * earlier sample has one, .before becomes the first successful reading of this sample.
 */
static inline void stats_pair_take(struct stats_pair *pair, bool known,
				   const struct kernel_stats *now)
{
	if (pair->known && !(pair->fresh && pair->has_before)) {
		pair->before = pair->now;
		pair->has_before = true;
	}
	pair->fresh = true;
	pair->known = known;
	pair->now = *now;
}

/* Returns the seconds between .before and .now. NAN: one is not valid, or no time is between. */
static inline double stats_pair_seconds(const struct stats_pair *pair)
{
	return pair->known && pair->has_before && pair->before.at_ns < pair->now.at_ns
		       ? (double)(pair->now.at_ns - pair->before.at_ns) / NS_PER_S
		       : NAN;
}

/* The sum of a statistic over several subjects; initially {0}. NAN: unknown for some subject. */
struct stats_sum {
	size_t parts;	/* subjects added */
	double amount;	/* sum of the amounts */
	double per_s;	/* sum of the amounts per second */
	double seconds; /* shortest stats_pair_seconds(); NAN only if unknown for all subjects */
};

/*
 * Adds a subject's statistic. If rate is true, the amount is its increase since .before, or unknown
 * if it has decreased. Otherwise the amount is its latest value.
 */
static inline void stats_sum_add(struct stats_sum *sum, const struct stats_pair *pair,
				 enum kernel_stat stat, bool rate)
{
	const double before = pair->before.values[stat], now = pair->now.values[stat];
	const double seconds = stats_pair_seconds(pair);
	const double amount = !rate ? now : now >= before ? now - before : NAN;

	sum->amount += amount;
	sum->per_s += amount / seconds;
	sum->seconds = sum->parts++ ? fmin(sum->seconds, seconds) : seconds;
}

#endif
