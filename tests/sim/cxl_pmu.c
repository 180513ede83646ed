/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/cxl_pmu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/cxl.h"
#include "platform/perf.h"
#include "sim/sim_cpmu.h"
#include "tests/sim/keys.h"
#include "uncore/units/cpmu_events.h"

#define CONFIGURATION(n) (SIM_REG_CONFIGURATIONS + 8 * (uint64_t)(n))
#define FILTER(n)	 (SIM_REG_FILTERS + 32 * (uint64_t)(n))
#define COUNTER(n)	 (SIM_REG_COUNTERS + 8 * (uint64_t)(n))

/*
 * Capabilities that the driver needs: it refuses a CPMU whose counters cannot be set, or without
 * an interrupt.
 */
#define CAP_NEEDED     (SIM_CPMU_WRITABLE | SIM_CPMU_FREEZE | UINT64_C(1) << 50)
#define CAP_FILTER_HDM (UINT64_C(1) << 32)

#define STOPS	  UINT64_C(0x400) /* freeze on overflow */
#define THRESHOLD UINT64_C(0xFF0000)

#define NO_GROUP SIM_CPMU_GROUPS

/* Events that the driver names, as src/uncore/models does: some of the specification's events. */
static const struct {
	uint16_t group;
	uint32_t events;
} named[] = {{0x00, 0x1}, {0x20, 0x71F}, {0x21, 0x16}, {0x24, 0x7}, {0x25, 0x3}, {0x8000, 0x7F}};

/* Adds the PMUs of each device's CPMUs, in the order of the register locator. */
static void add_pmus(const struct sim *sim, struct sim_pmus *out)
{
	const bool loaded = test_values_of(&sim->spec).cxl_pmu;

	for (size_t d = 0; loaded && d < sim->device_count; d++) {
		const struct cxl_device *device = &sim->devices[d];
		unsigned index = 0;

		for (size_t i = 0; i < sim->cpmu_count; i++) {
			struct sim_cpmu *cpmu = &sim->cpmus[i];
			struct sim_pmu *pmu = &out->items[out->count];

			if (pci_location_compare(&cpmu->at, &device->path[device->depth - 1]))
				continue;
			if ((cpmu->capability & CAP_NEEDED) == CAP_NEEDED) {
				out->count++;
				*pmu = (struct sim_pmu){.kind = SIM_PMU_CXL, .cpmu = cpmu};
				snprintf(pmu->name, sizeof(pmu->name), PERF_CXL_PREFIX "%.12s.%u",
					 device->name, index);
			}
			index++;
		}
	}
}

/*
 * Returns the group from which configurable counters take the events: one that no fixed-function
 * counter uses.
 */
static unsigned find_group(const struct sim_cpmu *cpmu, uint64_t config)
{
	uint32_t used = 0;
	unsigned g = 0;

	for (unsigned i = 0; i < cpmu->counter_count; i++)
		if (SIM_CPMU_TYPE(cpmu->configurations[i]) == SIM_CPMU_FIXED)
			used |= UINT32_C(1) << SIM_CFG_GROUP(cpmu->configurations[i]);
	while (g < cpmu->group_count && (used >> g & 1 || cpmu->groups[g] >> 32 != config >> 32 ||
					 (uint32_t)config & ~(uint32_t)cpmu->groups[g]))
		g++;
	return g < cpmu->group_count ? g : NO_GROUP;
}

static uint64_t counters_of(const struct sim_cpmu *cpmu, uint64_t config)
{
	const bool configurable = find_group(cpmu, config) != NO_GROUP;
	uint64_t counters = 0;

	for (unsigned i = 0; i < cpmu->counter_count && i < 32; i++) {
		const uint64_t cfg = cpmu->configurations[i];
		const uint64_t group = cpmu->groups[SIM_CFG_GROUP(cfg)];
		const bool fixed = SIM_CPMU_TYPE(cfg) == SIM_CPMU_FIXED &&
				   group >> 32 == config >> 32 &&
				   SIM_CFG_EVENTS(cfg) == (uint32_t)config;

		if (SIM_CPMU_TYPE(cfg) == SIM_CPMU_CONFIGURABLE ? configurable : fixed)
			counters |= UINT64_C(1) << i;
	}
	return counters;
}

static bool is_named(const struct event *event)
{
	const unsigned group = event->modifiers >> 32 & 0xFFFF;
	size_t i = 0;

	while (i < sizeof(named) / sizeof(named[0]) && named[i].group != group)
		i++;
	return i < sizeof(named) / sizeof(named[0]) && !event->optional &&
	       !((uint32_t)event->modifiers & ~named[i].events);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct perf_alias *)a)->name, ((const struct perf_alias *)b)->name);
}

static int name_events(const struct sim_cpmu *cpmu, struct perf_pmu *out)
{
	size_t count = 0;

	while (cpmu_events[count].name)
		count++;
	out->aliases = calloc(count, sizeof(*out->aliases));
	if (!out->aliases)
		return -ENOMEM;
	for (const struct event *event = cpmu_events; event->name; event++) {
		struct perf_alias *alias = &out->aliases[out->alias_count];

		if (!is_named(event) || !counters_of(cpmu, event->modifiers))
			continue;
		out->alias_count++;
		alias->config[0] = event->modifiers;
		snprintf(alias->name, sizeof(alias->name), "%s", event->name);
	}
	qsort(out->aliases, out->alias_count, sizeof(*out->aliases), compare_names);
	return 0;
}

static void start_counter(struct sim *sim, struct sim_cpmu *cpmu, unsigned counter, uint64_t config)
{
	const bool fixed = sim->spec.kernel >= CXL_PMU_FIXED;
	const uint64_t group = fixed ? find_group(cpmu, config) : 0;
	uint64_t cfg = sim_cpmu_read(sim, cpmu, CONFIGURATION(counter), 8);

	if (SIM_CPMU_TYPE(cfg) == SIM_CPMU_CONFIGURABLE)
		cfg = (fixed ? cfg & ~SIM_CFG_SELECTION : cfg) | group << 59 |
		      (config & UINT32_MAX) << 24;
	if (cpmu->capability & CAP_FILTER_HDM)
		sim_cpmu_write(sim, cpmu, FILTER(counter), 4, UINT32_MAX);
	sim_cpmu_write(sim, cpmu, CONFIGURATION(counter), 8,
		       (cfg | SIM_CFG_INTERRUPT | STOPS | SIM_CFG_ENABLE) & ~THRESHOLD);
	sim_cpmu_write(sim, cpmu, COUNTER(counter), 8, 0);
}

/* Stops a counter, whose event selection stays in the configuration. */
static void stop_counter(struct sim *sim, struct sim_cpmu *cpmu, unsigned counter)
{
	sim_cpmu_write(sim, cpmu, CONFIGURATION(counter), 8,
		       sim_cpmu_read(sim, cpmu, CONFIGURATION(counter), 8) &
			       ~(SIM_CFG_INTERRUPT | SIM_CFG_ENABLE));
}

const struct sim_cxl_driver cxl_driver = {
	.add_pmus = add_pmus,
	.name_events = name_events,
	.counters = counters_of,
	.start = start_counter,
	.stop = stop_counter,
};
