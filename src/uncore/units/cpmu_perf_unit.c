/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/cpmu.h"

#include <errno.h>
#include <stdio.h>

#include "platform/perf.h"
#include "platform/reg.h"

/* Bits that select the events of a configurable counter. */
#define CFG_SELECTION                                                                              \
	(CPMU_CFG_EVENTS | CPMU_CFG_GROUP | CPMU_CFG_EDGE | CPMU_CFG_INVERT | CPMU_CFG_THRESHOLD)

static const char *name_of(const struct unit *unit, char name[UNIT_NAME_SIZE])
{
	const struct unit by_registers = cpmu_unit(unit->cpmu, unit->id, unit->socket);

	if (unit->cpmu->device)
		return unit_name(&by_registers, name);
	snprintf(name, UNIT_NAME_SIZE, "%s", unit->cpmu->kernel_pmu);
	return name;
}

/* The driver uses no free-running counters. */
static uint32_t event_counters(const struct unit *unit, const struct event *event)
{
	return cpmu_event_counters(unit, event) & unit->cpmu->configured;
}

static int not_readable(const struct unit *unit, struct error *err)
{
	char name[UNIT_NAME_SIZE];

	error_set(err, ERROR_PERMISSION, -ENOTSUP,
		  "%s: %s, and the device's registers, which would show it, cannot be read: "
		  "unload the driver (" CPMU_COMMAND_UNLOAD "), so that cxlmon counts with "
		  "registers",
		  name_of(unit, name),
		  unit->cpmu->first_group_alone
			  ? "this kernel's driver cxl_pmu counts events of a device's first group "
			    "instead of others"
			  : "this kernel's driver cxl_pmu may count other events than it was asked "
			    "for");
	error_hint(err, CPMU_COMMAND_UNLOAD);
	return -ENOTSUP;
}

static int perf_open(struct platform *p, struct unit *unit, struct error *err)
{
	const struct cpmu *cpmu = unit->cpmu;
	struct mmio_window window;

	if (!cpmu->address ||
	    p->ops->registers->mmio_map(p, cpmu->address, CPMU_BLOCK_BYTES, false, &window, err))
		return not_readable(unit, err);
	unit->window = window;
	return 0;
}

/*
 * Returns the selection for counter i of a plan, with the threshold of 0 that the driver leaves. A
 * fixed-function counter with the same selection also serves.
 */
static uint64_t wanted_control(const struct cpmu *cpmu, unsigned i, uint64_t control)
{
	const struct cpmu_counter *counter = &cpmu->counters[i];

	if (counter->type != CPMU_FIXED)
		return control & CFG_SELECTION & ~CPMU_CFG_THRESHOLD;
	return (uint64_t)counter->events << CPMU_CFG_EVENTS_SHIFT | (uint64_t)counter->group
									    << CPMU_CFG_GROUP_SHIFT;
}

/*
 * Returns true if both select the same events of the same group, even through different event
 * capabilities.
 */
static bool selects_same(const struct cpmu *cpmu, uint64_t configuration, uint64_t selection)
{
	const unsigned x = (unsigned)(configuration >> CPMU_CFG_GROUP_SHIFT),
		       y = (unsigned)(selection >> CPMU_CFG_GROUP_SHIFT);

	return !((configuration ^ selection) & CFG_SELECTION & ~CPMU_CFG_GROUP) &&
	       x < cpmu->group_count && y < cpmu->group_count &&
	       cpmu->groups[x].vendor == cpmu->groups[y].vendor &&
	       cpmu->groups[x].id == cpmu->groups[y].id;
}

static bool read_register(struct platform *p, const struct unit *unit, uint64_t offset,
			  uint8_t bytes, uint64_t *value)
{
	const struct reg reg = {.space = REG_MMIO,
				.bytes = bytes,
				.window = &unit->window,
				.address = unit->cpmu->address + offset};

	return !reg_read(p, &reg, value, NULL);
}

/* Checks all filters: the driver lifts only the filter by HDM decoder. */
static bool is_unfiltered(struct platform *p, const struct unit *unit, unsigned i)
{
	for (unsigned f = 0; f < CPMU_FILTERS; f++) {
		const uint64_t offset = CPMU_FILTER + (uint64_t)4 * (CPMU_FILTERS * i + f);
		uint64_t value;

		if (unit->cpmu->filters >> f & 1 &&
		    (!read_register(p, unit, offset, 4, &value) || value != CPMU_NO_FILTER))
			return false;
	}
	return true;
}

static bool perf_counts(struct platform *p, const struct unit *unit, unsigned i, uint64_t selection)
{
	uint64_t value;

	return read_register(p, unit, CPMU_CONFIGURATION + (uint64_t)8 * i, 8, &value) &&
	       value & CPMU_CFG_ENABLE && selects_same(unit->cpmu, value, selection) &&
	       is_unfiltered(p, unit, i);
}

static bool controls_intact(struct platform *p, const struct unit *unit, const uint64_t *controls)
{
	uint32_t left = unit->usable;

	for (unsigned i = 0; i < unit->counters; i++) {
		unsigned k = 0;

		if (!controls[i])
			continue;
		/* searches a counter that no other control has taken */
		const uint64_t selection = wanted_control(unit->cpmu, i, controls[i]);
		while (k < unit->counters && !(left >> k & 1 && perf_counts(p, unit, k, selection)))
			k++;
		if (k == unit->counters)
			return false;
		left &= ~(UINT32_C(1) << k);
	}
	return true;
}

/* Methods that write nothing, so that there is nothing to save, to program or to restore. */
static const struct unit_methods perf_methods = {
	.name = name_of,
	.open = perf_open,
	.controls_intact = controls_intact,
	.event_counters = event_counters,
	.event_control = cpmu_event_control,
};

struct unit cpmu_perf_unit(struct cpmu *cpmu, unsigned id, int socket, const struct perf_pmu *pmu)
{
	struct unit unit = cpmu_unit(cpmu, id, socket);

	unit.methods = &perf_methods;
	unit.access = ACCESS_PERF;
	unit.perf.pmu = pmu;
	unit.cpu = pmu->cpus[0];
	unit.width = 64;
	unit.usable = cpmu->configured;
	unit.controlled = 0;
	unit.free_running = 0;
	return unit;
}
