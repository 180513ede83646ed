/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two readings of the kernel's statistics from which a row is computed, for one subject: a
 * node, or a device.
 */
#ifndef CXLMON_SOURCES_STATS_PAIR_H
#define CXLMON_SOURCES_STATS_PAIR_H

#include "base/number.h"
#include "platform/kernel_stats.h"

struct stats_pair {
	bool fresh;	 /* the latest sample has taken a reading; cleared before each sample */
	bool known;	 /* the latest reading succeeded, and .now is valid */
	bool has_before; /* .before is valid */
	struct kernel_stats before, now; /* last success of an earlier sample; latest reading */
};

/*
 * Takes a reading; known: it succeeded. A further reading for the same sample replaces only .now,
 * so that rates cover the time of both.
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
 * Returns the seconds between .before and .now. NAN: fewer than two readings have succeeded, the
 * latest has failed, or no time is between them.
 */
static inline double stats_pair_seconds(const struct stats_pair *pair)
{
	return pair->known && pair->has_before && pair->before.at_ns < pair->now.at_ns
		       ? (double)(pair->now.at_ns - pair->before.at_ns) / NS_PER_S
		       : NAN;
}

/* The sum for a cell over several subjects; initially {0}. */
struct stats_sum {
	size_t parts;	/* subjects added */
	double amount;	/* NAN: unknown for a subject */
	double per_s;	/* .amount per second; NAN: unknown for a subject */
	double seconds; /* shortest stats_pair_seconds(); NAN: unknown for all subjects */
};

/*
 * Adds a subject's statistic. rate true: the increase since .before, unknown if the counter has
 * gone backwards; false: the latest value.
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
