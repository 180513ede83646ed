/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "poller/deadlines.h"

/* When a domain was read. */
struct stops {
	uint64_t stopped; /* its counters stood still from here */
	uint64_t resumed; /* and ran on from here */
};

struct poller {
	struct plan *plan;
	struct platform *platform;
	uint64_t interval;
	struct deadlines deadlines;
	uint64_t last_now;

	struct stops *stops;   /* by domain */
	uint64_t *raw;	       /* by slot: as read now */
	int *failures;	       /* by slot: of reading it, 0 or a negative errno */
	uint64_t *last;	       /* by slot: as read when its unit was last read whole */
	uint64_t *uncollected; /* by unit: ns that were counted since then */
	struct count *counts;  /* by slot */
	bool running;
};

static bool allocate(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const size_t slots = plan->slot_count + 1, units = plan->unit_count + 1;

	poller->stops = calloc(plan->domain_count + 1, sizeof(*poller->stops));
	poller->raw = calloc(slots, sizeof(*poller->raw));
	poller->failures = calloc(slots, sizeof(*poller->failures));
	poller->last = calloc(slots, sizeof(*poller->last));
	poller->uncollected = calloc(units, sizeof(*poller->uncollected));
	poller->counts = calloc(slots, sizeof(*poller->counts));
	return poller->stops && poller->raw && poller->failures && poller->last &&
	       poller->uncollected && poller->counts;
}

int poller_new(struct plan *plan, uint64_t interval_ns, struct poller **out, struct error *err)
{
	struct poller *poller = calloc(1, sizeof(*poller));

	if (!poller)
		return error_set(err, EXIT_FAILED, -ENOMEM, "out of memory");
	poller->plan = plan;
	poller->platform = plan->machine->platform;
	poller->interval = interval_ns;
	if (!allocate(poller)) {
		poller_free(poller);
		return error_set(err, EXIT_FAILED, -ENOMEM, "out of memory");
	}
	*out = poller;
	return 0;
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
	free(poller->counts);
	free(poller);
}

/* Stops a domain, reads its slots, starts it. A slot that can't be read doesn't end the walk. */
static int read_domain(struct poller *poller, const struct domain *domain, struct stops *stops,
		       struct error *err)
{
	struct platform *p = poller->platform;
	const struct plan *plan = poller->plan;
	const struct plan_unit *first = &plan->units[domain->first_unit];
	const struct plan_unit *last = first + domain->unit_count - 1;
	int rc = domain->freezes ? reg_write(p, &domain->freeze, 1, err) : 0;

	if (rc)
		return rc;
	stops->stopped = p->ops->now(p);
	for (size_t s = first->first_slot; s < last->first_slot + last->slot_count; s++)
		poller->failures[s] = reg_read(p, &plan->slots[s].counter, &poller->raw[s], NULL);
	stops->resumed = stops->stopped;
	if (domain->freezes) {
		rc = reg_write(p, &domain->freeze, 0, err);
		stops->resumed = p->ops->now(p);
	}
	return rc;
}

/* A unit is read whole or not at all: half of it would be a ratio of two intervals. */
static bool read_whole(const struct poller *poller, const struct plan_unit *pu)
{
	for (size_t s = pu->first_slot; s < pu->first_slot + pu->slot_count; s++)
		if (poller->failures[s] || unit_value_unread(poller->raw[s]))
			return false;
	return true;
}

static void explain_loss(const struct poller *poller, const struct plan_unit *pu,
			 struct error *trouble)
{
	char name[UNIT_NAME_SIZE];
	uint64_t ignored;

	for (size_t s = pu->first_slot; s < pu->first_slot + pu->slot_count; s++) {
		if (!poller->failures[s])
			continue;
		/* once more, for the sentence; it may have been a passing fault */
		if (!reg_read(poller->platform, &poller->plan->slots[s].counter, &ignored, trouble))
			error_set(trouble, EXIT_FAILED, poller->failures[s],
				  "%s: a counter could not be read: %s", unit_name(pu->unit, name),
				  strerror(-poller->failures[s]));
		return;
	}
	error_set(trouble, EXIT_FAILED, -ENXIO, "%s: a counter read as all ones, which is no count",
		  unit_name(pu->unit, name));
}

static void collect_unit(struct poller *poller, const struct plan_unit *pu, uint64_t *uncollected,
			 struct sample *out)
{
	const bool known = read_whole(poller, pu);

	for (size_t s = pu->first_slot; s < pu->first_slot + pu->slot_count; s++) {
		poller->counts[s] = (struct count){
			.known = known,
			.events = known ? (poller->raw[s] - poller->last[s]) &
						  poller->plan->slots[s].mask
					: 0,
			.counted_ns = known ? *uncollected : 0,
		};
		if (known)
			poller->last[s] = poller->raw[s];
	}
	if (known)
		*uncollected = 0;
	else
		out->lost_units++;
}

/* Walks all domains; what was counted before this reading is in poller->counts. */
static int read_all(struct poller *poller, struct sample *out, struct error *trouble,
		    struct error *err)
{
	const struct plan *plan = poller->plan;

	out->frozen_ns = 0;
	out->lost_units = 0;
	for (size_t d = 0; d < plan->domain_count; d++) {
		const struct domain *domain = &plan->domains[d];
		const uint64_t since = poller->stops[d].resumed;
		int rc = read_domain(poller, domain, &poller->stops[d], err);
		if (rc)
			return rc;

		const struct stops *stops = &poller->stops[d];
		if (stops->resumed - stops->stopped > out->frozen_ns)
			out->frozen_ns = stops->resumed - stops->stopped;
		for (size_t u = domain->first_unit; u < domain->first_unit + domain->unit_count;
		     u++) {
			const size_t lost = out->lost_units;

			poller->uncollected[u] += stops->stopped - since;
			collect_unit(poller, &plan->units[u], &poller->uncollected[u], out);
			if (out->lost_units > lost && !trouble->code)
				explain_loss(poller, &plan->units[u], trouble);
		}
	}
	return 0;
}

/* The counters hold 0, and have counted for no time. */
static void begin_counting(struct poller *poller)
{
	const uint64_t now = poller->platform->ops->now(poller->platform);

	for (size_t d = 0; d < poller->plan->domain_count; d++)
		poller->stops[d] = (struct stops){.stopped = now, .resumed = now};
	for (size_t u = 0; u < poller->plan->unit_count; u++)
		poller->uncollected[u] = 0;
	for (size_t s = 0; s < poller->plan->slot_count; s++)
		poller->last[s] = 0;
}

int poller_start(struct poller *poller, struct error *err)
{
	struct platform *p = poller->platform;
	struct error trouble = {0};
	struct sample discarded;
	int rc = plan_program(poller->plan, err);

	if (rc)
		return rc;
	poller->running = true;
	begin_counting(poller);
	rc = read_all(poller, &discarded, &trouble, err); /* starts the counters */
	if (!rc)
		rc = plan_thaw(poller->plan, err);
	if (!rc)
		rc = read_all(poller, &discarded, &trouble, err); /* what they start from */
	if (rc) {
		poller_stop(poller, NULL);
		return rc;
	}
	poller->last_now = p->ops->now(p);
	deadlines_start(&poller->deadlines, poller->last_now, poller->interval);
	return 0;
}

int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number)
{
	struct platform *p = poller->platform;

	return p->ops->sleep_until(p, poller->deadlines.next, wake, signal_number);
}

int poller_sample(struct poller *poller, struct sample *out, struct error *trouble,
		  struct error *err)
{
	struct platform *p = poller->platform;
	const uint64_t now = p->ops->now(p);

	*trouble = (struct error){0};
	*out = (struct sample){
		.counts = poller->counts,
		.count = poller->plan->slot_count,
		.wall_ns = p->ops->wall(p),
		.elapsed_ns = now - poller->last_now,
	};
	poller->last_now = now;
	/* a sample before its deadline, when something else ends the wait, leaves it standing */
	if (now >= poller->deadlines.next)
		out->missed = deadlines_advance(&poller->deadlines, now);
	return read_all(poller, out, trouble, err);
}

int poller_stop(struct poller *poller, struct error *err)
{
	if (!poller->running)
		return 0;
	poller->running = false;
	return plan_restore(poller->plan, err);
}
