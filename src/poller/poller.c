/* SPDX-License-Identifier: BSD-3-Clause */
/* When counters are read: deadlines, turns between them, start and end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "poller/poller_parts.h"

/* More than asking for two clocks takes, and less than any suspension */
#define SUSPENDED_NS 100000000

/*
 * How often spread units turn, and idle ones are looked at, at most: what that costs is no part of
 * most samples where these are many.
 */
#define LOOK_NS UINT64_C(1000000000)

/* An element too many, so that no array is empty; of places four, see plain.c. */
static bool allocate(struct poller *poller)
{
	const size_t domains = poller->plan->domain_count + 1;
	const size_t units = poller->plan->unit_count + 1;
	const size_t slots = poller->plan->slot_count + 1;
	const size_t places = poller->plan->place_count + 4;
	bool ok = true;

	ok &= !!(poller->walks = calloc(domains, sizeof(*poller->walks)));
	ok &= !!(poller->stops = calloc(domains, sizeof(*poller->stops)));
	ok &= !!(poller->shares = calloc(domains, sizeof(*poller->shares)));
	ok &= !!(poller->ns = calloc(domains, sizeof(*poller->ns)));
	ok &= !!(poller->spans = calloc(units, sizeof(*poller->spans)));
	ok &= !!(poller->stretches = calloc(units, sizeof(*poller->stretches)));
	ok &= !!(poller->failed = calloc(units, sizeof(*poller->failed)));
	ok &= !!(poller->idle = calloc(units, sizeof(*poller->idle)));
	ok &= !!(poller->movers = calloc(units, sizeof(*poller->movers)));
	ok &= !!(poller->groups = calloc(units, sizeof(*poller->groups)));
	ok &= !!(poller->uncollected = calloc(units, sizeof(*poller->uncollected)));
	ok &= !!(poller->unit_ns = calloc(units, sizeof(*poller->unit_ns)));
	ok &= !!(poller->turned = calloc(units, sizeof(*poller->turned)));
	ok &= !!(poller->taken = calloc(units, sizeof(*poller->taken)));
	ok &= !!(poller->unturned = calloc(units, sizeof(*poller->unturned)));
	ok &= !!(poller->counters = calloc(slots, sizeof(*poller->counters)));
	ok &= !!(poller->reads = calloc(places, sizeof(*poller->reads)));
	ok &= !!(poller->last = calloc(places, sizeof(*poller->last)));
	ok &= !!(poller->raw = calloc(places, sizeof(*poller->raw)));
	ok &= !!(poller->failures = calloc(places, sizeof(*poller->failures)));
	ok &= !!(poller->tallies = calloc(places, sizeof(*poller->tallies)));
	ok &= !!(poller->later = calloc(places, sizeof(*poller->later)));
	ok &= !!(poller->last_later = calloc(places, sizeof(*poller->last_later)));
	ok &= !!(poller->counting = calloc(slots, sizeof(*poller->counting)));
	ok &= !!(poller->counts = calloc(slots, sizeof(*poller->counts)));
	ok &= !!(poller->deltas = deltas_new(poller->plan));
	return ok;
}

static void release(struct poller *poller)
{
	free(poller->walks);
	free(poller->stops);
	free(poller->shares);
	free(poller->ns);
	free(poller->spans);
	free(poller->stretches);
	free(poller->failed);
	free(poller->idle);
	free(poller->movers);
	free(poller->groups);
	free(poller->uncollected);
	free(poller->unit_ns);
	free(poller->turned);
	free(poller->taken);
	free(poller->unturned);
	free(poller->counters);
	free(poller->reads);
	free(poller->raw);
	free(poller->last);
	free(poller->failures);
	free(poller->tallies);
	free(poller->later);
	free(poller->last_later);
	free(poller->counting);
	free(poller->counts);
	deltas_free(poller->deltas);
}

/* Domains are in the order of their sockets. */
static void divide(struct poller *poller)
{
	const struct plan *plan = poller->plan;

	for (size_t d = 0; d < plan->domain_count; d++) {
		const int socket = plan->units[plan->domains[d].first_unit].unit->socket;

		if (!d || plan->units[plan->domains[d - 1].first_unit].unit->socket != socket)
			poller->shares[poller->share_count++] = (struct share){
				.first = d,
				.cpu = topology_first_cpu(&plan->machine->topology, socket),
			};
		poller->shares[poller->share_count - 1].end = d + 1;
	}
}

int poller_new(struct plan *plan, uint64_t interval_ns, struct poller **out, struct error *err)
{
	struct poller *poller = calloc(1, sizeof(*poller));

	if (!poller)
		return error_no_memory(err);
	poller->plan = plan;
	poller->platform = plan->machine->platform;
	poller->interval = interval_ns;
	if (plan->most_groups > 1)
		poller->turn = interval_ns / plan->most_groups;
	if (!allocate(poller)) {
		poller_free(poller);
		return error_no_memory(err);
	}
	divide(poller);
	*out = poller;
	return 0;
}

void poller_set_turn(struct poller *poller, uint64_t rotate_ns)
{
	if (!poller->turn)
		return;
	poller->turn = rotate_ns;
	poller->turn_is_set = true;
}

void poller_set_interval(struct poller *poller, uint64_t interval_ns)
{
	const uint64_t now = poller->platform->ops->now(poller->platform);

	poller->interval = interval_ns;
	deadlines_change(&poller->deadlines, now, interval_ns);
	if (!poller->turn || poller->turn_is_set)
		return;
	poller->turn = interval_ns / poller->plan->most_groups;
	poller->next_turn = now + poller->turn;
}

void poller_free(struct poller *poller)
{
	if (!poller)
		return;
	poller_stop(poller, NULL);
	release(poller);
	free(poller);
}

void poller_begin_intervals(struct poller *poller)
{
	const uint64_t now = poller->platform->ops->now(poller->platform);

	poller->next_turn = now + poller->turn;
	poller->next_look = now + LOOK_NS;
	deadlines_start(&poller->deadlines, now, poller->interval);
}

int poller_start(struct poller *poller, struct error *err)
{
	struct platform *p = poller->platform;
	int rc = plan_program(poller->plan, err);

	if (rc)
		return rc;
	poller->running = true;
	poller->suspended = p->ops->suspended(p);
	rc = poller_begin(poller, err);
	if (rc) {
		poller_stop(poller, NULL);
		return rc;
	}
	poller_take_counts(poller);
	poller->settled = false; /* whoever makes deltas must hear where they start */
	poller->carried = (struct sample){0};
	poller_begin_intervals(poller);
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
	return rc ? rc : poller_begin_again(poller, err);
}

static int turn(struct poller *poller, struct error *err)
{
	struct sample *carried = &poller->carried;

	return was_suspended(poller) ? resume(poller, carried, err)
				     : poller_read_and_collect(poller, AT_TURN, carried,
							       &poller->turn_trouble, err);
}

int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number, struct error *err)
{
	const uint64_t deadline = poller->deadlines.next;

	/* the last turn before a deadline is the sample's */
	while (poller->turn && poller->next_turn + poller->turn / 2 < deadline) {
		int rc = sleep_until(poller, poller->next_turn, wake, signal_number, err);
		if (!rc)
			rc = turn(poller, err);
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

/* Deltas say all of what every unit counts without a turn. */
static bool may_be_plain(const struct poller *poller)
{
	return poller->settled && poller->whole && !poller->turns_within && !poller->look_due &&
	       !poller->any_failed;
}

static void swap_readings(struct poller *poller)
{
	uint64_t *raw = poller->raw, *later = poller->later;

	poller->raw = poller->last;
	poller->last = raw;
	poller->later = poller->last_later;
	poller->last_later = later;
}

static void count_here(struct poller *poller, struct sample *out, struct error *trouble)
{
	poller_collect(poller, AT_SAMPLE, out, trouble);
	poller_take_counts(poller);
}

static int read_registers(struct poller *poller, struct sample *out, struct error *trouble,
			  struct error *err)
{
	int rc;

	poller->plain = false;
	if (was_suspended(poller)) {
		rc = resume(poller, out, err);
		poller_take_counts(poller);
		return rc;
	}
	rc = poller_walk(poller, AT_SAMPLE, out, err);
	if (rc)
		return rc;
	poller->plain = may_be_plain(poller) && poller_is_plain(poller);
	if (poller->plain)
		swap_readings(poller);
	else
		count_here(poller, out, trouble);
	return 0;
}

int poller_read(struct poller *poller, struct reading *out, struct error *trouble,
		struct error *err)
{
	struct platform *p = poller->platform;
	struct sample *sample = &out->sample;
	const uint64_t now = p->ops->now(p);

	/* not as a whole, which is a kilobyte */
	trouble->code = 0;
	trouble->text[0] = 0;
	if (poller->turn_trouble.code)
		*trouble = poller->turn_trouble;
	poller->turn_trouble.code = 0;
	*sample = poller->carried;
	poller->carried = (struct sample){0};
	sample->count = poller->plan->slot_count;
	sample->wall_ns = p->ops->wall(p);
	/* a sample before its deadline, when something else ends the wait, leaves it standing */
	poller->served = now >= poller->deadlines.next;
	if (poller->served)
		sample->missed += deadlines_advance(&poller->deadlines, now);
	poller->next_turn = now + poller->turn;
	find_whether_to_look(poller, now);
	int rc = read_registers(poller, sample, trouble, err);
	if (poller->forgotten)
		memset(poller->counts, 0, sample->count * sizeof(*poller->counts));
	poller->forgotten = false;
	sample->counts = poller->counts;
	out->plain = poller->plain;
	out->raw = poller->last;
	out->ns = poller->ns;
	out->later = poller->freezes ? NULL : poller->last_later;
	out->groups = poller->groups;
	return rc;
}

int poller_sample(struct poller *poller, struct sample *out, struct error *trouble,
		  struct error *err)
{
	struct reading reading;
	int rc = poller_read(poller, &reading, trouble, err);

	if (!rc)
		deltas_count(poller->deltas, &reading);
	*out = reading.sample;
	return rc;
}

void poller_postpone(struct poller *poller, const struct sample *sample)
{
	struct sample nothing_more = {0};
	struct error ignored = {0};

	if (poller->plain) {
		swap_readings(poller);
		count_here(poller, &nothing_more, &ignored);
	}
	poller->plain = false;
	poller_return_counts(poller, poller->counts);
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
	readers_free(poller->readers);
	poller->readers = NULL;
	return plan_restore(poller->plan, err);
}
