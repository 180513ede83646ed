/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides when counters are read: at deadlines, for rotations between them, at the start and the
 * end.
 */
#include "poller/poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/clock.h"
#include "poller/poller_private.h"

/* Longer than reading two clocks takes, and shorter than any suspension. */
#define SUSPENDED_NS 100000000

struct frame_size poller_frame_size(const struct plan *plan)
{
	return (struct frame_size){
		.domains = plan->domain_count,
		.units = plan->unit_count,
		.reads = plan->read_count,
	};
}

/*
 * Makes a poller for pmu or events; the other one is NULL. Counters of 64 bits never wrap;
 * narrower ones set times.max_gap.
 */
static int create_poller(const struct plan *plan, struct platform *platform, uint64_t interval_ns,
			 struct pmu_state *pmu, struct perf_events *events, struct poller **out,
			 struct error *err)
{
	struct poller *poller = calloc(1, sizeof(*poller));
	int rc = 0;

	*out = poller;
	if (!poller)
		return error_no_memory(err);
	poller->plan = plan;
	poller->platform = platform;
	poller->times.samples.interval = interval_ns;
	poller->times.max_gap = UINT64_MAX;
	if (plan->max_rounds > 1)
		poller->times.rotation = interval_ns / plan->max_rounds;
	/* one byte more, so that the array is not empty */
	poller->frame_arrays = calloc(1, frame_bytes(poller_frame_size(plan)) + 1);
	poller->orders = calloc(plan->unit_count + 1, sizeof(*poller->orders));
	if (!poller->frame_arrays || !poller->orders)
		rc = error_no_memory(err);
	if (!rc && pmu)
		rc = poller_use_registers(poller, pmu, err);
	else if (!rc)
		poller_use_perf(poller, events);
	if (rc) {
		poller_free(poller);
		*out = NULL;
		return rc;
	}
	frame_lay_out(&poller->frame, poller->frame_arrays, poller_frame_size(plan));
	return 0;
}

int poller_new(struct pmu_state *pmu, uint64_t interval_ns, struct poller **out, struct error *err)
{
	return create_poller(pmu->plan, pmu->platform, interval_ns, pmu, NULL, out, err);
}

int poller_new_perf(struct perf_events *events, uint64_t interval_ns, struct poller **out,
		    struct error *err)
{
	return create_poller(events->plan, events->platform, interval_ns, NULL, events, out, err);
}

void poller_free(struct poller *poller)
{
	if (!poller)
		return;
	poller_stop(poller, NULL);
	if (poller->backend && poller->backend->free)
		poller->backend->free(poller);
	free(poller->frame_arrays);
	free(poller->orders);
	free(poller);
}

void poller_set_rotation(struct poller *poller, uint64_t ns)
{
	if (!poller->times.rotation)
		return;
	poller->times.rotation = ns;
	poller->times.rotation_is_fixed = true;
}

uint64_t poller_frame_interval(const struct poller *poller)
{
	return timetable_shortest(&poller->times);
}

void poller_set_interval(struct poller *poller, uint64_t interval_ns)
{
	timetable_set_interval(&poller->times, poller->platform->ops->clock->now(poller->platform),
			       interval_ns, poller->plan->max_rounds);
}

void poller_allow_affinity(struct poller *poller)
{
	poller->binds = true;
}

int poller_start(struct poller *poller, struct error *err)
{
	struct platform *p = poller->platform;

	poller->running = true;
	poller->suspended = p->ops->clock->suspended(p);
	int rc = poller->backend->start(poller, err);
	if (rc) {
		poller_stop(poller, NULL);
		return rc;
	}
	poller->frame.missed = poller->frame.skipped = poller->frame.frozen_ns = 0;
	poller->frame.sample = false;
	poller->frame.wall_ns = p->ops->clock->wall(p);
	timetable_start(&poller->times, p->ops->clock->now(p));
	return 0;
}

void poller_place_readers(struct poller *poller)
{
	if (poller->backend->place_readers)
		poller->backend->place_readers(poller);
}

struct deadlines poller_deadlines(const struct poller *poller)
{
	return poller->times.samples;
}

enum read_reason poller_next(const struct poller *poller, uint64_t *when)
{
	return timetable_next(&poller->times, when);
}

int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number,
		enum read_reason *due, struct error *err)
{
	struct platform *p = poller->platform;
	uint64_t when;

	*due = timetable_next(&poller->times, &when);
	const int rc = p->ops->clock->sleep_until(p, when, wake, signal_number);
	return rc && rc != -EINTR ? error_set(err, ERROR_FAILED, rc, "sleep: %s", strerror(-rc))
				  : rc;
}

/* Returns true if the machine was suspended, in which case registers have lost their values. */
static bool was_suspended(struct poller *poller)
{
	struct platform *p = poller->platform;
	const uint64_t suspended = p->ops->clock->suspended(p);
	const uint64_t slept = suspended - poller->suspended;

	if (suspended < poller->suspended + SUSPENDED_NS)
		return false;
	poller->suspended = suspended;
	log_write(
		&p->log, LEVEL_WARNING,
		"the machine was suspended for %.1f s: its counters are programmed again, and the "
		"values of this sample are empty",
		(double)slept / 1e9);
	return true;
}

static void begin_reading(struct poller *poller, enum read_reason reason)
{
	struct platform *p = poller->platform;
	struct frame *frame = &poller->frame;
	const uint64_t now = p->ops->clock->now(p);

	frame->sample = reason == READ_SAMPLE;
	frame->wall_ns = p->ops->clock->wall(p);
	frame->at_ns = now;
	if (frame->sample)
		frame->missed += timetable_begin_sample(&poller->times, now);
	else
		timetable_begin(&poller->times, now);
}

int poller_read(struct poller *poller, enum read_reason reason, struct error *err)
{
	struct platform *p = poller->platform;
	uint64_t frozen_ns = 0;

	begin_reading(poller, reason);
	const int rc = was_suspended(poller)
			       ? poller->backend->resume(poller, err)
			       : poller->backend->read(poller, reason, &frozen_ns, err);
	poller->frame.frozen_ns += frozen_ns;
	if (reason == READ_ROTATE)
		timetable_end_rotation(&poller->times, p->ops->clock->now(p));
	return rc;
}

void poller_skip(struct poller *poller, enum read_reason reason)
{
	const uint64_t now = poller->platform->ops->clock->now(poller->platform);

	switch (reason) {
	case READ_BETWEEN:
		timetable_begin(&poller->times, now);
		if (poller->backend->read_undelivered)
			poller->backend->read_undelivered(poller);
		break;
	case READ_ROTATE:
		timetable_end_rotation(&poller->times, now);
		break;
	case READ_SAMPLE:
		poller->frame.skipped++;
		poller->frame.missed += timetable_skip_sample(&poller->times, now);
		break;
	case READ_START:
		break;
	}
}

const struct frame *poller_frame(const struct poller *poller)
{
	return &poller->frame;
}

int poller_stop(struct poller *poller, struct error *err)
{
	if (!poller->running)
		return 0;
	const int rc = poller->backend->stop(poller, err);
	poller->running = rc != 0;
	return rc;
}
