/* SPDX-License-Identifier: BSD-3-Clause */
/* When counters are read: deadlines, turns between them, start and end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "poller/poller_parts.h"

/* More than asking for two clocks takes, and less than any suspension */
#define SUSPENDED_NS 100000000

static bool allocate(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const size_t slots = plan->slot_count + 1, units = plan->unit_count + 1;

	poller->stops = calloc(plan->domain_count + 1, sizeof(*poller->stops));
	poller->raw = calloc(slots, sizeof(*poller->raw));
	poller->failures = calloc(slots, sizeof(*poller->failures));
	poller->last = calloc(slots, sizeof(*poller->last));
	poller->uncollected = calloc(units, sizeof(*poller->uncollected));
	poller->unit_ns = calloc(units, sizeof(*poller->unit_ns));
	poller->was_active = calloc(units, sizeof(*poller->was_active));
	poller->taken = calloc(units, sizeof(*poller->taken));
	poller->unturned = calloc(units, sizeof(*poller->unturned));
	poller->counting = calloc(slots, sizeof(*poller->counting));
	poller->counts = calloc(slots, sizeof(*poller->counts));
	return poller->stops && poller->raw && poller->failures && poller->last &&
	       poller->uncollected && poller->unit_ns && poller->was_active && poller->taken &&
	       poller->unturned && poller->counting && poller->counts;
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
	if (!poller->turn)
		return;
	poller->turn = turn_ns;
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
	free(poller->stops);
	free(poller->raw);
	free(poller->failures);
	free(poller->last);
	free(poller->uncollected);
	free(poller->unit_ns);
	free(poller->was_active);
	free(poller->taken);
	free(poller->unturned);
	free(poller->counting);
	free(poller->counts);
	free(poller);
}

/* Starts the counters, which were programmed, and reads what they start from. */
static int begin(struct poller *poller, struct error *err)
{
	struct error trouble = {0};
	struct sample discarded = {0};

	poller_begin_counting(poller);
	int rc = poller_read_all(poller, AT_START, &discarded, &trouble, err);
	if (!rc)
		rc = plan_thaw(poller->plan, err);
	if (!rc)
		rc = poller_read_all(poller, AT_START, &discarded, &trouble, err);
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

int poller_sample(struct poller *poller, struct sample *out, struct error *trouble,
		  struct error *err)
{
	struct platform *p = poller->platform;
	const uint64_t now = p->ops->now(p);

	*trouble = poller->turn_trouble;
	*out = poller->carried;
	poller->turn_trouble = (struct error){0};
	poller->carried = (struct sample){0};
	out->counts = poller->counts;
	out->count = poller->plan->slot_count;
	out->wall_ns = p->ops->wall(p);
	/* a sample before its deadline, when something else ends the wait, leaves it standing */
	poller->served = now >= poller->deadlines.next;
	if (poller->served)
		out->missed += deadlines_advance(&poller->deadlines, now);
	poller->next_turn = now + poller->turn;
	int rc = read_all(poller, AT_SAMPLE, out, trouble, err);
	if (!rc)
		poller_take_counts(poller);
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
