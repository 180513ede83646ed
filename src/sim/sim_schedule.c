/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_schedule.h"

#include <errno.h>
#include <stdlib.h>

/* Those on counters, and another group. */
#define MAX_CANDIDATES (SIM_MAX_COUNTERS + SIM_FIXED_COUNTERS + PERF_GROUP_MAX)

struct candidates {
	struct sim_event *events[MAX_CANDIDATES];
	int counters[MAX_CANDIDATES];
	size_t count;
};

static size_t domain_count(const struct sim *sim)
{
	return sim->unit_count + sim->core_count + sim->cpmu_count;
}

int sim_schedule_init(struct sim_schedule *schedule, struct sim *sim)
{
	*schedule = (struct sim_schedule){.sim = sim};
	schedule->domains = calloc(domain_count(sim), sizeof(*schedule->domains));
	return schedule->domains ? 0 : -ENOMEM;
}

void sim_schedule_free(struct sim_schedule *schedule)
{
	free(schedule->domains);
	schedule->domains = NULL;
}

static struct sim_domain *domain_of_cpu(const struct sim_schedule *schedule, unsigned cpu)
{
	return &schedule->domains[schedule->sim->unit_count + cpu];
}

struct sim_domain *sim_schedule_domain(const struct sim_schedule *schedule,
				       const struct sim_event *event)
{
	const struct sim *sim = schedule->sim;

	if (event->cpmu)
		return &schedule->domains[sim->unit_count + sim->core_count +
					  (size_t)(event->cpmu - sim->cpmus)];
	return event->unit ? &schedule->domains[event->unit - schedule->sim->units]
			   : domain_of_cpu(schedule, event->cpu);
}

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

/* Events that fit on the fewest counters first, otherwise in order. */
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

/* The register that the event selects, or another one; both threads of a core share them. */
static bool find_register(const struct sim_event *event,
			  const struct sim_offcore registers[OFFCORE_REGISTERS], unsigned *r)
{
	const unsigned first = sim_event_offcore_register(event);

	for (unsigned i = 0; i < OFFCORE_REGISTERS; i++) {
		*r = first ^ i;
		if (!registers[*r].users || registers[*r].value == event->offcore)
			return true;
	}
	return false;
}

static bool take_register(struct sim_event *event, struct sim_offcore registers[OFFCORE_REGISTERS])
{
	unsigned r;

	if (!find_register(event, registers, &r))
		return false;
	registers[r].value = event->offcore;
	registers[r].users++;
	sim_event_select_offcore(event, r);
	return true;
}

static bool offcore_fits(const struct candidates *c)
{
	struct sim_offcore registers[OFFCORE_REGISTERS] = {{0}};

	for (size_t i = 0; i < c->count; i++)
		if (c->events[i]->offcore && !take_register(c->events[i], registers))
			return false;
	return true;
}

bool sim_group_fits(const struct sim_group *group)
{
	struct candidates c = {.count = 0};

	add_candidates(&c, group);
	return assign_counters(&c) && offcore_fits(&c);
}

static struct sim_offcore *registers_of(const struct sim_schedule *schedule,
					const struct sim_event *event)
{
	const unsigned thread = schedule->sim->cores[event->cpu].first_thread;

	return domain_of_cpu(schedule, thread)->offcore;
}

static void release_registers(struct sim_schedule *schedule, const struct sim_group *group)
{
	for (size_t i = 0; i < group->size; i++) {
		struct sim_event *event = group->members[i];

		if (event->holds_offcore)
			registers_of(schedule, event)[sim_event_offcore_register(event)].users--;
		event->holds_offcore = false;
	}
}

static bool take_registers(struct sim_schedule *schedule, const struct sim_group *group)
{
	for (size_t i = 0; i < group->size; i++) {
		struct sim_event *event = group->members[i];

		if (!event->offcore)
			continue;
		event->holds_offcore = take_register(event, registers_of(schedule, event));
		if (!event->holds_offcore) {
			release_registers(schedule, group);
			return false;
		}
	}
	return true;
}

/* Adds a group to those that have counters, if all of its events fit beside them. */
static bool place_group(struct sim_schedule *schedule, struct candidates *c,
			const struct sim_group *group)
{
	const size_t count = c->count;

	add_candidates(c, group);
	if (assign_counters(c) && take_registers(schedule, group))
		return true;
	c->count = count;
	return false;
}

static bool needs_counter(const struct sim_group *group)
{
	for (size_t i = 0; i < group->size; i++)
		if (group->members[i]->counters)
			return true;
	return false;
}

/* An event on the domain's registers; NULL: none of its events needs a counter. */
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
	const struct sim_event *event = any_event(domain);

	if (event)
		sim_event_disable_pmu(sim, event);
}

static void enable_pmu(struct sim *sim, const struct sim_domain *domain)
{
	const struct sim_event *event = any_event(domain);

	if (event)
		sim_event_enable_pmu(sim, event);
}

static void update_times(const struct sim *sim, struct sim_group *group)
{
	const uint64_t passed = sim->now - group->since;

	group->enabled_ns += group->enabled ? passed : 0;
	group->running_ns += group->running ? passed : 0;
	group->since = sim->now;
}

void sim_group_update(struct sim *sim, struct sim_group *group)
{
	update_times(sim, group);
	for (size_t i = 0; group->running && i < group->size; i++)
		sim_event_update(sim, group->members[i]);
}

/* While the PMU is disabled. */
static void stop_group(struct sim_schedule *schedule, struct sim_group *group)
{
	update_times(schedule->sim, group);
	if (!group->running)
		return;
	for (size_t i = 0; i < group->size; i++)
		sim_event_stop(schedule->sim, group->members[i]);
	release_registers(schedule, group);
	group->running = false;
}

static void set_multiplexed(struct sim_schedule *schedule, struct sim_domain *domain,
			    bool multiplexed)
{
	schedule->multiplexed += multiplexed;
	schedule->multiplexed -= domain->multiplexed;
	domain->multiplexed = multiplexed;
}

/* Behind one that doesn't fit, none gets counters; a group that needs none always counts. */
static void choose_groups(struct sim_schedule *schedule, struct sim_domain *domain,
			  struct candidates *c)
{
	bool multiplexed = false;

	for (struct sim_group *group = domain->groups; group; group = group->next) {
		if (!group->enabled)
			continue;
		group->running =
			!needs_counter(group) || (!multiplexed && place_group(schedule, c, group));
		multiplexed = multiplexed || !group->running;
	}
	set_multiplexed(schedule, domain, multiplexed);
}

/* None of the domain's groups is running. */
static void start_groups(struct sim_schedule *schedule, struct sim_domain *domain)
{
	struct candidates c = {.count = 0};

	choose_groups(schedule, domain, &c);
	assign_counters(&c); /* once more: the last group tried may have displaced others */
	for (size_t i = 0; i < c.count; i++)
		c.events[i]->counter = c.counters[i];
	for (struct sim_group *group = domain->groups; group; group = group->next)
		for (size_t i = 0; group->running && i < group->size; i++)
			sim_event_start(schedule->sim, group->members[i]);
}

void sim_schedule_groups(struct sim_schedule *schedule, struct sim_domain *domain)
{
	disable_pmu(schedule->sim, domain);
	for (struct sim_group *group = domain->groups; group; group = group->next)
		stop_group(schedule, group);
	start_groups(schedule, domain);
	enable_pmu(schedule->sim, domain);
}

void sim_schedule_stop(struct sim_schedule *schedule, struct sim_group *group)
{
	update_times(schedule->sim, group);
	if (!group->running)
		return;
	disable_pmu(schedule->sim, group->domain);
	stop_group(schedule, group);
	enable_pmu(schedule->sim, group->domain);
}

void sim_schedule_drop(struct sim_schedule *schedule, struct sim_domain *domain)
{
	for (struct sim_group *group = domain->groups; group; group = group->next) {
		sim_schedule_stop(schedule, group);
		group->enabled = false;
		group->dropped = true;
	}
	set_multiplexed(schedule, domain, false);
}

void sim_group_remove(struct sim_group *group)
{
	struct sim_group **link = &group->domain->groups;

	while (*link != group)
		link = &(*link)->next;
	*link = group->next;
	group->next = NULL;
}

void sim_group_append(struct sim_group *group)
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

static void rotate(struct sim_schedule *schedule, struct sim_domain *domain)
{
	struct sim_group *first = find_first(domain, true);

	if (first) {
		sim_group_remove(first);
		sim_group_append(first);
	}
	sim_schedule_groups(schedule, domain);
}

void sim_schedule_rotate(struct sim_schedule *schedule)
{
	for (size_t i = 0; i < domain_count(schedule->sim); i++)
		if (schedule->domains[i].multiplexed)
			rotate(schedule, &schedule->domains[i]);
}
