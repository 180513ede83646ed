/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/cpmu.h"
#include "platform/perf.h"
#include "platform/reg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define MAX_WIDTH 64

/*
 * The fewest bits per counter. Narrower ones may wrap between two readings, which are at least 1 ms
 * apart: at 64 GB/s, 1e9 lines per second, 28 bits wrap after 268 ms, so that a late reading does
 * no harm; at the occupancy of a queue of 256 entries at 1 GHz, after 1 ms.
 */
#define MIN_WIDTH 28

unsigned cpmu_counters(uint64_t capability)
{
	return (unsigned)reg_bits(capability, 5, 0) + 1;
}

unsigned cpmu_groups(uint64_t capability)
{
	return (unsigned)reg_bits(capability, 24, 20) + 1;
}

uint8_t cpmu_filters(uint64_t capability)
{
	return (uint8_t)reg_bits(capability, 39, 32);
}

/* Decodes an event capability; one that does not respond has no events. */
static struct cpmu_group decode_group(uint64_t value)
{
	if (value == UINT64_MAX)
		return (struct cpmu_group){.events = 0};
	return (struct cpmu_group){
		.vendor = (uint16_t)reg_bits(value, 63, 48),
		.id = (uint16_t)reg_bits(value, 47, 32),
		.events = (uint32_t)value,
	};
}

/*
 * Decodes a configuration. A counter that is not configurable must name a group of the CPMU, and
 * events of the group.
 */
static struct cpmu_counter decode_counter(uint64_t value, const struct cpmu *cpmu)
{
	const struct cpmu_counter counter = {
		.type = (enum cpmu_counter_type)(value & CPMU_CFG_TYPE),
		.reserved = value & CPMU_CFG_RESERVED,
		.group = (uint8_t)(value >> CPMU_CFG_GROUP_SHIFT),
		.events = (uint32_t)(value >> CPMU_CFG_EVENTS_SHIFT),
	};

	if (counter.type == CPMU_CONFIGURABLE)
		return (struct cpmu_counter){.type = CPMU_CONFIGURABLE,
					     .reserved = counter.reserved};
	if (counter.type == CPMU_RESERVED || counter.group >= cpmu->group_count ||
	    !counter.events || counter.events & ~cpmu->groups[counter.group].events)
		return (struct cpmu_counter){.type = CPMU_RESERVED};
	return counter;
}

/*
 * Finds groups that fixed and free-running counters count, also counters that are not used: the
 * device counts these groups with such counters only. Source: specification, 8.2.7; the kernel
 * knows this only of fixed ones. A configuration of zeros is a free-running counter that counts
 * nothing.
 */
static void find_taken_groups(const struct cpmu_registers *registers, struct cpmu *out)
{
	for (unsigned i = 0; i < out->has; i++) {
		const uint64_t value = registers->configurations[i];
		const unsigned group = (unsigned)(value >> CPMU_CFG_GROUP_SHIFT);
		const bool fixed = (value & CPMU_CFG_TYPE) == CPMU_FIXED;
		const bool runs = (value & CPMU_CFG_TYPE) == CPMU_FREE_RUNNING;

		if (group >= out->group_count)
			continue;
		out->groups[group].is_fixed |= fixed;
		out->groups[group].is_taken |= fixed || (runs && value & CPMU_CFG_EVENTS);
	}
}

static void decode_capability(uint64_t capability, struct cpmu *out)
{
	out->has = cpmu_counters(capability);
	out->counter_count = out->has < UNIT_MAX_COUNTERS ? out->has : UNIT_MAX_COUNTERS;
	out->group_count = cpmu_groups(capability);
	out->width = (unsigned)reg_bits(capability, 15, 8);
	out->can_freeze = capability & CPMU_CAP_FREEZE;
	out->is_writable = out->can_freeze && capability & CPMU_CAP_WRITABLE;
	out->filters = cpmu_filters(capability);
}

int cpmu_decode(const struct cpmu_registers *registers, struct cpmu *out, struct error *err)
{
	if (registers->capability == UINT64_MAX)
		return error_set(err, ERROR_NO_UNIT, -ENXIO,
				 "no response (its capability register reads as all ones): powered "
				 "down, or memory space is disabled");
	decode_capability(registers->capability, out);
	if (!out->width || out->width > MAX_WIDTH)
		return error_set(err, ERROR_NO_UNIT, -EINVAL,
				 "counters of %u bits are impossible (its capability register "
				 "holds 0x%" PRIx64 ")",
				 out->width, registers->capability);
	if (out->width < MIN_WIDTH)
		return error_set(err, ERROR_NO_UNIT, -ERANGE,
				 "its counters of %u bits are too narrow: they may wrap unnoticed "
				 "between two readings (at least %u bits are needed)",
				 out->width, MIN_WIDTH);
	for (unsigned g = 0; g < out->group_count; g++)
		out->groups[g] = decode_group(registers->groups[g]);
	out->known = out->configured = 0;
	for (unsigned i = 0; i < out->counter_count; i++) {
		const struct cpmu_counter counter =
			decode_counter(registers->configurations[i], out);

		out->counters[i] = counter;
		if (counter.type != CPMU_RESERVED)
			out->known |= UINT32_C(1) << i;
		if (counter.type != CPMU_RESERVED && counter.type != CPMU_FREE_RUNNING)
			out->configured |= UINT32_C(1) << i;
	}
	find_taken_groups(registers, out);
	if (!out->known)
		return error_set(err, ERROR_NO_UNIT, -EINVAL,
				 "none of its %u counters can be used (the configuration of "
				 "counter 0 holds 0x%" PRIx64 ")",
				 out->has, registers->configurations[0]);
	return 0;
}

/* Reads count registers of 8 bytes. */
static int read_registers(struct platform *p, const struct mmio_window *window, uint64_t offset,
			  unsigned count, uint64_t *values, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < count; i++) {
		const struct reg reg = reg_mmio(window, offset + 8 * i, 8);

		rc = reg_read(p, &reg, &values[i], err);
	}
	return rc;
}

int cpmu_read(struct platform *p, struct cpmu *cpmu, struct error *err)
{
	struct cpmu_registers registers = {0};
	struct mmio_window window;
	int rc = p->ops->registers->mmio_map(p, cpmu->address, CPMU_BLOCK_BYTES, false, &window,
					     err);

	if (rc)
		return rc;
	rc = read_registers(p, &window, CPMU_CAPABILITY, 1, &registers.capability, err);
	if (!rc && registers.capability != UINT64_MAX) {
		rc = read_registers(p, &window, CPMU_EVENT_CAPABILITY,
				    cpmu_groups(registers.capability), registers.groups, err);
		if (!rc)
			rc = read_registers(p, &window, CPMU_CONFIGURATION,
					    cpmu_counters(registers.capability),
					    registers.configurations, err);
	}
	p->ops->registers->mmio_unmap(p, &window);
	return rc ? rc : cpmu_decode(&registers, cpmu, err);
}

/*
 * Kernel versions whose driver was read. Source: drivers/perf/cxl_pmu.c, in which
 * cxl_pmu_get_event_idx() never sets *event_idx, so that cxl_pmu_event_start() writes 0 to the
 * index of the event capability, and ORs masks into the configuration. The driver came with 6.5;
 * 7.2 is the last version that was read, with the next commits up to ea434e8fd3a5.
 */
bool cpmu_driver_takes_first_group(unsigned kernel)
{
	return kernel >= PERF_KERNEL(6, 5) && kernel <= PERF_KERNEL(7, 2);
}

const char *cpmu_driver_limits(const struct cpmu *cpmu, char text[CPMU_LIMITS_SIZE])
{
	snprintf(text, CPMU_LIMITS_SIZE,
		 "this kernel's driver cxl_pmu counts only events of the device's first group "
		 "(vid=0x%x,gid=0x%x) and of fixed-function counters; metrics that need others "
		 "stay empty; to count all, unload the driver (" CPMU_COMMAND_UNLOAD ")",
		 cpmu->groups[0].vendor, cpmu->groups[0].id);
	return text;
}

/* Bits that select events; read-only in a fixed-function counter. */
#define CFG_COUNTED (CPMU_CFG_EVENTS | CPMU_CFG_GROUP)

uint64_t cpmu_deciding_bits(const struct unit *unit, unsigned i)
{
	const uint64_t any = CPMU_CFG_TYPE | CPMU_CFG_ENABLE;

	return unit->cpmu->counters[i].type == CPMU_FIXED ? any : any | CFG_COUNTED;
}

uint64_t cpmu_configuration(const struct unit *unit, unsigned i, uint64_t control)
{
	const struct cpmu_counter *counter = &unit->cpmu->counters[i];

	if (counter->type != CPMU_FIXED)
		return CPMU_CONFIGURABLE | counter->reserved | control;
	return CPMU_FIXED | counter->reserved | (control & CPMU_CFG_OURS & ~CFG_COUNTED) |
	       (uint64_t)counter->events << CPMU_CFG_EVENTS_SHIFT |
	       (uint64_t)counter->group << CPMU_CFG_GROUP_SHIFT;
}

/*
 * Groups of the specification: entries in the DRAM queues in each clock, and how long they stay
 * there. A counter may count only one of their events at a time.
 */
#define QUEUE_OCCUPANCY	 CPMU_EVENT(CPMU_VENDOR_CXL, 0x8001, 0)
#define QUEUE_RESIDENCY	 CPMU_EVENT(CPMU_VENDOR_CXL, 0x8002, 0)
#define GROUP_OF(wanted) ((wanted) >> 32 << 32)
#define OCCUPANCIES	 0x7 /* events of QUEUE_OCCUPANCY that are lengths of a queue */

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
 * "Software must set the Threshold field to 1" (13.2) for the events of the specification. With 1,
 * a clock counts once, however many events it has. The length of a queue, and a sum of several
 * events, need 0 (8.2.7), with which all events of a clock are added up. A vendor's own events get
 * 0, as the kernel leaves it: their needs are unknown.
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

/*
 * Returns the event capability from which configurable counters take the events; group_count: none.
 */
static unsigned find_group(const struct cpmu *cpmu, uint64_t wanted)
{
	unsigned g = 0;

	while (g < cpmu->group_count &&
	       (cpmu->groups[g].is_taken || !has_events(&cpmu->groups[g], wanted)))
		g++;
	return g;
}

/* Returns the events of a group that some counter can count; a capability may list more. */
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

bool cpmu_hides(const struct cpmu *cpmu, const struct event *event)
{
	const uint64_t wanted = event_control(event);
	const uint32_t events = ((uint32_t)wanted ? (uint32_t)wanted : event->optional) &
				~countable_events(cpmu, wanted);
	bool hides = false;

	for (unsigned g = 0; g < cpmu->group_count; g++) {
		const struct cpmu_group *group = &cpmu->groups[g];
		const uint32_t hidden = cpmu->counter_count ? group->hidden : group->events;

		hides |= is_of_group(group, wanted) && hidden & events;
	}
	return hides;
}

uint32_t cpmu_event_counters(const struct unit *unit, const struct event *event)
{
	const struct cpmu *cpmu = unit->cpmu;
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

uint64_t cpmu_event_control(const struct unit *unit, const struct event *event)
{
	const struct cpmu *cpmu = unit->cpmu;
	const uint64_t wanted = cpmu_events_of(cpmu, event);
	const unsigned group = find_group(cpmu, wanted);

	if (group == cpmu->group_count)
		return CPMU_CFG_ENABLE | threshold_of(wanted);
	return CPMU_CFG_ENABLE | CPMU_CONFIGURABLE | threshold_of(wanted) |
	       (uint64_t)(uint32_t)wanted << CPMU_CFG_EVENTS_SHIFT |
	       (uint64_t)group << CPMU_CFG_GROUP_SHIFT;
}
