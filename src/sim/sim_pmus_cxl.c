/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sim_cpmu.h"
#include "sim/sim_cpmu_kinds.h"

#define GROUP(n)	 (SIM_REG_GROUPS + 8 * (uint64_t)(n))
#define CONFIGURATION(n) (SIM_REG_CONFIGURATIONS + 8 * (uint64_t)(n))
#define FILTER(n)	 (SIM_REG_FILTERS + 32 * (uint64_t)(n))
#define COUNTER(n)	 (SIM_REG_COUNTERS + 8 * (uint64_t)(n))

#define CAP_COUNTERS(cap) ((unsigned)((cap)&0x3F) + 1)
#define CAP_GROUPS(cap)	  ((unsigned)((cap) >> 20 & 0x1F) + 1)
#define CAP_FILTER_HDM	  (UINT64_C(1) << 32)
#define CAP_WRITABLE	  (UINT64_C(3) << 48) /* while frozen, and freezes */
#define CAP_INTERRUPT	  (UINT64_C(1) << 50)

#define STOPS	  UINT64_C(0x400) /* on overflow */
#define THRESHOLD UINT64_C(0xFF0000)

#define VENDOR 0x1E98

/* Some of those that the driver names, by name. */
static const struct {
	const char *name;
	uint16_t group;
	unsigned bit;
} names[] = {
	{"clock_ticks", 0x00, 0},
	{"ddr_act", 0x8000, 0},
	{"ddr_casrd", 0x8000, 2},
	{"ddr_caswr", 0x8000, 3},
	{"ddr_pre", 0x8000, 1},
	{"ddr_refresh", 0x8000, 4},
	{"ddr_rfm", 0x8000, 6},
	{"ddr_selfrefreshent", 0x8000, 5},
	{"m2s_req_memcleanevict", 0x20, 10},
	{"m2s_req_meminv", 0x20, 0},
	{"m2s_req_meminvnt", 0x20, 9},
	{"m2s_req_memrd", 0x20, 1},
	{"m2s_req_memrddata", 0x20, 2},
	{"m2s_req_memrdfwd", 0x20, 3},
	{"m2s_req_memspecrd", 0x20, 8},
	{"m2s_req_memwrfwd", 0x20, 4},
	{"m2s_rwd_biconflict", 0x21, 4},
	{"m2s_rwd_memwr", 0x21, 1},
	{"m2s_rwd_memwrptl", 0x21, 2},
	{"s2m_drs_memdata", 0x25, 0},
	{"s2m_drs_memdatanxm", 0x25, 1},
	{"s2m_ndr_cmp", 0x24, 0},
	{"s2m_ndr_cmpe", 0x24, 2},
	{"s2m_ndr_cmps", 0x24, 1},
};

#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

static uint64_t read_register(const struct sim *sim, const struct sim_cpmu *cpmu, uint64_t offset)
{
	return sim_cpmu_read(sim, cpmu, offset, 8);
}

/* It refuses one whose counters can't be set, and one without an interrupt. */
static bool can_count(const struct sim *sim, const struct sim_cpmu *cpmu)
{
	const uint64_t needed = CAP_WRITABLE | CAP_INTERRUPT;

	return (read_register(sim, cpmu, SIM_REG_CAPABILITY) & needed) == needed;
}

static uint64_t bar_of(const struct sim_function *f, unsigned bar)
{
	uint64_t value = 0;

	for (unsigned i = 8; i-- > 0;)
		value = value << 8 | f->config[0x10 + 4 * bar + i];
	return value & ~UINT64_C(0xF);
}

static bool is_in_bar(const struct sim_function *f, uint64_t address)
{
	for (unsigned bar = 0; bar < PCI_BAR_COUNT - 1; bar += 2)
		if (address >= bar_of(f, bar) && address - bar_of(f, bar) < f->info.bar_size[bar])
			return true;
	return false;
}

/* All CPMUs of a device, in the order of its register locator. */
static void add_device(const struct sim *sim, const struct cxl_device *device, struct sim_pmus *out)
{
	const struct sim_function *f = sim_find_function(sim, device->path[device->depth - 1]);
	unsigned index = 0;

	for (unsigned i = 0; f && i < sim->cpmu_count; i++) {
		struct sim_pmu *pmu = &out->items[out->count];

		if (!is_in_bar(f, sim->cpmus[i].address))
			continue;
		if (can_count(sim, &sim->cpmus[i])) {
			out->count++;
			*pmu = (struct sim_pmu){.kind = SIM_PMU_CXL, .unit_id = i};
			snprintf(pmu->name, sizeof(pmu->name), PERF_CXL_PREFIX "%.12s.%u",
				 device->name, index);
		}
		index++;
	}
}

void sim_pmus_cxl(const struct sim *sim, struct sim_pmus *out)
{
	for (size_t i = 0; sim->spec.cxl_pmu && i < sim->device_count; i++)
		add_device(sim, &sim->devices[i], out);
}

static bool is_of_group(uint64_t group, uint64_t config)
{
	return group >> 32 == config >> 32 && !((uint32_t)config & ~(uint32_t)group);
}

/* Groups that no counter of fixed function uses; bit n: group n. */
static uint32_t free_groups(const struct sim *sim, const struct sim_cpmu *cpmu)
{
	const uint64_t cap = read_register(sim, cpmu, SIM_REG_CAPABILITY);
	uint32_t groups = UINT32_MAX >> (32 - CAP_GROUPS(cap));

	for (unsigned i = 0; i < CAP_COUNTERS(cap); i++) {
		const uint64_t cfg = read_register(sim, cpmu, CONFIGURATION(i));

		if (SIM_CPMU_TYPE(cfg) == SIM_CPMU_FIXED)
			groups &= ~(UINT32_C(1) << SIM_CFG_GROUP(cfg));
	}
	return groups;
}

/* The group from which configurable counters take the events; 32: none. */
static unsigned find_group(const struct sim *sim, const struct sim_cpmu *cpmu, uint64_t config)
{
	const uint32_t groups = free_groups(sim, cpmu);
	unsigned g = 0;

	while (g < 32 &&
	       !(groups >> g & 1 && is_of_group(read_register(sim, cpmu, GROUP(g)), config)))
		g++;
	return g;
}

uint64_t sim_cxl_driver_counters(const struct sim *sim, const struct sim_cpmu *cpmu,
				 uint64_t config)
{
	const unsigned count = CAP_COUNTERS(read_register(sim, cpmu, SIM_REG_CAPABILITY));
	const bool configurable = find_group(sim, cpmu, config) < 32;
	uint64_t counters = 0;

	for (unsigned i = 0; i < count && i < SIM_FIXED_COUNTER; i++) {
		const uint64_t cfg = read_register(sim, cpmu, CONFIGURATION(i));
		const uint64_t group = read_register(sim, cpmu, GROUP(SIM_CFG_GROUP(cfg)));

		if (SIM_CPMU_TYPE(cfg) == SIM_CPMU_CONFIGURABLE
			    ? configurable
			    : SIM_CPMU_TYPE(cfg) == SIM_CPMU_FIXED && group >> 32 == config >> 32 &&
				      SIM_CFG_EVENTS(cfg) == (uint32_t)config)
			counters |= UINT64_C(1) << i;
	}
	return counters;
}

int sim_cxl_aliases(const struct sim *sim, const struct sim_pmu *pmu, struct perf_pmu *out)
{
	const struct sim_cpmu *cpmu = &sim->cpmus[pmu->unit_id];

	out->aliases = calloc(NAME_COUNT, sizeof(*out->aliases));
	if (!out->aliases)
		return -ENOMEM;
	for (size_t i = 0; i < NAME_COUNT; i++) {
		const uint64_t config = (uint64_t)VENDOR << 48 | (uint64_t)names[i].group << 32 |
					UINT64_C(1) << names[i].bit;
		struct perf_alias *alias = &out->aliases[out->alias_count];

		if (!sim_cxl_driver_counters(sim, cpmu, config))
			continue;
		out->alias_count++;
		alias->config[0] = config;
		snprintf(alias->name, sizeof(alias->name), "%s", names[i].name);
	}
	return 0;
}

void sim_cxl_driver_freeze(struct sim *sim, struct sim_cpmu *cpmu, bool on)
{
	sim_cpmu_write(sim, cpmu, SIM_REG_FREEZE, 8, on ? UINT64_MAX : 0);
}

/* What is written to a configuration in the place of what it holds. */
static uint64_t configure(const struct sim *sim, const struct sim_event *event, uint64_t cfg)
{
	const bool mended = sim->spec.kernel >= SIM_CXL_PMU_MENDED;
	const uint64_t group = mended ? find_group(sim, event->cpmu, event->control) : 0;

	if (mended && SIM_CPMU_TYPE(cfg) == SIM_CPMU_CONFIGURABLE)
		cfg &= ~SIM_CFG_SELECTION;
	if (SIM_CPMU_TYPE(cfg) == SIM_CPMU_CONFIGURABLE)
		cfg |= group << 59 | (event->control & UINT32_MAX) << 24;
	return (cfg | SIM_CFG_INTERRUPT | STOPS | SIM_CFG_ENABLE) & ~THRESHOLD;
}

void sim_cxl_driver_start(struct sim *sim, const struct sim_event *event)
{
	const unsigned i = (unsigned)event->counter;
	const uint64_t cfg = read_register(sim, event->cpmu, CONFIGURATION(i));

	if (read_register(sim, event->cpmu, SIM_REG_CAPABILITY) & CAP_FILTER_HDM)
		sim_cpmu_write(sim, event->cpmu, FILTER(i), 4, UINT32_MAX);
	sim_cpmu_write(sim, event->cpmu, CONFIGURATION(i), 8, configure(sim, event, cfg));
	sim_cpmu_write(sim, event->cpmu, COUNTER(i), 8, 0);
}

/* What was selected stays there. */
void sim_cxl_driver_stop(struct sim *sim, const struct sim_event *event)
{
	const unsigned i = (unsigned)event->counter;
	const uint64_t cfg = read_register(sim, event->cpmu, CONFIGURATION(i));

	sim_cpmu_write(sim, event->cpmu, CONFIGURATION(i), 8,
		       cfg & ~(SIM_CFG_INTERRUPT | SIM_CFG_ENABLE));
}

uint64_t sim_cxl_driver_read(const struct sim *sim, const struct sim_event *event)
{
	return read_register(sim, event->cpmu, COUNTER((unsigned)event->counter));
}
