/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_perf.h"

#include <errno.h>

#include "events/event_catalogue.h"
#include "platform/perf.h"
#include "sim/sim_cpmu.h"
#include "sim/sim_extras.h"

#define UNIT_FREEZE 1

/*
 * Bits of a fixed counter's control. An overflow interrupts, so that the kernel can add up more
 * than a counter holds.
 */
#define FIXED_KERNEL UINT64_C(1)
#define FIXED_USER   UINT64_C(2)
#define FIXED_PMI    UINT64_C(8)

/* The start value of a counter: it overflows after (2^47 - 1) events. */
#define CORE_START_VALUE ((UINT64_C(1) << 47) + 1)

#define MSR_EVENT_TSC 0 /* the only event of the msr PMU here: the time stamp counter */

#define L3_EVENT       UINT64_C(0xFFFF) /* event and umask */
#define L3_THREADS     (UINT64_C(3) << 56)
#define L3_EVERY_CORE  (UINT64_C(1) << 47)
#define L3_EVERY_SLICE (UINT64_C(1) << 46)

/* Counters of Intel's CPUs that take an event. Events not listed take only general counters. */
#define FIXED(n) (UINT64_C(1) << (SIM_FIXED_COUNTER + FIXED_##n))
static const struct {
	uint64_t config; /* the whole config */
	uint64_t counters;
} core_constraints[] = {
	{0x00C0, FIXED(INSTRUCTIONS) | 0xFF},
	{0x003C, FIXED(CYCLES) | 0xFF},
	{0x0300, FIXED(REFERENCE_CYCLES)},
	{0x0400, FIXED(SLOTS)},
};

static uint64_t core_counters(const struct sim *sim, uint64_t config)
{
	uint64_t counters = 0;

	for (size_t i = 0; i < sizeof(core_constraints) / sizeof(core_constraints[0]); i++)
		if (core_constraints[i].config == config)
			return core_constraints[i].counters;
	for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++)
		counters |= (uint64_t)sim_core_takes(sim, config, x) << x;
	return counters;
}

/* Prepares an event of a CPU. The kernel adds the bits that it does not take from config. */
static int init_core(const struct sim *sim, const struct perf_event *attributes,
		     struct sim_event *event)
{
	const struct sim_core_pmu *pmu = sim_core_pmu(sim);
	const uint64_t config = attributes->config[0] & pmu->config;

	event->counters =
		pmu->fixed ? core_counters(sim, config) : (UINT64_C(1) << pmu->general) - 1;
	if (pmu->fixed && ((config & 0xFFFF) == 0x012A || (config & 0xFFFF) == 0x012B))
		event->offcore = attributes->config[1];
	event->control = config | PERFEVTSEL_INT | PERFEVTSEL_EN;
	if (!attributes->exclude_user)
		event->control |= PERFEVTSEL_USR;
	if (!attributes->exclude_kernel)
		event->control |= PERFEVTSEL_OS;
	return event->offcore & SIM_OFFCORE_RESERVED ? -EINVAL : 0;
}

/* Returns true for AMD's units, whose registers are pairs. */
static bool is_pair(const struct sim_event *event)
{
	return event->unit && !sim_unit_rules(event->unit)->unit_control;
}

static int init_uncore(struct sim *sim, const struct sim_pmu *pmu,
		       const struct perf_event *attributes, struct sim_event *event)
{
	event->unit = sim_pmu_unit(sim, pmu, event->cpu);
	if (!event->unit)
		return -EINVAL;
	/* the driver does this when it loads; programs without the driver do not see it */
	if (pmu->known)
		sim_unfreeze_table(sim, event->unit);
	uint64_t config = attributes->config[0] & sim_pmu_config_bits(sim, pmu);
	const struct event rules = {.type = (uint16_t)event->unit->type,
				    .code = config & 0xff,
				    .umask = config >> 8 & 0xff};
	event->counters = (UINT64_C(1) << event->unit->counters) - 1;
	if (pmu->known && !is_pair(event))
		event->counters &= rules_counters(&rules);
	/*
	 * a config without threads of an L3 cache means all threads, cores and slices, whatever
	 * else it selects
	 */
	if (event->unit->type == PMU_L3 && !(config & L3_THREADS))
		config = (config & L3_EVENT) | L3_THREADS | L3_EVERY_CORE | L3_EVERY_SLICE;
	config |= sim_pmu_filter(sim, event->unit, attributes);
	event->control = config | sim_unit_rules(event->unit)->enable;
	return event->counters ? 0 : -EINVAL;
}

int sim_event_init(struct sim *sim, const struct sim_pmu *pmu, const struct perf_event *attributes,
		   struct sim_event *event)
{
	*event = (struct sim_event){.pmu = pmu, .cpu = attributes->cpu};
	if (pmu->kind == SIM_PMU_CORE)
		return init_core(sim, attributes, event);
	if (attributes->exclude_user || attributes->exclude_kernel)
		return -EINVAL;
	if (pmu->kind == SIM_PMU_UNCORE)
		return init_uncore(sim, pmu, attributes, event);
	event->control = attributes->config[0];
	if (pmu->kind == SIM_PMU_MSR)
		return event->control == MSR_EVENT_TSC ? 0 : -EINVAL;
	event->counters = sim_extras.cxl_driver->counters(event->pmu->cpmu, event->control);
	return event->counters ? 0 : -EINVAL;
}

bool sim_event_is_unchecked(const struct sim_event *event)
{
	return event->pmu->cpmu || is_pair(event);
}

/*
 * Writes the control of a counter. The driver assumes 4 bytes from one control to the next for
 * units in memory that it does not know. It writes controls in memory 32 bits wide, on processors
 * without fields above bit 31.
 */
static void write_unit_control(struct sim *sim, const struct sim_event *event, uint64_t value)
{
	struct sim_unit *unit = event->unit;
	const bool memory = unit->access == SIM_ACCESS_MMIO;
	const unsigned step = event->pmu->known || !memory ? unit->control_step : 4;
	const bool narrow = memory && !is_pair(event) && !sim->spec.facts->dies_have_tables;

	sim_unit_write(sim, unit, unit->control_offset + step * (unsigned)event->counter,
		       narrow ? (uint32_t)value : value);
}

/* Returns the number of a fixed counter; negative: event->counter is a general one. */
static int fixed_number(const struct sim_event *event)
{
	return event->counter - SIM_FIXED_COUNTER;
}

static uint32_t counter_msr(const struct sim *sim, const struct sim_event *event)
{
	const struct sim_core_pmu *pmu = sim_core_pmu(sim);

	if (event->pmu->kind == SIM_PMU_MSR)
		return IA32_TIME_STAMP_COUNTER;
	return fixed_number(event) >= 0 ? IA32_FIXED_CTR0 + (uint32_t)fixed_number(event)
					: pmu->counter + pmu->step * (unsigned)event->counter;
}

static uint64_t counter_offset(const struct sim_event *event)
{
	return event->unit->counter_offset + event->unit->counter_step * (unsigned)event->counter;
}

static uint64_t read_counter(struct sim *sim, const struct sim_event *event)
{
	uint64_t value = 0;

	if (event->pmu->cpmu)
		return sim_cpmu_read(sim, event->pmu->cpmu,
				     SIM_REG_COUNTERS + 8 * (uint64_t)event->counter, 8);
	if (event->unit)
		sim_unit_read(sim, event->unit, counter_offset(event), &value);
	else
		sim_core_read(sim, event->cpu, counter_msr(sim, event), &value);
	return value;
}

/* Adds a counter's events. A counter that saturates is set to 0 once half of its range is used. */
void sim_event_update(struct sim *sim, struct sim_event *event)
{
	const bool saturates = event->unit && sim_unit_rules(event->unit)->saturates;
	const uint64_t mask = event->pmu->kind == SIM_PMU_MSR ? UINT64_MAX
			      : saturates		      ? SIM_COUNTER_MASK >> 1
							      : SIM_COUNTER_MASK;
	const uint64_t value = read_counter(sim, event);

	event->count += (value - event->last) & mask;
	event->last = value;
	if (saturates && value >> (SIM_COUNTER_BITS - 1)) {
		sim_unit_write(sim, event->unit, counter_offset(event), 0);
		event->last = 0;
	}
}

/* Enables or disables a counter, whose event selection stays in the control. */
static void write_core_control(struct sim *sim, const struct sim_event *event, bool enable)
{
	const struct sim_core_pmu *pmu = sim_core_pmu(sim);
	const uint64_t user = event->control & PERFEVTSEL_USR ? FIXED_USER : 0;
	const uint64_t kernel = event->control & PERFEVTSEL_OS ? FIXED_KERNEL : 0;
	const int fixed = fixed_number(event);
	uint64_t value;

	if (fixed < 0) {
		sim_core_write(sim, event->cpu, pmu->control + pmu->step * (unsigned)event->counter,
			       enable ? event->control : event->control & ~PERFEVTSEL_EN);
		return;
	}
	sim_core_read(sim, event->cpu, IA32_FIXED_CTR_CTRL, &value);
	value &= ~(UINT64_C(0xF) << 4 * fixed);
	if (enable)
		value |= (user | kernel | FIXED_PMI) << 4 * fixed;
	sim_core_write(sim, event->cpu, IA32_FIXED_CTR_CTRL, value);
}

void sim_event_start(struct sim *sim, struct sim_event *event)
{
	if (event->pmu->kind == SIM_PMU_CORE) {
		sim_core_write(sim, event->cpu, counter_msr(sim, event), CORE_START_VALUE);
		if (event->offcore)
			sim_core_write(sim, event->cpu, IA32_OFFCORE_RSP_0 + (event->control & 1),
				       event->offcore);
		write_core_control(sim, event, true);
	} else if (event->pmu->cpmu) {
		sim_extras.cxl_driver->start(sim, event->pmu->cpmu, (unsigned)event->counter,
					     event->control);
	} else if (is_pair(event)) {
		sim_unit_write(sim, event->unit, counter_offset(event), event->last);
	}
	event->last = read_counter(sim, event);
	if (event->unit)
		write_unit_control(sim, event, event->control);
}

void sim_event_stop(struct sim *sim, struct sim_event *event)
{
	if (event->unit)
		write_unit_control(
			sim, event,
			is_pair(event) ? event->control & ~sim_unit_rules(event->unit)->enable : 0);
	else if (event->pmu->kind == SIM_PMU_CORE)
		write_core_control(sim, event, false);
	else if (event->pmu->cpmu)
		sim_extras.cxl_driver->stop(sim, event->pmu->cpmu, (unsigned)event->counter);
	sim_event_update(sim, event);
}

void sim_event_freeze_pmu(struct sim *sim, const struct sim_event *event, bool on)
{
	const struct sim_core_pmu *pmu = sim_core_pmu(sim);

	if (event->pmu->kind == SIM_PMU_CORE)
		sim_core_write(sim, event->cpu, pmu->global_ctrl, on ? 0 : pmu->global_all);
	else if (event->pmu->cpmu)
		sim_cpmu_write(sim, event->pmu->cpmu, SIM_REG_FREEZE, 8, on ? UINT64_MAX : 0);
	else if (sim_unit_rules(event->unit)->unit_control)
		sim_unit_write(sim, event->unit, 0, on ? UNIT_FREEZE : 0);
}
