/* SPDX-License-Identifier: BSD-3-Clause */
/* How counting begins, and what is measured and chosen then: freezing, and who reads where. */
#include <string.h>

#include "poller/poller_private.h"

#define MIN_INTERVALS_FROZEN 20 /* freezing may take one part of an interval in so many */

#define FAILED UINT64_MAX /* ns */

/*
 * What happens while counters stand still is in no count. Where they run instead, two of a unit
 * are read a register access apart, and a ratio of them is wrong by at most what traffic changes
 * in that time; their rates are right either way. So a ratio is worth the freezing until that
 * takes a part of the interval that counts would miss.
 */
static void choose_freezing(struct poller *poller, uint64_t frozen)
{
	const enum freeze_policy policy = poller->plan->policy;
	const uint64_t interval = poller->times.samples.interval;
	const struct log *log = &poller->platform->log;
	const double us = (double)frozen / 1e3;
	const double pct = 100 * (double)frozen / (double)interval;

	if (!frozen || policy == FREEZE_ALWAYS || policy == FREEZE_NEVER)
		return;
	if (frozen <= interval / MIN_INTERVALS_FROZEN) {
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
	pmu_state_stop_freezing(poller->pmu);
	poller->frame.skewed = poller->plan->domain_count > 0;
}

static void begin_domain(struct poller *poller, size_t d, uint64_t now)
{
	const struct freeze_domain *domain = &poller->plan->domains[d];
	struct domain_state *reads = &poller->domains[d];

	reads->ranges = &poller->ranges[domain->first_unit];
	reads->rotation = 0;
	reads->failed = true; /* so that errors of an earlier run are cleared */
	reads->stuck = reads->found_frozen = false;
	reads->frozen_at = reads->unfrozen_at = now;
	poller->frame.skewed |= !reads->freezes;
	for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count; u++) {
		const struct plan_unit *pu = &poller->plan->units[u];

		if (pu->round_count > 1)
			reads->rotation |= pu->staggered ? ROTATES_STAGGERED : ROTATES_WITHIN;
		poller->units[u].rotate_err = 0;
		poller->units[u].reclaim = poller->units[u].restart = false;
		poller->units[u].found_frozen = false;
		poller->frame.units[u].clobbered = false;
	}
	poller_find_ranges(poller, d);
}

/* A unit that doesn't answer yet counts from what programming has set its counters to. */
static void use_programmed_values(struct poller *poller, size_t u)
{
	const struct read_range range = poller->units[u].range;
	const size_t first_counter = poller_round(poller, u)->first_counter;

	if (poller_unit_answers(poller, u))
		return;
	poller->frame.units[u].error = 0;
	for (size_t r = range.first; r < range.end; r++) {
		const size_t s = first_counter + (r - range.first);

		poller->frame.raw[r] = 0;
		if (poller->plan->counters[s].free_running)
			reg_read(poller->platform, &poller->counters[s].reg, &poller->frame.raw[r],
				 NULL);
	}
}

static void reset(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const uint64_t now = poller->platform->ops->now(poller->platform);

	poller_prepare(poller);
	poller->frame.epoch++;
	poller->frame.skewed = false;
	poller->frame.has_undelivered = false;
	memset(poller->frame.undelivered, 0, plan->read_count * sizeof(*poller->frame.undelivered));
	memset(poller->frame.skew, 0, plan->read_count * sizeof(*poller->frame.skew));
	for (size_t s = 0; s < plan->counter_count; s++)
		poller->counters[s].kept = 0;
	/* all was looked at when it was programmed */
	memset(poller->idle, true, plan->round_count * sizeof(*poller->idle));
	for (size_t d = 0; d < plan->domain_count; d++)
		begin_domain(poller, d, now);
	for (size_t i = 0; i < poller->socket_count; i++)
		poller->sockets[i].stands = false;
	poller->any_frozen = true; /* as may be: what the frame says of freezes is found anew */
}

int poller_begin_here(struct poller *poller, struct error *err)
{
	uint64_t first, second;

	reset(poller);
	int rc = poller_read_domains(poller, READ_START, &first, err);
	if (!rc)
		rc = pmu_state_unfreeze_sockets(poller->pmu, err);
	if (!rc)
		rc = poller_read_domains(poller, READ_START, &second, err);
	if (rc)
		return rc;
	for (size_t u = 0; u < poller->plan->unit_count; u++)
		use_programmed_values(poller, u);
	memcpy(poller->previous, poller->frame.raw,
	       poller->plan->read_count * sizeof(*poller->previous));
	choose_freezing(poller, first < second ? first : second);
	return 0;
}

/* Where MSRs of the first socket are read without an interrupt. -1: wherever it ran before. */
static int set_affinity(struct poller *poller, int cpu)
{
	struct platform *p = poller->platform;

	return p->ops->set_affinity ? p->ops->set_affinity(p, cpu) : -1;
}

int poller_begin(struct poller *poller, struct error *err)
{
	const bool bound = poller->binds && poller->socket_count &&
			   !set_affinity(poller, poller->sockets[0].cpu);
	const int rc = poller_begin_here(poller, err);

	if (bound)
		set_affinity(poller, -1);
	return rc;
}

/* The shorter of two readings. What fails does so in the next sample, too. */
static uint64_t time_readings(struct poller *poller)
{
	struct platform *p = poller->platform;
	uint64_t shortest = FAILED, ignored;
	struct error err;

	for (unsigned i = 0; i < 2; i++) {
		const uint64_t start = p->ops->now(p);

		if (poller_read_domains(poller, READ_START, &ignored, &err))
			return FAILED;
		const uint64_t took = p->ops->now(p) - start;
		shortest = took < shortest ? took : shortest;
	}
	return shortest;
}

static void choose_readers(struct poller *poller)
{
	const struct log *log = &poller->platform->log;
	/* for each socket but the first */
	struct readers *readers = readers_new(poller->platform, poller_read_socket,
					      poller->sockets + 1, poller->socket_count - 1);

	if (!readers) {
		log_write(log, LEVEL_DETAIL,
			  "cannot pin a thread on each socket: one thread reads all");
		return;
	}
	const uint64_t alone = time_readings(poller);
	poller->readers = readers;
	const uint64_t together = time_readings(poller);
	/* for less than a tenth nobody needs threads that have to be woken */
	if (alone == FAILED || together > alone - alone / 10) {
		readers_free(readers);
		poller->readers = NULL;
	}
	if (alone == FAILED || together == FAILED)
		return;
	log_write(log, LEVEL_DETAIL,
		  "registers of %zu sockets are read by %s: one thread takes %.1f us, one thread "
		  "per socket %.1f us",
		  poller->socket_count, poller->readers ? "one thread per socket" : "one thread",
		  (double)alone / 1e3, (double)together / 1e3);
}

void poller_place_readers(struct poller *poller)
{
	struct platform *p = poller->platform;

	if (!poller->socket_count || set_affinity(poller, poller->sockets[0].cpu))
		return;
	log_write(&p->log, LEVEL_DETAIL,
		  "registers are read on CPU %d, through which they are reached",
		  poller->sockets[0].cpu);
	if (poller->socket_count > 1)
		choose_readers(poller);
	/* what took longer than the first interval is no deadline missed */
	const uint64_t now = p->ops->now(p);
	if (now >= poller->times.samples.next)
		timetable_start(&poller->times, now);
}
