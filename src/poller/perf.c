/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting through the kernel: a group of events is read by one system call, with the time that it
 * was on counters. The rounds of a unit rotate as with registers: one is disabled, read, and the
 * next enabled.
 */
#include "poller/poller_private.h"

#include <string.h>

static void read_round(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	struct frame_unit *unit = &poller->frame.units[u];
	const size_t g = pu->first_round + unit->round;
	const struct round *round = &poller->plan->rounds[g];

	unit->failed_read = FRAME_NO_READ;
	unit->error = perf_events_read(poller->events, g, &poller->frame.running_ns[pu->domain],
				       &poller->frame.waited_ns[pu->domain]);
	memcpy(&poller->frame.raw[pu->first_read], &poller->events->values[round->first_counter],
	       round->counter_count * sizeof(*poller->frame.raw));
}

/* Switches a unit to its next round, which continues from its last counts. */
static void rotate_unit(struct poller *poller, size_t u)
{
	const struct plan_unit *pu = &poller->plan->units[u];
	struct frame_unit *unit = &poller->frame.units[u];
	const size_t next = round_order_next(&poller->orders[u], unit->round, pu->round_count, 1);
	const struct round *round = &poller->plan->rounds[pu->first_round + next];

	perf_events_enable(poller->events, pu->first_round + unit->round, false);
	read_round(poller, u);
	unit->round = (uint16_t)next;
	unit->rotated = true;
	poller->frame.rotated = true;
	memcpy(&poller->frame.start[pu->first_read], &poller->events->values[round->first_counter],
	       round->counter_count * sizeof(*poller->frame.start));
	/* a group that the kernel refused fails when it is read */
	perf_events_enable(poller->events, pu->first_round + next, true);
}

static int read_all(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
		    struct error *err)
{
	(void)err;
	*frozen_ns = 0;
	poller->frame.rotated = false;
	for (size_t u = 0; u < poller->plan->unit_count; u++) {
		poller->frame.units[u].rotated = false;
		if (poller_rotates(poller, u, poller_rotation_due(poller, reason)))
			rotate_unit(poller, u);
		else
			read_round(poller, u);
	}
	return 0;
}

/* Begins an epoch with the counts so far. */
static int begin_epoch(struct poller *poller, struct error *err)
{
	uint64_t frozen_ns;

	poller->frame.epoch++;
	poller->frame.multiplexed = true;
	return read_all(poller, READ_START, &frozen_ns, err);
}

static int start_events(struct poller *poller, struct error *err)
{
	const struct plan *plan = poller->plan;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct plan_unit *pu = &plan->units[u];

		poller->frame.units[u].round = (uint16_t)pu->starting_round;
		perf_events_enable(poller->events, pu->first_round + pu->starting_round, true);
	}
	return begin_epoch(poller, err);
}

/* Enables events again: the kernel then programs units whose registers were cleared. */
static int resume_events(struct poller *poller, struct error *err)
{
	for (size_t u = 0; u < poller->plan->unit_count; u++) {
		const size_t g = poller->plan->units[u].first_round + poller->frame.units[u].round;

		perf_events_enable(poller->events, g, false);
		perf_events_enable(poller->events, g, true);
	}
	return begin_epoch(poller, err);
}

static int stop_events(struct poller *poller, struct error *err)
{
	(void)err;
	perf_events_close(poller->events);
	return 0;
}

static const struct backend perf = {
	.start = start_events,
	.resume = resume_events,
	.read = read_all,
	.stop = stop_events,
};

void poller_use_perf(struct poller *poller, struct perf_events *events)
{
	poller->backend = &perf;
	poller->events = events;
}
