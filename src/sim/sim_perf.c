/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_perf.h"

#include <errno.h>
#include <stdlib.h>

#include "platform/array.h"
#include "platform/number.h"
#include "platform/reason.h"
#include "sim/sim_machine.h"

#define ROTATION_NS UINT64_C(4000000) /* perf_event_mux_interval_ms */
#define POLL_NS	    (60 * NS_PER_S) /* counters are read at least as often, before they wrap twice */

#define DENIED_PARANOID 2 /* the kernel's default */

static void free_perf(struct sim_perf *perf)
{
	sim_schedule_free(&perf->schedule);
	sim_pmus_free(&perf->pmus);
	free(perf->events);
	free(perf);
}

static struct sim_perf *get_perf(struct sim *sim)
{
	struct sim_perf *perf = sim->perf;

	if (perf)
		return perf;
	perf = calloc(1, sizeof(*perf));
	if (!perf)
		return NULL;
	if (sim_schedule_init(&perf->schedule, sim) || sim_pmus_make(sim, &perf->pmus)) {
		free_perf(perf);
		return NULL;
	}
	perf->polled = sim->now;
	sim->perf = perf;
	return perf;
}

static struct sim_event *find_event(const struct sim *sim, int handle)
{
	const struct sim_perf *perf = sim->perf;

	return perf && handle >= 0 && (size_t)handle < perf->event_count ? perf->events[handle]
									 : NULL;
}

/* NULL: no event has this handle, or it is not the first one of a group. */
static struct sim_group *find_group(const struct sim *sim, int leader)
{
	const struct sim_event *event = find_event(sim, leader);

	return event && event->group && event->group->members[0] == event ? event->group : NULL;
}

static void poll_all(struct sim *sim)
{
	struct sim_perf *perf = sim->perf;

	for (size_t i = 0; i < perf->event_count; i++)
		if (perf->events[i] && perf->events[i]->group && perf->events[i]->group->running)
			sim_event_update(sim, perf->events[i]);
	perf->polled = sim->now;
}

void sim_perf_catch_up(struct sim *sim)
{
	const uint64_t until = sim_now(sim);
	struct sim_perf *perf = sim->perf;

	while (perf) {
		const uint64_t rotation = (sim->now / ROTATION_NS + 1) * ROTATION_NS;
		const uint64_t poll = perf->polled + POLL_NS;
		const bool rotates = perf->schedule.multiplexed && rotation <= poll;

		if ((rotates ? rotation : poll) > until)
			break;
		sim->now = rotates ? rotation : poll;
		if (rotates)
			sim_schedule_rotate(&perf->schedule);
		else
			poll_all(sim);
	}
	sim->now = until;
}

struct sim *sim_begin_access(struct platform *p)
{
	struct sim *sim = sim_of(p);

	sim->virtual_now += sim->access_time;
	sim_perf_catch_up(sim);
	return sim;
}

int sim_perf_pmus(struct platform *p, struct perf_pmus *out, struct error *err)
{
	struct sim *sim = sim_begin_access(p);
	const struct sim_perf *perf = get_perf(sim);

	*out = (struct perf_pmus){0};
	return !perf || sim_pmus_list(sim, &perf->pmus, out) ? error_no_memory(err) : 0;
}

/* A handle that is free; negative: -ENOMEM. */
static int find_handle(struct sim_perf *perf)
{
	for (size_t i = 0; i < perf->event_count; i++)
		if (!perf->events[i])
			return (int)i;
	if (array_room(&perf->events, perf->event_count, 1, sizeof(*perf->events)))
		return -ENOMEM;
	perf->events[perf->event_count] = NULL;
	return (int)perf->event_count++;
}

static int new_group(struct sim *sim, struct sim_event *event)
{
	struct sim_group *group = calloc(1, sizeof(*group));

	if (!group)
		return -ENOMEM;
	group->members[group->size++] = event;
	group->domain = sim_schedule_domain(&sim->perf->schedule, event);
	group->since = sim->now;
	event->group = group;
	sim_group_append(group);
	return 0;
}

/* The time stamp counter can be in any group of its CPU. */
static int join_group(struct sim *sim, struct sim_group *group, struct sim_event *event)
{
	const struct sim_domain *domain = sim_schedule_domain(&sim->perf->schedule, event);
	const bool same = event->kind == SIM_PMU_MSR ? event->cpu == group->members[0]->cpu
						     : domain == group->domain;

	if (!same || group->enabled || group->dropped)
		return -EINVAL;
	if (group->size == PERF_GROUP_MAX)
		return -E2BIG;
	group->members[group->size++] = event;
	if (!sim_event_is_unchecked(event) && !sim_group_fits(group)) {
		group->size--;
		return -EINVAL;
	}
	event->group = group;
	return 0;
}

static int add_event(struct sim *sim, const struct perf_event *attributes, struct sim_event *event)
{
	const struct sim_pmu *pmu = sim_find_pmu(sim, &sim->perf->pmus, attributes->type);
	struct sim_group *group = find_group(sim, attributes->leader);
	int rc;

	if (attributes->cpu >= sim->core_count)
		return -EINVAL;
	if (!sim->cores[attributes->cpu].online)
		return -ENODEV;
	if (attributes->leader >= 0 && !find_event(sim, attributes->leader))
		return -EBADF;
	if (attributes->leader >= 0 && !group)
		return -EINVAL;
	if (!pmu)
		return -ENOENT;
	rc = sim_event_init(sim, pmu, attributes, event);
	if (rc)
		return rc;
	return group ? join_group(sim, group, event) : new_group(sim, event);
}

int sim_perf_open(struct platform *p, const struct perf_event *attributes)
{
	struct sim *sim = sim_begin_access(p);
	struct sim_perf *perf = get_perf(sim);
	struct sim_event *event;
	int rc, handle;

	if (sim->spec.paranoid > 0)
		return -EACCES;
	event = calloc(1, sizeof(*event));
	handle = perf && event ? find_handle(perf) : -ENOMEM;
	rc = handle < 0 ? handle : add_event(sim, attributes, event);
	if (rc) {
		free(event);
		return rc;
	}
	perf->events[handle] = event;
	return handle;
}

int sim_perf_enable(struct platform *p, int leader, bool on)
{
	struct sim *sim = sim_begin_access(p);
	struct sim_group *group = find_group(sim, leader);

	if (!group)
		return find_event(sim, leader) ? -EINVAL : -EBADF;
	if (group->dropped || group->enabled == on)
		return 0;
	sim_group_update(sim, group);
	group->enabled = on;
	if (on)
		sim_schedule_groups(&sim->perf->schedule, group->domain);
	else
		sim_schedule_stop(&sim->perf->schedule, group);
	return 0;
}

int sim_perf_read(struct platform *p, int leader, struct perf_reading *out)
{
	struct sim *sim = sim_begin_access(p);
	struct sim_group *group = find_group(sim, leader);

	if (!group)
		return find_event(sim, leader) ? -EINVAL : -EBADF;
	sim_group_update(sim, group);
	/* the kernel takes a group apart when it drops it: the leader is left */
	out->count = group->dropped ? 1 : group->size;
	out->enabled_ns = group->enabled_ns;
	out->running_ns = group->running_ns;
	for (size_t i = 0; i < out->count; i++)
		out->values[i] = group->members[i]->count;
	return 0;
}

/* Its other events are not in a group from then on, and count nothing. */
static void dissolve(struct sim_group *group)
{
	for (size_t i = 0; i < group->size; i++)
		group->members[i]->group = NULL;
	sim_group_remove(group);
	free(group);
}

static void leave_group(struct sim_group *group, const struct sim_event *event)
{
	size_t kept = 0;

	for (size_t i = 0; i < group->size; i++)
		if (group->members[i] != event)
			group->members[kept++] = group->members[i];
	group->size = kept;
}

/* The events that remain of a group go on. */
static void close_event(struct sim *sim, struct sim_event *event)
{
	struct sim_group *group = event->group;
	struct sim_schedule *schedule = &sim->perf->schedule;

	sim_schedule_stop(schedule, group);
	if (group->members[0] == event) {
		dissolve(group);
		return;
	}
	leave_group(group, event);
	if (group->enabled)
		sim_schedule_groups(schedule, group->domain);
}

void sim_perf_close(struct platform *p, int handle)
{
	struct sim *sim = sim_begin_access(p);
	struct sim_event *event = find_event(sim, handle);

	if (!event)
		return;
	if (event->group)
		close_event(sim, event);
	sim->perf->events[handle] = NULL;
	free(event);
}

void sim_perf_explain(struct platform *p, int code, struct reason *out)
{
	const struct sim *sim = sim_of(p);
	const struct perf_rights rights = {.paranoid = sim->spec.paranoid ? (int)sim->spec.paranoid
									  : DENIED_PARANOID};

	perf_explain_code(code, &rights, out);
}

void sim_perf_free(struct sim *sim)
{
	struct sim_perf *perf = sim->perf;

	if (!perf)
		return;
	for (size_t i = 0; i < perf->event_count; i++)
		if (perf->events[i] && perf->events[i]->group)
			dissolve(perf->events[i]->group);
	for (size_t i = 0; i < perf->event_count; i++)
		free(perf->events[i]);
	free_perf(perf);
	sim->perf = NULL;
}
