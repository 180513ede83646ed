/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_perf.h"

#include <errno.h>
#include <stdlib.h>

/* Events that have counters, and an offcore response register where they need one. */
#define MAX_PLACED (SIM_MAX_COUNTERS + SIM_FIXED_COUNTERS + PERF_GROUP_MAX)
struct placement {
	struct sim_event *events[MAX_PLACED];
	int counters[MAX_PLACED];
	size_t count;
	uint64_t offcore[OFFCORE_REGISTERS]; /* 0: free */
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

struct sim_domain *sim_schedule_domain(const struct sim_schedule *schedule,
				       const struct sim_event *event)
{
	const struct sim *sim = schedule->sim;
	struct sim_domain *cpus = schedule->domains + sim->unit_count;

	if (event->cpmu)
		return cpus + sim->core_count + (event->cpmu - sim->cpmus);
	return event->unit ? schedule->domains + (event->unit - sim->units) : cpus + event->cpu;
}

/* The lowest one; fixed counters are preferred. */
static int choose_counter(uint64_t free)
{
	const uint64_t fixed = free >> SIM_FIXED_COUNTER;

	return fixed ? SIM_FIXED_COUNTER + __builtin_ctzll(fixed) : __builtin_ctzll(free);
}

/* Events that fit on the fewest counters first, otherwise in order. */
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

/* The register that the event's control selects, or another one. */
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

/* Adds a group to those that have counters, if all of its events fit beside them. */
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

bool sim_group_fits(const struct sim_group *group)
{
	struct placement p = {.count = 0};

	return place_group(&p, group);
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

void sim_group_update(struct sim *sim, struct sim_group *group)
{
	update_times(sim, group);
	for (size_t i = 0; group->running && i < group->size; i++)
		sim_event_update(sim, group->members[i]);
}

/* While the PMU is frozen. */
static void stop_group(struct sim_schedule *schedule, struct sim_group *group)
{
	update_times(schedule->sim, group);
	for (size_t i = 0; group->running && i < group->size; i++)
		sim_event_stop(schedule->sim, group->members[i]);
	group->running = false;
}

void sim_schedule_set_multiplexed(struct sim_schedule *schedule, struct sim_domain *domain,
				  bool multiplexed)
{
	schedule->multiplexed += multiplexed;
	schedule->multiplexed -= domain->multiplexed;
	domain->multiplexed = multiplexed;
}

/* None of the domain's groups is running. Behind one that doesn't fit, none gets counters; a group
 * that needs none always counts. */
static void start_groups(struct sim_schedule *schedule, struct sim_domain *domain)
{
	struct placement p = {.count = 0};
	bool multiplexed = false;

	for (struct sim_group *group = domain->groups; group; group = group->next) {
		group->running = group->enabled && (!needs_counter(group) ||
						    (!multiplexed && place_group(&p, group)));
		multiplexed = multiplexed || (group->enabled && !group->running);
	}
	sim_schedule_set_multiplexed(schedule, domain, multiplexed);
	for (size_t i = 0; i < p.count; i++)
		p.events[i]->counter = p.counters[i];
	for (struct sim_group *group = domain->groups; group; group = group->next)
		for (size_t i = 0; group->running && i < group->size; i++)
			sim_event_start(schedule->sim, group->members[i]);
}

void sim_schedule_groups(struct sim_schedule *schedule, struct sim_domain *domain)
{
	freeze_pmu(schedule->sim, domain, true);
	for (struct sim_group *group = domain->groups; group; group = group->next)
		stop_group(schedule, group);
	start_groups(schedule, domain);
	freeze_pmu(schedule->sim, domain, false);
}

void sim_schedule_stop(struct sim_schedule *schedule, struct sim_group *group)
{
	const bool running = group->running;

	if (running)
		freeze_pmu(schedule->sim, group->domain, true);
	stop_group(schedule, group);
	if (running)
		freeze_pmu(schedule->sim, group->domain, false);
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

void sim_schedule_rotate(struct sim_schedule *schedule)
{
	for (size_t i = 0; i < domain_count(schedule->sim); i++) {
		struct sim_domain *domain = &schedule->domains[i];
		struct sim_group *first = domain->multiplexed ? find_first(domain, true) : NULL;

		if (first) {
			sim_group_remove(first);
			sim_group_append(first);
		}
		if (domain->multiplexed)
			sim_schedule_groups(schedule, domain);
	}
}
