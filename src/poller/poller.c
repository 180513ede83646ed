/* SPDX-License-Identifier: BSD-3-Clause */
/* When counters are read: at deadlines, for rotations between them, at the start and the end. */
#include "poller/poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/number.h"
#include "poller/poller_private.h"

/* More than asking for two clocks takes, and less than any suspension */
#define SUSPENDED_NS 100000000

struct frame_size poller_frame_size(const struct plan *plan)
{
	return (struct frame_size){
		.domains = plan->domain_count,
		.units = plan->unit_count,
		.reads = plan->read_count,
	};
}

/* One element more, so that no array is empty. */
static bool allocate(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	const size_t reads = plan->read_count + 1;

	poller->sockets = calloc(plan->domain_count + 1, sizeof(*poller->sockets));
	poller->domains = calloc(plan->domain_count + 1, sizeof(*poller->domains));
	poller->units = calloc(plan->unit_count + 1, sizeof(*poller->units));
	poller->ranges = calloc(plan->unit_count + 1, sizeof(*poller->ranges));
	poller->idle = calloc(plan->group_count + 1, sizeof(*poller->idle));
	poller->counters = calloc(plan->slot_count + 1, sizeof(*poller->counters));
	poller->kept = calloc(plan->slot_count + 1, sizeof(*poller->kept));
	poller->reads = calloc(reads, sizeof(*poller->reads));
	poller->failures = calloc(reads, sizeof(*poller->failures));
	poller->previous = calloc(reads, sizeof(*poller->previous));
	poller->before_unseen = calloc(reads, sizeof(*poller->before_unseen));
	poller->frame_arrays = calloc(1, frame_bytes(poller_frame_size(plan)) + 1);
	return poller->sockets && poller->domains && poller->units && poller->ranges &&
	       poller->idle && poller->counters && poller->kept && poller->reads &&
	       poller->failures && poller->previous && poller->before_unseen &&
	       poller->frame_arrays;
}

/* Domains are in the order of their sockets. */
static void divide_by_socket(struct poller *poller)
{
	const struct plan *plan = poller->plan;
	int socket = -1;

	for (size_t d = 0; d < plan->domain_count; d++) {
		const struct unit *unit = plan->units[plan->domains[d].first_unit].unit;

		if (!d || unit->socket != socket)
			poller->sockets[poller->socket_count++] = (struct socket_job){
				.poller = poller,
				.first = d,
				.cpu = topology_first_cpu(&plan->machine->topology, unit->socket),
			};
		socket = unit->socket;
		poller->sockets[poller->socket_count - 1].end = d + 1;
	}
}

/*
 * How long counters may go unread: an occupancy of 3000 entries at 4 GHz counts half of the range
 * of 48 bits in 11.7 s, and no queue has as many. Narrower counters are read as much more often.
 */
#define MAX_GAP_NS (10 * NS_PER_S)
#define MIN_GAP_NS 1000000

static uint64_t max_gap(const struct plan *plan)
{
	uint64_t gap = MAX_GAP_NS;

	for (size_t s = 0; s < plan->slot_count; s++) {
		const int bits = __builtin_popcountll(plan->slots[s].mask);
		const uint64_t its_gap = bits < 48 ? MAX_GAP_NS >> (48 - bits) : MAX_GAP_NS;

		gap = its_gap < gap ? its_gap : gap;
	}
	return gap < MIN_GAP_NS ? MIN_GAP_NS : gap;
}

int poller_new(struct programming *programming, uint64_t interval_ns, struct poller **out,
	       struct error *err)
{
	struct poller *poller = calloc(1, sizeof(*poller));

	if (!poller)
		return error_no_memory(err);
	poller->programming = programming;
	poller->plan = programming->plan;
	poller->platform = programming->platform;
	poller->times.samples.interval = interval_ns;
	poller->times.max_gap = max_gap(poller->plan);
	if (poller->plan->max_groups > 1)
		poller->times.rotation = interval_ns / poller->plan->max_groups;
	if (!allocate(poller)) {
		poller_free(poller);
		return error_no_memory(err);
	}
	frame_lay_out(&poller->frame, poller->frame_arrays, poller_frame_size(poller->plan));
	divide_by_socket(poller);
	*out = poller;
	return 0;
}

void poller_free(struct poller *poller)
{
	if (!poller)
		return;
	poller_stop(poller, NULL);
	free(poller->sockets);
	free(poller->domains);
	free(poller->units);
	free(poller->ranges);
	free(poller->idle);
	free(poller->counters);
	free(poller->kept);
	free(poller->reads);
	free(poller->failures);
	free(poller->previous);
	free(poller->before_unseen);
	free(poller->frame_arrays);
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
	const struct timetable *times = &poller->times;
	uint64_t ns = times->samples.interval;

	if (times->rotation && times->rotation < ns)
		ns = times->rotation;
	return times->max_gap < ns ? times->max_gap : ns;
}

void poller_set_interval(struct poller *poller, uint64_t interval_ns)
{
	timetable_set_interval(&poller->times, poller->platform->ops->now(poller->platform),
			       interval_ns, poller->plan->max_groups);
}

void poller_allow_affinity(struct poller *poller)
{
	poller->binds = true;
}

int poller_start(struct poller *poller, struct error *err)
{
	struct platform *p = poller->platform;
	int rc = programming_start(poller->programming, err);

	if (rc)
		return rc;
	poller->running = true;
	poller->suspended = p->ops->suspended(p);
	rc = poller_begin(poller, err);
	if (rc) {
		poller_stop(poller, NULL);
		return rc;
	}
	poller->frame.missed = poller->frame.skipped = poller->frame.frozen_ns = 0;
	poller->frame.sample = false;
	poller->frame.wall_ns = p->ops->wall(p);
	timetable_start(&poller->times, p->ops->now(p));
	return 0;
}

int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number,
		enum read_reason *due, struct error *err)
{
	struct platform *p = poller->platform;
	uint64_t when;

	*due = timetable_next(&poller->times, &when);
	const int rc = p->ops->sleep_until(p, when, wake, signal_number);
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
	log_write(
		&p->log, LEVEL_WARNING,
		"the machine was suspended for %.1f s: its counters are programmed again, and the "
		"values of this sample are empty",
		(double)slept / 1e9);
	return true;
}

/* What was counted until then is gone: counting begins again with this frame. */
static int resume(struct poller *poller, struct error *err)
{
	const int rc = programming_reprogram(poller->programming, err);

	return rc ? rc : poller_begin_here(poller, err);
}

static void begin_reading(struct poller *poller, enum read_reason reason)
{
	struct platform *p = poller->platform;
	struct frame *frame = &poller->frame;
	const uint64_t now = p->ops->now(p);

	frame->sample = reason == READ_SAMPLE;
	frame->wall_ns = p->ops->wall(p);
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
	const int rc = was_suspended(poller) ? resume(poller, err)
					     : poller_read_domains(poller, reason, &frozen_ns, err);
	poller->frame.frozen_ns += frozen_ns;
	if (reason == READ_ROTATE)
		timetable_end_rotation(&poller->times, p->ops->now(p));
	return rc;
}

void poller_skip(struct poller *poller, enum read_reason reason)
{
	const uint64_t now = poller->platform->ops->now(poller->platform);

	switch (reason) {
	case READ_BETWEEN:
		timetable_begin(&poller->times, now);
		poller_read_unseen(poller);
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
	readers_free(poller->readers);
	poller->readers = NULL;
	const int rc = programming_restore(poller->programming, err);
	poller->running = rc != 0;
	return rc;
}
