/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/cpmu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define MAX_WIDTH 64

/*
 * Narrower counters may wrap between two readings, which are 1 ms apart at most often: at 64 GB/s,
 * 1e9 lines a second, 28 bits wrap after 268 ms, so that a late reading does no harm; at the
 * occupancy of a queue of 256 entries at 1 GHz, after 1 ms.
 */
#define MIN_WIDTH 28

static uint64_t bits(uint64_t value, unsigned high, unsigned low)
{
	return value << (63 - high) >> (63 - high + low);
}

unsigned cpmu_counters(uint64_t capability)
{
	return (unsigned)bits(capability, 5, 0) + 1;
}

unsigned cpmu_groups(uint64_t capability)
{
	return (unsigned)bits(capability, 24, 20) + 1;
}

uint8_t cpmu_filters(uint64_t capability)
{
	return (uint8_t)bits(capability, 39, 32);
}

static bool is_all_ones(uint64_t value)
{
	return value == UINT64_MAX;
}

/* One that does not respond has no events. */
static struct cpmu_group decode_group(uint64_t value)
{
	if (is_all_ones(value))
		return (struct cpmu_group){.events = 0};
	return (struct cpmu_group){
		.vendor = (uint16_t)bits(value, 63, 48),
		.id = (uint16_t)bits(value, 47, 32),
		.events = (uint32_t)value,
	};
}

/* What is no configurable counter must name a group of the CPMU, and events of it. */
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
 * Of all counters, also of those that are not used: the device counts their events with them, and
 * with no other. Source: specification, 8.2.7; the kernel knows this of fixed ones alone. One of
 * zeros is free-running, and counts nothing.
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
	out->width = (unsigned)bits(capability, 15, 8);
	out->can_freeze = capability & CPMU_CAP_FREEZE;
	out->is_writable = out->can_freeze && capability & CPMU_CAP_WRITABLE;
	out->filters = cpmu_filters(capability);
}

int cpmu_decode(const struct cpmu_registers *registers, struct cpmu *out, struct error *err)
{
	bool is_usable = false;

	if (is_all_ones(registers->capability))
		return error_set(err, EXIT_NO_UNIT, -ENXIO,
				 "no response (its capability register reads as all ones): powered "
				 "down, or memory space is disabled");
	decode_capability(registers->capability, out);
	if (!out->width || out->width > MAX_WIDTH)
		return error_set(err, EXIT_NO_UNIT, -EINVAL,
				 "counters of %u bits are impossible (its capability register "
				 "holds 0x%" PRIx64 ")",
				 out->width, registers->capability);
	if (out->width < MIN_WIDTH)
		return error_set(err, EXIT_NO_UNIT, -ERANGE,
				 "its counters of %u bits are too narrow: they may wrap unnoticed "
				 "between two readings (at least %u bits are needed)",
				 out->width, MIN_WIDTH);
	for (unsigned g = 0; g < out->group_count; g++)
		out->groups[g] = decode_group(registers->groups[g]);
	for (unsigned i = 0; i < out->counter_count; i++) {
		const struct cpmu_counter counter =
			decode_counter(registers->configurations[i], out);

		out->counters[i] = counter;
		is_usable |= counter.type != CPMU_RESERVED;
	}
	find_taken_groups(registers, out);
	if (!is_usable)
		return error_set(err, EXIT_NO_UNIT, -EINVAL,
				 "none of its %u counters can be used (the configuration of "
				 "counter 0 holds 0x%" PRIx64 ")",
				 out->has, registers->configurations[0]);
	return 0;
}

/* count registers of 8 bytes */
static int read_registers(struct platform *p, const struct mmio_window *window, uint64_t offset,
			  unsigned count, uint64_t *values, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < count; i++) {
		const struct reg reg = {.space = REG_MMIO,
					.bytes = 8,
					.window = window,
					.address = window->phys + offset + 8 * i};

		rc = reg_read(p, &reg, &values[i], err);
	}
	return rc;
}

static int read_mapped(struct platform *p, const struct mmio_window *window,
		       struct cpmu_registers *out, struct error *err)
{
	int rc = read_registers(p, window, CPMU_CAPABILITY, 1, &out->capability, err);

	if (rc || is_all_ones(out->capability))
		return rc;
	rc = read_registers(p, window, CPMU_EVENT_CAPABILITY, cpmu_groups(out->capability),
			    out->groups, err);
	if (!rc)
		rc = read_registers(p, window, CPMU_CONFIGURATION, cpmu_counters(out->capability),
				    out->configurations, err);
	return rc;
}

int cpmu_read(struct platform *p, struct cpmu *cpmu, struct error *err)
{
	struct cpmu_registers registers = {0};
	struct mmio_window window;
	int rc = p->ops->mmio_map(p, cpmu->address, CPMU_BLOCK_BYTES, false, &window, err);

	if (rc)
		return rc;
	rc = read_mapped(p, &window, &registers, err);
	p->ops->mmio_unmap(p, &window);
	return rc ? rc : cpmu_decode(&registers, cpmu, err);
}

/*
 * Versions of the kernel whose driver was read. Source: drivers/perf/cxl_pmu.c, where
 * cxl_pmu_get_event_idx() never sets *event_idx, so that cxl_pmu_event_start() writes 0 to the
 * index of the event capability; and ORs masks to what the configuration holds. The driver came
 * with 6.5; 7.0 is the last version that was read.
 */
static const struct {
	unsigned first, last;
} first_group_alone[] = {
	{PERF_KERNEL(6, 5), PERF_KERNEL(7, 0)},
};

bool cpmu_driver_takes_first_group(unsigned kernel)
{
	for (size_t i = 0; i < sizeof(first_group_alone) / sizeof(first_group_alone[0]); i++)
		if (kernel >= first_group_alone[i].first && kernel <= first_group_alone[i].last)
			return true;
	return false;
}

const char *cpmu_driver_limits(const struct cpmu *cpmu, char text[CPMU_LIMITS_SIZE])
{
	snprintf(text, CPMU_LIMITS_SIZE,
		 "this kernel's driver cxl_pmu counts no events but those of the device's first "
		 "group (vid=0x%x,gid=0x%x) and of counters with a fixed function; what needs "
		 "others stays empty; to count all, unload the driver (" CPMU_COMMAND_UNLOAD ")",
		 cpmu->groups[0].vendor, cpmu->groups[0].id);
	return text;
}
