/* SPDX-License-Identifier: BSD-3-Clause */
/* When counters are read: deadlines, turns between them, start and end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "poller/poller_parts.h"

/* More than asking for two clocks takes, and less than any suspension */
#define SUSPENDED_NS 100000000

#define MOST_FROZEN 20 /* one part of an interval in so many */

/*
 * How often spread units turn, and idle ones are looked at, at most: what that costs is no part of
 * most samples where these are many.
 */
#define LOOK_NS UINT64_C(1000000000)

/* An element too many, so that no array is empty. */
static bool allocate(struct poller *poller)
{
	const size_t domains = poller->plan->domain_count + 1;
	const size_t units = poller->plan->unit_count + 1;
	const size_t slots = poller->plan->slot_count + 1;
	bool ok = true;

	ok &= !!(poller->walks = calloc(domains, sizeof(*poller->walks)));
	ok &= !!(poller->stops = calloc(domains, sizeof(*poller->stops)));
	ok &= !!(poller->spans = calloc(units, sizeof(*poller->spans)));
	ok &= !!(poller->stretches = calloc(units, sizeof(*poller->stretches)));
	ok &= !!(poller->failed = calloc(units, sizeof(*poller->failed)));
	ok &= !!(poller->idle = calloc(units, sizeof(*poller->idle)));
	ok &= !!(poller->uncollected = calloc(units, sizeof(*poller->uncollected)));
	ok &= !!(poller->unit_ns = calloc(units, sizeof(*poller->unit_ns)));
	ok &= !!(poller->turned = calloc(units, sizeof(*poller->turned)));
	ok &= !!(poller->taken = calloc(units, sizeof(*poller->taken)));
	ok &= !!(poller->unturned = calloc(units, sizeof(*poller->unturned)));
	ok &= !!(poller->counters = calloc(slots, sizeof(*poller->counters)));
	ok &= !!(poller->raw = calloc(slots, sizeof(*poller->raw)));
	ok &= !!(poller->failures = calloc(slots, sizeof(*poller->failures)));
	ok &= !!(poller->tallies = calloc(slots, sizeof(*poller->tallies)));
	ok &= !!(poller->later = calloc(slots, sizeof(*poller->later)));
	ok &= !!(poller->last_later = calloc(slots, sizeof(*poller->last_later)));
	ok &= !!(poller->counting = calloc(slots, sizeof(*poller->counting)));
	ok &= !!(poller->counts = calloc(slots, sizeof(*poller->counts)));
	return ok;
}

static void release(struct poller *poller)
{
	free(poller->walks);
	free(poller->stops);
	free(poller->spans);
	free(poller->stretches);
	free(poller->failed);
	free(poller->idle);
	free(poller->uncollected);
	free(poller->unit_ns);
	free(poller->turned);
	free(poller->taken);
	free(poller->unturned);
	free(poller->counters);
	free(poller->raw);
	free(poller->failures);
	free(poller->tallies);
	free(poller->later);
	free(poller->last_later);
	free(poller->counting);
	free(poller->counts);
}

int poller_new(struct plan *plan, uint64_t interval_ns, struct poller **out, struct error *err)
{
	struct poller *poller = calloc(1, sizeof(*poller));

	if (!poller)
		return error_set(err, EXIT_FAILED, -ENOMEM, "out of memory");
	poller->plan = plan;
	poller->platform = plan->machine->platform;
	poller->interval = interval_ns;
	if (plan->most_groups > 1)
		poller->turn = interval_ns / plan->most_groups;
	if (!allocate(poller)) {
		poller_free(poller);
		return error_set(err, EXIT_FAILED, -ENOMEM, "out of memory");
	}
	*out = poller;
	return 0;
}

void poller_set_turn(struct poller *poller, uint64_t turn_ns)
{
	if (poller->turn)
		poller->turn = turn_ns;
}

void poller_free(struct poller *poller)
{
	if (!poller)
		return;
	poller_stop(poller, NULL);
	release(poller);
	free(poller);
}

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
}

/* Starts the counters, which were programmed, and reads what they start from. */
static int begin(struct poller *poller, struct error *err)
{
	struct error trouble = {0};
	struct sample first = {0}, second = {0};

	poller_begin_counting(poller);
	int rc = poller_read_all(poller, AT_START, &first, &trouble, err);
	if (!rc)
		rc = plan_thaw(poller->plan, err);
	if (!rc)
		rc = poller_read_all(poller, AT_START, &second, &trouble, err);
	if (!rc)
		choose_freezing(poller, first.frozen_ns < second.frozen_ns ? first.frozen_ns
									   : second.frozen_ns);
	return rc;
}

int poller_start(struct poller *poller, struct error *err)
{
	struct platform *p = poller->platform;
	int rc = plan_program(poller->plan, err);

	if (rc)
		return rc;
	poller->running = true;
	poller->suspended = p->ops->suspended(p);
	rc = begin(poller, err);
	if (rc) {
		poller_stop(poller, NULL);
		return rc;
	}
	poller_take_counts(poller);
	const uint64_t now = p->ops->now(p);
	poller->next_turn = now + poller->turn;
	poller->next_look = now + LOOK_NS;
	poller->carried = (struct sample){0};
	deadlines_start(&poller->deadlines, now, poller->interval);
	return 0;
}

static int sleep_until(struct poller *poller, uint64_t deadline, const sigset_t *wake,
		       int *signal_number, struct error *err)
{
	struct platform *p = poller->platform;
	int rc = p->ops->sleep_until(p, deadline, wake, signal_number);

	return rc && rc != -EINTR ? error_set(err, EXIT_FAILED, rc, "sleep: %s", strerror(-rc))
				  : rc;
}

/* Registers lose what they hold while the machine is suspended. */
static bool was_suspended(struct poller *poller)
{
	struct platform *p = poller->platform;
	const uint64_t suspended = p->ops->suspended(p);
	const uint64_t slept = suspended - poller->suspended;

	if (suspended < poller->suspended + SUSPENDED_NS)
		return false;
	poller->suspended = suspended;
	log_write(&p->log, LEVEL_WARNING,
		  "the machine was suspended for %.1f s: its counters are programmed anew, and the "
		  "values of this sample are empty",
		  (double)slept / 1e9);
	return true;
}

/* What was counted until then is gone, so that nothing is known of this interval. */
static int resume(struct poller *poller, struct sample *out, struct error *err)
{
	int rc = plan_reprogram(poller->plan, err);

	out->lost_units += poller->plan->unit_count;
	poller->forgotten = true;
	return rc ? rc : begin(poller, err);
}

static int read_all(struct poller *poller, enum occasion occasion, struct sample *out,
		    struct error *trouble, struct error *err)
{
	return was_suspended(poller) ? resume(poller, out, err)
				     : poller_read_all(poller, occasion, out, trouble, err);
}

int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number, struct error *err)
{
	const uint64_t deadline = poller->deadlines.next;

	/* the last turn before a deadline is the sample's */
	while (poller->turn && poller->next_turn + poller->turn / 2 < deadline) {
		int rc = sleep_until(poller, poller->next_turn, wake, signal_number, err);
		if (!rc)
			rc = read_all(poller, AT_TURN, &poller->carried, &poller->turn_trouble,
				      err);
		if (rc)
			return rc;
		/* what came too late is not made up for: it would be late again */
		const uint64_t now = poller->platform->ops->now(poller->platform);
		poller->next_turn += poller->turn;
		if (poller->next_turn <= now)
			poller->next_turn = now + poller->turn;
	}
	return sleep_until(poller, deadline, wake, signal_number, err);
}

/* Half an interval too early is nearer than the sample after that. */
static void find_whether_to_look(struct poller *poller, uint64_t now)
{
	poller->look_due = now + poller->interval / 2 >= poller->next_look;
	if (!poller->look_due)
		return;
	poller->next_look += LOOK_NS;
	if (poller->next_look <= now)
		poller->next_look = now + LOOK_NS;
}

int poller_sample(struct poller *poller, struct sample *out, struct error *trouble,
		  struct error *err)
{
	struct platform *p = poller->platform;
	const uint64_t now = p->ops->now(p);

	*trouble = poller->turn_trouble;
	*out = poller->carried;
	poller->turn_trouble = (struct error){0};
	poller->carried = (struct sample){0};
	out->count = poller->plan->slot_count;
	out->wall_ns = p->ops->wall(p);
	/* a sample before its deadline, when something else ends the wait, leaves it standing */
	poller->served = now >= poller->deadlines.next;
	if (poller->served)
		out->missed += deadlines_advance(&poller->deadlines, now);
	poller->next_turn = now + poller->turn;
	find_whether_to_look(poller, now);
	int rc = read_all(poller, AT_SAMPLE, out, trouble, err);
	if (!rc)
		poller_take_counts(poller);
	out->counts = poller->counts;
	if (poller->forgotten)
		memset(poller->counts, 0, out->count * sizeof(*poller->counts));
	poller->forgotten = false;
	return rc;
}

void poller_postpone(struct poller *poller, const struct sample *sample)
{
	poller_return_counts(poller, sample->counts);
	poller->carried.frozen_ns += sample->frozen_ns;
	poller->carried.lost_units += sample->lost_units;
	poller->carried.missed += sample->missed + poller->served;
	poller->served = false;
}

int poller_stop(struct poller *poller, struct error *err)
{
	if (!poller->running)
		return 0;
	poller->running = false;
	return plan_restore(poller->plan, err);
}
