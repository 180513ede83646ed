/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_perf.h"

#include <errno.h>
#include <stdlib.h>

#include "platform/number.h"
#include "platform/perf_reason.h"
#include "sim/sim_clock.h"
#include "sim/sim_event.h"

#define ROTATION_NS UINT64_C(4000000) /* perf_event_mux_interval_ms */
#define POLL_NS	    (60 * NS_PER_S) /* counters are read at least as often, before they wrap twice */

#define DENIED_PARANOID 2 /* the kernel's default */

struct sim_domain;

/* Events that count together, or not at all. */
struct sim_group {
	struct sim_event *members[PERF_GROUP_MAX]; /* the leader first */
	size_t size;
	struct sim_domain *domain;
	struct sim_group *next; /* in the domain */
	bool enabled, running;
	bool dropped;	/* its CPU went offline */
	uint64_t since; /* both times are those up to it */
	uint64_t enabled_ns, running_ns;
};

/* What shares counters: a unit, or the core PMU of a CPU. */
struct sim_domain {
	struct sim_group *groups; /* in the order in which they get counters */
	bool multiplexed;	  /* some enabled group has none */
};

struct sim_perf {
	struct sim_pmus pmus;
	struct sim_domain *domains; /* of each unit, then of each CPU */
	struct sim_event **events;  /* by handle; NULL: free */
	size_t event_count, room;
	size_t multiplexed; /* domains */
	uint64_t polled;    /* when all counters were read last */
};

static struct sim_perf *get_perf(struct sim *sim)
{
	struct sim_perf *perf = sim->perf;

	if (perf)
		return perf;
	perf = calloc(1, sizeof(*perf));
	if (!perf)
		return NULL;
	perf->domains = calloc(sim->unit_count + sim->core_count, sizeof(*perf->domains));
	if (!perf->domains || sim_pmus_make(sim, &perf->pmus)) {
		free(perf->domains);
		free(perf);
		return NULL;
	}
	perf->polled = sim->now;
	sim->perf = perf;
	return perf;
}

static struct sim_domain *domain_of(const struct sim *sim, const struct sim_event *event)
{
	const size_t index =
		event->unit ? (size_t)(event->unit - sim->units) : sim->unit_count + event->cpu;

	return &sim->perf->domains[index];
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

static void update_times(struct sim *sim, struct sim_group *group)
{
	const uint64_t passed = sim->now - group->since;

	group->enabled_ns += group->enabled ? passed : 0;
	group->running_ns += group->running ? passed : 0;
	group->since = sim->now;
}

static void update_counts(struct sim *sim, struct sim_group *group)
{
	for (size_t i = 0; group->running && i < group->size; i++)
		sim_event_update(sim, group->members[i]);
}

/* Groups on counters, in order, and one more. */
struct candidates {
	struct sim_event *events[SIM_MAX_COUNTERS + SIM_FIXED_COUNTERS + PERF_GROUP_MAX];
	int counters[SIM_MAX_COUNTERS + SIM_FIXED_COUNTERS + PERF_GROUP_MAX];
	size_t count;
};

static void add_candidates(struct candidates *c, const struct sim_group *group)
{
	for (size_t i = 0; i < group->size; i++)
		if (group->members[i]->counters)
			c->events[c->count++] = group->members[i];
}

/* The lowest one; fixed counters are preferred. */
static int choose_counter(uint64_t free)
{
	const uint64_t fixed = free >> SIM_FIXED_COUNTER;

	return fixed ? SIM_FIXED_COUNTER + __builtin_ctzll(fixed) : __builtin_ctzll(free);
}

/* As the kernel assigns counters: events that fit on the fewest first, otherwise in order. */
static bool assign_counters(struct candidates *c)
{
	uint64_t used = 0;

	for (int weight = 1; weight <= SIM_MAX_COUNTERS; weight++) {
		for (size_t i = 0; i < c->count; i++) {
			const uint64_t counters = c->events[i]->counters;

			if (__builtin_popcountll(counters) != weight)
				continue;
			if (!(counters & ~used))
				return false;
			c->counters[i] = choose_counter(counters & ~used);
			used |= UINT64_C(1) << c->counters[i];
		}
	}
	return true;
}

static void release_offcore(struct sim_group *group)
{
	for (size_t i = 0; i < group->size; i++)
		group->members[i]->holds_offcore = false;
}

static bool claim_offcore(struct sim *sim, struct sim_group *group)
{
	const struct sim_perf *perf = sim->perf;

	for (size_t i = 0; i < group->size; i++)
		if (!sim_event_claim_offcore(sim, group->members[i], perf->events,
					     perf->event_count)) {
			release_offcore(group);
			return false;
		}
	return true;
}

/* Adds a group to those that have counters, if all of its events fit beside them. */
static bool place_group(struct sim *sim, struct candidates *c, struct sim_group *group)
{
	const size_t count = c->count;

	add_candidates(c, group);
	if (assign_counters(c) && claim_offcore(sim, group))
		return true;
	c->count = count;
	return false;
}

/* An event on the domain's registers; NULL: all of them need no counter. */
static const struct sim_event *any_event(const struct sim_domain *domain)
{
	for (const struct sim_group *group = domain->groups; group; group = group->next)
		for (size_t i = 0; i < group->size; i++)
			if (group->members[i]->counters)
				return group->members[i];
	return NULL;
}

static void disable_pmu(struct sim *sim, const struct sim_domain *domain)
{
	if (any_event(domain))
		sim_event_disable_pmu(sim, any_event(domain));
}

static void enable_pmu(struct sim *sim, const struct sim_domain *domain)
{
	if (any_event(domain))
		sim_event_enable_pmu(sim, any_event(domain));
}

/* Between disable_pmu() and enable_pmu(), as start_groups(). */
static void stop_group(struct sim *sim, struct sim_group *group)
{
	update_times(sim, group);
	for (size_t i = 0; group->running && i < group->size; i++)
		sim_event_stop(sim, group->members[i]);
	group->running = false;
}

static void set_multiplexed(struct sim *sim, struct sim_domain *domain, bool multiplexed)
{
	sim->perf->multiplexed += multiplexed;
	sim->perf->multiplexed -= domain->multiplexed;
	domain->multiplexed = multiplexed;
}

static bool needs_counter(const struct sim_group *group)
{
	for (size_t i = 0; i < group->size; i++)
		if (group->members[i]->counters)
			return true;
	return false;
}

/* From the first group that doesn't fit, none gets counters; one that needs none always counts. */
static void choose_groups(struct sim *sim, struct sim_domain *domain, struct candidates *c)
{
	bool multiplexed = false;

	for (struct sim_group *group = domain->groups; group; group = group->next) {
		if (!group->enabled)
			continue;
		group->running =
			!needs_counter(group) || (!multiplexed && place_group(sim, c, group));
		multiplexed = multiplexed || !group->running;
	}
	set_multiplexed(sim, domain, multiplexed);
}

/* None of the domain's groups is running. */
static void start_groups(struct sim *sim, struct sim_domain *domain)
{
	struct candidates c = {.count = 0};

	choose_groups(sim, domain, &c);
	assign_counters(&c); /* those of the last try may not have fitted */
	for (size_t i = 0; i < c.count; i++)
		c.events[i]->counter = c.counters[i];
	for (struct sim_group *group = domain->groups; group; group = group->next)
		for (size_t i = 0; group->running && i < group->size; i++)
			sim_event_start(sim, group->members[i]);
}

static void reschedule(struct sim *sim, struct sim_domain *domain)
{
	disable_pmu(sim, domain);
	for (struct sim_group *group = domain->groups; group; group = group->next)
		stop_group(sim, group);
	start_groups(sim, domain);
	enable_pmu(sim, domain);
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

/* The first group on counters; where there is none, the first that waits for them. */
static struct sim_group *find_first(const struct sim_domain *domain, bool running)
{
	struct sim_group *group = domain->groups;

	while (group && !(group->enabled && needs_counter(group) && group->running == running))
		group = group->next;
	return group || !running ? group : find_first(domain, false);
}

static void rotate(struct sim *sim, struct sim_domain *domain)
{
	struct sim_group *first = find_first(domain, true);

	if (first) {
		remove_group(first);
		append_group(first);
	}
	reschedule(sim, domain);
}

static void rotate_all(struct sim *sim)
{
	for (size_t i = 0; i < sim->unit_count + sim->core_count; i++)
		if (sim->perf->domains[i].multiplexed)
			rotate(sim, &sim->perf->domains[i]);
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
	const uint64_t until = sim_clock_now(sim);
	struct sim_perf *perf = sim->perf;

	while (perf) {
		const uint64_t rotation = (sim->now / ROTATION_NS + 1) * ROTATION_NS;
		const uint64_t poll = perf->polled + POLL_NS;
		const bool rotates = perf->multiplexed && rotation <= poll;

		if ((rotates ? rotation : poll) > until)
			break;
		sim->now = rotates ? rotation : poll;
		if (rotates)
			rotate_all(sim);
		else
			poll_all(sim);
	}
	sim->now = until;
}

static void drop_groups(struct sim *sim, struct sim_domain *domain)
{
	disable_pmu(sim, domain);
	for (struct sim_group *group = domain->groups; group; group = group->next) {
		stop_group(sim, group);
		group->enabled = false;
		group->dropped = true;
	}
	enable_pmu(sim, domain);
	set_multiplexed(sim, domain, false);
}

void sim_perf_cpu_offline(struct sim *sim, unsigned cpu)
{
	const struct sim_core *core = &sim->cores[cpu];

	if (!sim->perf)
		return;
	drop_groups(sim, &sim->perf->domains[sim->unit_count + cpu]);
	for (size_t i = 0; i < sim->unit_count; i++)
		if (sim->units[i].socket == core->socket && sim->units[i].cpu_die == core->die &&
		    !sim_die_online(sim, core->socket, core->die))
			drop_groups(sim, &sim->perf->domains[i]);
}

int sim_perf_pmus(struct sim *sim, struct perf_pmus *out, struct error *err)
{
	const struct sim_perf *perf = get_perf(sim);

	*out = (struct perf_pmus){0};
	return !perf || sim_pmus_list(sim, &perf->pmus, out) ? error_no_memory(err) : 0;
}

static bool is_denied(const struct sim *sim)
{
	return sim->faults.perf_denied || sim->spec.paranoid > 0;
}

/* A handle that is free; negative: -ENOMEM. */
static int find_handle(struct sim_perf *perf)
{
	struct sim_event **grown;

	for (size_t i = 0; i < perf->event_count; i++)
		if (!perf->events[i])
			return (int)i;
	if (perf->event_count == perf->room) {
		grown = reallocarray(perf->events, 2 * perf->room + 16, sizeof(struct sim_event *));
		if (!grown)
			return -ENOMEM;
		perf->events = grown;
		perf->room = 2 * perf->room + 16;
	}
	perf->events[perf->event_count] = NULL;
	return (int)perf->event_count++;
}

/* Whether all events of a group fit on counters that nobody else uses. */
static bool fits_alone(const struct sim_group *group)
{
	struct candidates c = {.count = 0};
	uint64_t values[OFFCORE_REGISTERS] = {0};

	add_candidates(&c, group);
	for (size_t i = 0; i < c.count; i++) {
		size_t r = 0;

		while (r < OFFCORE_REGISTERS && values[r] && values[r] != c.events[i]->offcore)
			r++;
		if (c.events[i]->offcore && r == OFFCORE_REGISTERS)
			return false;
		if (c.events[i]->offcore)
			values[r] = c.events[i]->offcore;
	}
	return assign_counters(&c);
}

static int new_group(struct sim *sim, struct sim_event *event)
{
	struct sim_group *group = calloc(1, sizeof(*group));

	if (!group)
		return -ENOMEM;
	group->members[group->size++] = event;
	group->domain = domain_of(sim, event);
	group->since = sim->now;
	event->group = group;
	append_group(group);
	return 0;
}

/* The time stamp counter can be in any group of its CPU. */
static int join_group(struct sim *sim, struct sim_group *group, struct sim_event *event)
{
	const bool same = event->kind == SIM_PMU_MSR ? event->cpu == group->members[0]->cpu
						     : domain_of(sim, event) == group->domain;

	if (!same || group->enabled || group->dropped)
		return -EINVAL;
	if (group->size == PERF_GROUP_MAX)
		return -E2BIG;
	group->members[group->size++] = event;
	if (!fits_alone(group)) {
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

int sim_perf_open(struct sim *sim, const struct perf_event *attributes)
{
	struct sim_perf *perf = get_perf(sim);
	struct sim_event *event;
	int rc, handle;

	if (is_denied(sim))
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

int sim_perf_enable(struct sim *sim, int leader, bool on)
{
	struct sim_group *group = find_group(sim, leader);

	if (!group)
		return find_event(sim, leader) ? -EINVAL : -EBADF;
	if (group->dropped || group->enabled == on)
		return 0;
	update_times(sim, group);
	group->enabled = on;
	if (on) {
		reschedule(sim, group->domain);
		return 0;
	}
	disable_pmu(sim, group->domain);
	stop_group(sim, group);
	enable_pmu(sim, group->domain);
	return 0;
}

int sim_perf_read(struct sim *sim, int leader, struct perf_reading *out)
{
	struct sim_group *group = find_group(sim, leader);

	if (!group)
		return find_event(sim, leader) ? -EINVAL : -EBADF;
	update_times(sim, group);
	update_counts(sim, group);
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
	remove_group(group);
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
	struct sim_domain *domain = group->domain;

	disable_pmu(sim, domain);
	stop_group(sim, group);
	enable_pmu(sim, domain);
	if (group->members[0] == event) {
		dissolve(group);
		return;
	}
	leave_group(group, event);
	if (group->enabled)
		reschedule(sim, domain);
}

void sim_perf_close(struct sim *sim, int handle)
{
	struct sim_event *event = find_event(sim, handle);

	if (!event)
		return;
	if (event->group)
		close_event(sim, event);
	sim->perf->events[handle] = NULL;
	free(event);
}

void sim_perf_explain(const struct sim *sim, int code, struct reason *out)
{
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
	free(perf->events);
	free(perf->domains);
	sim_pmus_free(&perf->pmus);
	free(perf);
	sim->perf = NULL;
}
