/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_perf.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/number.h"
#include "linux/perf/perf.h"
#include "platform/perf.h"
#include "sim/sim_machine.h"

#define ROTATION_NS UINT64_C(4000000) /* perf_event_mux_interval_ms */
#define POLL_NS	    (60 * NS_PER_S) /* counters are read at least as often, before they wrap twice */

#define DENIED_PARANOID 2 /* the kernel's default */

/* Events that have counters and, if they need one, an offcore response register. */
#define MAX_PLACED (SIM_MAX_COUNTERS + SIM_FIXED_COUNTERS + PERF_GROUP_MAX)
struct placement {
	struct sim_event *events[MAX_PLACED];
	int counters[MAX_PLACED];
	size_t count;
	uint64_t offcore[OFFCORE_REGISTERS]; /* 0: free */
};

/* Returns the lowest one of counters; fixed counters are preferred. */
static int choose_counter(uint64_t free)
{
	const uint64_t fixed = free >> SIM_FIXED_COUNTER;

	return fixed ? SIM_FIXED_COUNTER + __builtin_ctzll(fixed) : __builtin_ctzll(free);
}

/* Assigns counters first to events that fit on the fewest, otherwise in order. */
static bool assign_counters(struct placement *p)
{
	uint64_t used = 0;

	for (int weight = 1; weight <= SIM_MAX_COUNTERS; weight++) {
		for (size_t i = 0; i < p->count; i++) {
			const uint64_t counters = p->events[i]->counters;

			if (__builtin_popcountll(counters) != weight)
				continue;
			if (!(counters & ~used))
				return false;
			p->counters[i] = choose_counter(counters & ~used);
			used |= UINT64_C(1) << p->counters[i];
		}
	}
	return true;
}

/* Takes the register that the event's control selects, or another one. */
static bool take_register(struct placement *p, struct sim_event *event)
{
	const unsigned first = event->control & 1; /* event 0x2B: the second one */

	for (unsigned i = 0; i < OFFCORE_REGISTERS; i++) {
		const unsigned r = first ^ i;

		if (p->offcore[r] && p->offcore[r] != event->offcore)
			continue;
		p->offcore[r] = event->offcore;
		event->control = (event->control & ~UINT64_C(0xFF)) | (0x2A + r);
		return true;
	}
	return false;
}

/* Gives counters to a group if all of its events fit with those of the groups before. */
static bool place_group(struct placement *p, const struct sim_group *group)
{
	const struct placement before = *p;
	bool fits = true;

	for (size_t i = 0; fits && i < group->size; i++) {
		struct sim_event *event = group->members[i];

		if (event->counters)
			p->events[p->count++] = event;
		fits = !event->offcore || take_register(p, event);
	}
	if (fits && assign_counters(p))
		return true;
	*p = before;
	return false;
}

static bool needs_counter(const struct sim_group *group)
{
	for (size_t i = 0; i < group->size; i++)
		if (group->members[i]->counters)
			return true;
	return false;
}

static void freeze_pmu(struct sim *sim, const struct sim_domain *domain, bool on)
{
	for (const struct sim_group *group = domain->groups; group; group = group->next)
		for (size_t i = 0; i < group->size; i++)
			if (group->members[i]->counters) {
				sim_event_freeze_pmu(sim, group->members[i], on);
				return;
			}
}

static void update_times(const struct sim *sim, struct sim_group *group)
{
	const uint64_t passed = sim->now - group->since;

	group->enabled_ns += group->enabled ? passed : 0;
	group->running_ns += group->running ? passed : 0;
	group->since = sim->now;
}

/* Updates times and counts. */
static void update_group(struct sim *sim, struct sim_group *group)
{
	update_times(sim, group);
	for (size_t i = 0; group->running && i < group->size; i++)
		sim_event_update(sim, group->members[i]);
}

/* Stops a group, while the PMU is frozen. */
static void stop_group(struct sim *sim, struct sim_group *group)
{
	update_times(sim, group);
	for (size_t i = 0; group->running && i < group->size; i++)
		sim_event_stop(sim, group->members[i]);
	group->running = false;
}

/*
 * Gives counters to groups; none of the domain's groups is running. No group after one that does
 * not fit gets counters; a group that needs none always counts.
 */
static void start_groups(struct sim *sim, struct sim_domain *domain)
{
	struct placement p = {.count = 0};
	bool multiplexed = false;

	for (struct sim_group *group = domain->groups; group; group = group->next) {
		group->running = group->enabled && (!needs_counter(group) ||
						    (!multiplexed && place_group(&p, group)));
		multiplexed = multiplexed || (group->enabled && !group->running);
	}
	for (size_t i = 0; i < p.count; i++)
		p.events[i]->counter = p.counters[i];
	for (struct sim_group *group = domain->groups; group; group = group->next)
		for (size_t i = 0; group->running && i < group->size; i++)
			sim_event_start(sim, group->members[i]);
}

/* Gives counters to the enabled groups of a domain. */
static void schedule_groups(struct sim *sim, struct sim_domain *domain)
{
	freeze_pmu(sim, domain, true);
	for (struct sim_group *group = domain->groups; group; group = group->next)
		stop_group(sim, group);
	start_groups(sim, domain);
	freeze_pmu(sim, domain, false);
}

void sim_group_stop(struct sim *sim, struct sim_group *group)
{
	const bool running = group->running;

	if (running)
		freeze_pmu(sim, group->domain, true);
	stop_group(sim, group);
	if (running)
		freeze_pmu(sim, group->domain, false);
}

static void remove_group(struct sim_group *group)
{
	struct sim_group **link = &group->domain->groups;

	while (*link != group)
		link = &(*link)->next;
	*link = group->next;
	group->next = NULL;
}

static void append_group(struct sim_group *group)
{
	struct sim_group **link = &group->domain->groups;

	while (*link)
		link = &(*link)->next;
	*link = group;
}

static bool is_multiplexed(const struct sim_domain *domain)
{
	const struct sim_group *group = domain->groups;

	while (group && !(group->enabled && !group->running))
		group = group->next;
	return group != NULL;
}

/* Returns the first group on counters or, if there is none, the first that waits for them. */
static struct sim_group *find_first(const struct sim_domain *domain)
{
	struct sim_group *waiting = NULL;

	for (struct sim_group *group = domain->groups; group; group = group->next) {
		if (!group->enabled || !needs_counter(group))
			continue;
		if (group->running)
			return group;
		waiting = waiting ? waiting : group;
	}
	return waiting;
}

/* Rotates all domains that are multiplexed. */
static void rotate_events(struct sim *sim)
{
	for (struct sim_domain *domain = sim->perf->domains; domain; domain = domain->next) {
		if (!is_multiplexed(domain))
			continue;
		struct sim_group *first = find_first(domain);

		remove_group(first);
		append_group(first);
		schedule_groups(sim, domain);
	}
}

/* The interface of the kernel. */

static struct sim_perf *get_perf(struct sim *sim)
{
	struct sim_perf *perf = sim->perf ? NULL : calloc(1, sizeof(*perf));

	if (!perf)
		return sim->perf;
	if (sim_pmus_make(sim, &perf->pmus)) {
		free(perf);
		return NULL;
	}
	perf->polled = sim->now;
	return sim->perf = perf;
}

static struct sim_event *find_event(const struct sim *sim, int handle)
{
	const struct sim_perf *perf = sim->perf;

	return perf && handle >= 0 && (size_t)handle < perf->event_count ? perf->events[handle]
									 : NULL;
}

/*
 * Returns the group of a handle. NULL: no event has this handle, or it is not the first one of a
 * group.
 */
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

static bool needs_rotation(const struct sim_perf *perf)
{
	const struct sim_domain *domain = perf->domains;

	while (domain && !is_multiplexed(domain))
		domain = domain->next;
	return domain != NULL;
}

void sim_perf_catch_up(struct sim *sim)
{
	const uint64_t until = sim_now(sim);
	struct sim_perf *perf = sim->perf;

	while (perf) {
		const uint64_t rotation = (sim->now / ROTATION_NS + 1) * ROTATION_NS;
		const uint64_t poll = perf->polled + POLL_NS;
		const bool rotates = rotation <= until && rotation <= poll && needs_rotation(perf);

		if (!rotates && poll > until)
			break;
		sim->now = rotates ? rotation : poll;
		if (rotates)
			rotate_events(sim);
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

/* Returns a free handle; negative: -ENOMEM. */
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

/* Returns the counters that the event shares with others. */
static const void *counters_of(const struct sim *sim, const struct sim_event *event)
{
	return event->pmu->cpmu ? (const void *)event->pmu->cpmu
	       : event->unit	? (const void *)event->unit
				: (const void *)&sim->cores[event->cpu];
}

/* Returns the domain of these counters, which is made if need be. NULL: no memory. */
static struct sim_domain *get_domain(struct sim_perf *perf, const void *counters)
{
	struct sim_domain **link = &perf->domains;

	while (*link && (*link)->counters != counters)
		link = &(*link)->next;
	if (!*link && (*link = calloc(1, sizeof(**link))))
		(*link)->counters = counters;
	return *link;
}

static int new_group(struct sim *sim, struct sim_event *event)
{
	struct sim_group *group = calloc(1, sizeof(*group));

	if (!group)
		return -ENOMEM;
	group->members[group->size++] = event;
	group->domain = get_domain(sim->perf, counters_of(sim, event));
	if (!group->domain) {
		free(group);
		return -ENOMEM;
	}
	group->since = sim->now;
	event->group = group;
	append_group(group);
	return 0;
}

/* The time stamp counter can be in any group of its CPU. */
static int join_group(struct sim *sim, struct sim_group *group, struct sim_event *event)
{
	const bool same = event->pmu->kind == SIM_PMU_MSR
				  ? event->cpu == group->members[0]->cpu
				  : counters_of(sim, event) == group->domain->counters;
	struct placement alone = {.count = 0};

	if (!same || group->enabled || group->dropped)
		return -EINVAL;
	if (group->size == PERF_GROUP_MAX)
		return -E2BIG;
	group->members[group->size++] = event;
	if (!sim_event_is_unchecked(event) && !place_group(&alone, group)) {
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
	struct perf_event on_cpu;
	int rc;

	if (attributes->thread) {
		on_cpu = *attributes;
		on_cpu.cpu = attributes->thread % (unsigned)sim->core_count;
		attributes = &on_cpu;
	}
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

int sim_perf_threads(struct platform *p, unsigned pid, unsigned **out, size_t *count,
		     struct error *err)
{
	(void)p;
	*out = malloc(sizeof(**out));
	if (!*out)
		return error_no_memory(err);
	**out = pid;
	*count = 1;
	return 0;
}

/*
 * Checks perf_event_paranoid as in the kernel's sysctl/kernel.rst: whole CPUs up to 0, a process up
 * to 1, or 2 without the kernel.
 */
static bool is_allowed(const struct sim *sim, const struct perf_event *attributes)
{
	const unsigned most = !attributes->thread ? 0 : attributes->exclude_kernel ? 2 : 1;

	return sim->spec.paranoid <= most;
}

int sim_perf_open(struct platform *p, const struct perf_event *attributes)
{
	struct sim *sim = sim_begin_access(p);
	struct sim_perf *perf = get_perf(sim);
	struct sim_event *event;
	int rc, handle;

	if (!is_allowed(sim, attributes))
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
	update_group(sim, group);
	group->enabled = on;
	if (on)
		schedule_groups(sim, group->domain);
	else
		sim_group_stop(sim, group);
	return 0;
}

int sim_perf_read(struct platform *p, int leader, struct perf_reading *out)
{
	struct sim *sim = sim_begin_access(p);
	struct sim_group *group = find_group(sim, leader);

	if (!group)
		return find_event(sim, leader) ? -EINVAL : -EBADF;
	update_group(sim, group);
	/* the kernel takes a group apart when it drops it: the leader is left */
	out->count = group->dropped ? 1 : group->size;
	out->enabled_ns = group->enabled_ns;
	out->running_ns = group->running_ns;
	for (size_t i = 0; i < out->count; i++)
		out->values[i] = group->members[i]->count;
	return 0;
}

/*
 * Removes an event from its group, which continues without it. The members of a closed leader are
 * in no group any more, and count nothing.
 */
static void leave_group(struct sim *sim, struct sim_event *event)
{
	struct sim_group *group = event->group;
	size_t kept = 0;

	sim_group_stop(sim, group);
	if (group->members[0] == event) {
		for (size_t i = 0; i < group->size; i++)
			group->members[i]->group = NULL;
		remove_group(group);
		free(group);
		return;
	}
	for (size_t i = 0; i < group->size; i++)
		if (group->members[i] != event)
			group->members[kept++] = group->members[i];
	group->size = kept;
	if (group->enabled)
		schedule_groups(sim, group->domain);
}

void sim_perf_close(struct platform *p, int handle)
{
	struct sim *sim = sim_begin_access(p);
	struct sim_event *event = find_event(sim, handle);

	if (!event)
		return;
	if (event->group)
		leave_group(sim, event);
	sim->perf->events[handle] = NULL;
	free(event);
}

void sim_perf_explain(struct platform *p, int code, struct error *out)
{
	const struct sim *sim = sim_of(p);
	const struct perf_rights rights = {.paranoid = sim->spec.paranoid ? (int)sim->spec.paranoid
									  : DENIED_PARANOID};

	perf_explain_code(code, &rights, out);
}

void sim_perf_free(struct sim *sim)
{
	struct sim_perf *perf = sim->perf;
	struct sim_domain *domain;
	struct sim_group *group;

	if (!perf)
		return;
	while ((domain = perf->domains)) {
		while ((group = domain->groups)) {
			domain->groups = group->next;
			free(group);
		}
		perf->domains = domain->next;
		free(domain);
	}
	for (size_t i = 0; i < perf->event_count; i++)
		free(perf->events[i]);
	free(perf->events);
	free(perf->pmus.items);
	free(perf);
}
