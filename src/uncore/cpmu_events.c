/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/cpmu_events.h"

/* What a counter counts; of a counter of fixed function it is read-only. */
#define CFG_COUNTED (CPMU_CFG_EVENTS | CPMU_CFG_GROUP)

static uint32_t counters_of_type(const struct cpmu *cpmu, bool with_configuration)
{
	uint32_t counters = 0;

	for (unsigned i = 0; i < cpmu->counter_count; i++) {
		const enum cpmu_counter_type type = cpmu->counters[i].type;

		if (type != CPMU_RESERVED && (type != CPMU_FREE_RUNNING || !with_configuration))
			counters |= UINT32_C(1) << i;
	}
	return counters;
}

uint32_t cpmu_all_counters(const struct cpmu *cpmu)
{
	return counters_of_type(cpmu, false);
}

uint32_t cpmu_with_configuration(const struct cpmu *cpmu)
{
	return counters_of_type(cpmu, true);
}

uint64_t cpmu_deciding_bits(const struct cpmu *cpmu, unsigned i)
{
	const uint64_t any = CPMU_CFG_TYPE | CPMU_CFG_ENABLE;

	return cpmu->counters[i].type == CPMU_FIXED ? any : any | CFG_COUNTED;
}

uint64_t cpmu_configuration(const struct cpmu *cpmu, unsigned i, uint64_t control)
{
	const struct cpmu_counter *counter = &cpmu->counters[i];

	if (counter->type != CPMU_FIXED)
		return CPMU_CONFIGURABLE | counter->reserved | control;
	return CPMU_FIXED | counter->reserved | (control & CPMU_CFG_OURS & ~CFG_COUNTED) |
	       (uint64_t)counter->events << CPMU_CFG_EVENTS_SHIFT |
	       (uint64_t)counter->group << CPMU_CFG_GROUP_SHIFT;
}

/*
 * Groups of the specification: entries of the queues of DRAM, in each clock, and how long they stay
 * there. Several of their events at once are not allowed.
 */
#define QUEUE_OCCUPANCY	 CPMU_EVENT(CPMU_VENDOR_CXL, 0x8001, 0)
#define QUEUE_RESIDENCY	 CPMU_EVENT(CPMU_VENDOR_CXL, 0x8002, 0)
#define GROUP_OF(wanted) ((wanted) >> 32 << 32)
#define OCCUPANCIES	 0x7 /* events of the first that are lengths of a queue */

unsigned cpmu_events_at_once(uint64_t wanted)
{
	const bool one = GROUP_OF(wanted) == QUEUE_OCCUPANCY || GROUP_OF(wanted) == QUEUE_RESIDENCY;

	return one ? 1 : 32;
}

static unsigned count_events(uint64_t wanted)
{
	return (unsigned)__builtin_popcount((uint32_t)wanted);
}

/*
 * "Software must set the Threshold field to 1" (13.2) for the events of the specification. With
 * that a clock counts once, whatever happens in it: the length of a queue, and a sum of several
 * events, need 0 (8.2.7), with which all that happens in it is added up. What a vendor's own events
 * need is not known: 0, as the kernel leaves it.
 */
static uint64_t threshold_of(uint64_t wanted)
{
	const bool is_length = GROUP_OF(wanted) == QUEUE_OCCUPANCY && wanted & OCCUPANCIES;

	return wanted >> 48 != CPMU_VENDOR_CXL || is_length || count_events(wanted) > 1
		       ? 0
		       : CPMU_CFG_THRESHOLD_1;
}

static bool is_of_group(const struct cpmu_group *group, uint64_t wanted)
{
	return group->vendor == wanted >> 48 && group->id == (wanted >> 32 & UINT16_MAX);
}

static bool has_events(const struct cpmu_group *group, uint64_t wanted)
{
	const uint32_t events = (uint32_t)wanted;

	return events && is_of_group(group, wanted) && !(events & ~group->events) &&
	       count_events(wanted) <= cpmu_events_at_once(wanted);
}

/* The event capability from which configurable counters take the events; group_count: none. */
static unsigned find_group(const struct cpmu *cpmu, uint64_t wanted)
{
	unsigned g = 0;

	while (g < cpmu->group_count &&
	       (cpmu->groups[g].is_taken || !has_events(&cpmu->groups[g], wanted)))
		g++;
	return g;
}

/* The events of a group that some counter can count, as a capability may list more. */
static uint32_t countable_events(const struct cpmu *cpmu, uint64_t wanted)
{
	uint32_t events = 0;
	bool configurable = false;

	for (unsigned i = 0; i < cpmu->counter_count; i++) {
		const struct cpmu_counter *counter = &cpmu->counters[i];

		configurable |= counter->type == CPMU_CONFIGURABLE;
		if ((counter->type == CPMU_FIXED || counter->type == CPMU_FREE_RUNNING) &&
		    is_of_group(&cpmu->groups[counter->group], wanted))
			events |= counter->events;
	}
	for (unsigned g = 0; configurable && g < cpmu->group_count; g++)
		if (!cpmu->groups[g].is_taken && is_of_group(&cpmu->groups[g], wanted))
			events |= cpmu->groups[g].events;
	return events;
}

uint64_t cpmu_events_of(const struct cpmu *cpmu, const struct event *event)
{
	const uint64_t wanted = event_control(event);

	return event->optional ? wanted | (countable_events(cpmu, wanted) & event->optional)
			       : wanted;
}

bool cpmu_counts(const struct cpmu *cpmu, const struct event *event)
{
	const uint64_t wanted = cpmu_events_of(cpmu, event);
	const uint32_t events = (uint32_t)wanted;

	return events && !(events & ~countable_events(cpmu, wanted)) &&
	       count_events(wanted) <= cpmu_events_at_once(wanted);
}

uint32_t cpmu_event_counters(const struct cpmu *cpmu, const struct event *event)
{
	const uint64_t wanted = cpmu_events_of(cpmu, event);
	const bool configurable = find_group(cpmu, wanted) < cpmu->group_count;
	uint32_t counters = 0;

	for (unsigned i = 0; i < cpmu->counter_count; i++) {
		const struct cpmu_counter *counter = &cpmu->counters[i];
		const bool counts =
			counter->type == CPMU_CONFIGURABLE
				? configurable
				: counter->type != CPMU_RESERVED &&
					  counter->events == (uint32_t)wanted &&
					  has_events(&cpmu->groups[counter->group], wanted);

		counters |= (uint32_t)counts << i;
	}
	return counters;
}

uint64_t cpmu_event_control(const struct cpmu *cpmu, const struct event *event)
{
	const uint64_t wanted = cpmu_events_of(cpmu, event);
	const unsigned group = find_group(cpmu, wanted);

	if (group == cpmu->group_count)
		return CPMU_CFG_ENABLE | threshold_of(wanted);
	return CPMU_CFG_ENABLE | CPMU_CONFIGURABLE | threshold_of(wanted) |
	       (uint64_t)(uint32_t)wanted << CPMU_CFG_EVENTS_SHIFT |
	       (uint64_t)group << CPMU_CFG_GROUP_SHIFT;
}
