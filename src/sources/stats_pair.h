/* SPDX-License-Identifier: BSD-3-Clause */
/* Two readings of the kernel's statistics of one subject, which a row is computed from. */
#ifndef CXLMON_SOURCES_STATS_PAIR_H
#define CXLMON_SOURCES_STATS_PAIR_H

#include "base/number.h"
#include "platform/kernel_stats.h"

struct stats_pair {
	bool fresh;			 /* the latest sample has taken a reading */
	bool known;			 /* the latest reading succeeded */
	bool has_before;		 /* .before is set: a reading that an earlier row took */
	struct kernel_stats before, now; /* an earlier row's success; the latest reading */
};

/*
 * Takes a reading. Of several readings for one row only the last counts, so that no count is lost.
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

/*
 * Returns the seconds between .before and .now. NAN: fewer than two readings have succeeded, or the
 * latest has not.
 */
static inline double stats_pair_seconds(const struct stats_pair *pair)
{
	return pair->known && pair->has_before && pair->before.at_ns < pair->now.at_ns
		       ? (double)(pair->now.at_ns - pair->before.at_ns) / NS_PER_S
		       : NAN;
}

/* The sum for a cell. */
struct stats_sum {
	size_t parts;
	double amount;
	double per_s; /* NAN: a part's rate is unknown */
	double seconds;
};

/* Adds a part. rate: a counter's difference, unknown if it has gone backwards; else a level. */
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
