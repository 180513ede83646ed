/* SPDX-License-Identifier: BSD-3-Clause */
/* How counting begins, and what is tried and chosen then: freezing, and who reads where. */
#include <errno.h>

#include "poller/poller_parts.h"

#define MOST_FROZEN 20 /* one part of an interval in so many */

#define FAILED UINT64_MAX /* ns */

/*
 * What happens while counters stand still is in no count. Where they run instead, two of a unit
 * are read a register access apart, and a ratio of them is wrong by at most what traffic changes
 * in that time; their rates are right either way. So a ratio is worth the freezing until that
 * takes a part of the interval which counts are missed by.
 */
static void choose_freezing(struct poller *poller, uint64_t frozen)
{
	const enum freeze_policy policy = poller->plan->policy;
	const struct log *log = &poller->platform->log;
	const double us = (double)frozen / 1e3;
	const double pct = 100 * (double)frozen / (double)poller->interval;

	if (!frozen || policy == FREEZE_ALWAYS || policy == FREEZE_NEVER)
		return;
	if (frozen <= poller->interval / MOST_FROZEN) {
		log_write(log, LEVEL_DETAIL,
			  "counters are frozen while they are read: for %.1f us, %.2f %% of an "
			  "interval",
			  us, pct);
		return;
	}
	log_write(log, LEVEL_DETAIL,
		  "counters are read while they run: frozen for %.1f us they would miss %.0f %% of "
		  "an interval (--freeze=always does that)",
		  us, pct);
	plan_stop_freezing(poller->plan);
	poller->freezes = false;
	for (size_t d = 0; d < poller->plan->domain_count; d++)
		poller_find_stretches(poller, d);
}

int poller_read_and_collect(struct poller *poller, enum occasion occasion, struct sample *out,
			    struct error *trouble, struct error *err)
{
	int rc = poller_walk(poller, occasion, out, err);

	if (!rc)
		poller_collect(poller, occasion, out, trouble);
	return rc;
}

/* Where MSRs of the first share are read without an interrupt. -1: wherever it ran before. */
static int set_affinity(struct poller *poller, int cpu)
{
	struct platform *p = poller->platform;

	return p->ops->set_affinity ? p->ops->set_affinity(p, cpu) : -ENOENT;
}

int poller_begin_again(struct poller *poller, struct error *err)
{
	struct error trouble = {0};
	struct sample first = {0}, second = {0};

	poller_begin_counting(poller);
	int rc = poller_read_and_collect(poller, AT_START, &first, &trouble, err);
	if (!rc)
		rc = plan_thaw(poller->plan, err);
	if (!rc)
		rc = poller_read_and_collect(poller, AT_START, &second, &trouble, err);
	if (!rc)
		choose_freezing(poller, first.frozen_ns < second.frozen_ns ? first.frozen_ns
									   : second.frozen_ns);
	return rc;
}

int poller_begin(struct poller *poller, struct error *err)
{
	const bool bound = poller->binds && poller->share_count &&
			   !set_affinity(poller, poller->shares[0].cpu);
	const int rc = poller_begin_again(poller, err);

	if (bound)
		set_affinity(poller, -1);
	return rc;
}

void poller_let_bind(struct poller *poller)
{
	poller->binds = true;
}

/* The shorter of two walks, whose counts are the next sample's. What fails does so then, too. */
static uint64_t time_walks(struct poller *poller)
{
	struct platform *p = poller->platform;
	uint64_t shortest = FAILED;
	struct error err;

	for (unsigned i = 0; i < 2; i++) {
		const uint64_t start = p->ops->now(p);

		if (poller_read_and_collect(poller, AT_START, &poller->carried,
					    &poller->turn_trouble, &err))
			return FAILED;
		const uint64_t took = p->ops->now(p) - start;
		shortest = took < shortest ? took : shortest;
	}
	return shortest;
}

static void choose_readers(struct poller *poller)
{
	const struct log *log = &poller->platform->log;
	struct readers *readers = readers_new(poller);

	if (!readers) {
		log_write(log, LEVEL_DETAIL,
			  "no thread can be bound to a CPU of each other socket: one reads all");
		return;
	}
	const uint64_t alone = time_walks(poller);
	poller->readers = readers;
	const uint64_t together = time_walks(poller);
	/* for less than a tenth nobody needs threads that have to be woken */
	if (alone == FAILED || together > alone - alone / 10) {
		readers_free(readers);
		poller->readers = NULL;
	}
	if (alone == FAILED || together == FAILED)
		return;
	log_write(log, LEVEL_DETAIL,
		  "registers of %zu sockets are read by %s: one thread takes %.1f us, a thread a "
		  "socket %.1f us",
		  poller->share_count, poller->readers ? "a thread a socket" : "one thread",
		  (double)alone / 1e3, (double)together / 1e3);
}

void poller_place_readers(struct poller *poller)
{
	struct platform *p = poller->platform;

	if (!poller->share_count || set_affinity(poller, poller->shares[0].cpu))
		return;
	log_write(&p->log, LEVEL_DETAIL,
		  "registers are read on CPU %d, through which they are reached",
		  poller->shares[0].cpu);
	if (poller->share_count > 1)
		choose_readers(poller);
	/* what took longer than the first interval is no deadline missed */
	if (p->ops->now(p) >= poller->deadlines.next)
		poller_begin_intervals(poller);
}
