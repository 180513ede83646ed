/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_event.h"

#include <errno.h>

#include "sim/sim_msr.h"
#include "sim/sim_pmus.h"
#include "sim/sim_unit.h"

#define UNIT_FREEZE 1

/* An overflow interrupts, so that the kernel can add up more than a counter holds. */
#define FIXED_KERNEL UINT64_C(1)
#define FIXED_USER   UINT64_C(2)
#define FIXED_PMI    UINT64_C(8)

/* Where a counter begins: it overflows after (2^47 - 1) events. */
#define CORE_START_VALUE ((UINT64_C(1) << 47) + 1)

#define MSR_EVENT_TSC 0

/* Which counters of Intel take an event of a CPU: of all others, the general-purpose ones. */
static const struct {
	uint64_t config; /* as a whole */
	uint64_t counters;
} core_constraints[] = {
	{0x00C0, UINT64_C(1) << (SIM_FIXED_COUNTER + FIXED_INSTRUCTIONS) | 0xFF},
	{0x003C, UINT64_C(1) << (SIM_FIXED_COUNTER + FIXED_CYCLES) | 0xFF},
	{0x0300, UINT64_C(1) << (SIM_FIXED_COUNTER + FIXED_REFERENCE_CYCLES)},
	{0x0400, UINT64_C(1) << (SIM_FIXED_COUNTER + FIXED_SLOTS)},
	{0x012A, 0x0F},
	{0x012B, 0x0F},
};

static bool takes_offcore(uint64_t config)
{
	return (config & 0xFFFF) == 0x012A || (config & 0xFFFF) == 0x012B;
}

/* config is what the kernel takes of it. */
static void constrain_core(const struct perf_event *attributes, uint64_t config,
			   struct sim_event *event)
{
	for (size_t i = 0; i < sizeof(core_constraints) / sizeof(core_constraints[0]); i++)
		if (core_constraints[i].config == config)
			event->counters = core_constraints[i].counters;
	if (takes_offcore(config))
		event->offcore = attributes->config[1];
}

/* The kernel adds by itself what it doesn't take of config. */
static int init_core(const struct sim *sim, const struct perf_event *attributes,
		     struct sim_event *event)
{
	const struct sim_core_pmu *core = sim_core_pmu(sim);
	const uint64_t config = attributes->config[0] & core->config;

	event->counters = (UINT64_C(1) << core->general) - 1;
	if (core->fixed)
		constrain_core(attributes, config, event);
	event->control = config | PERFEVTSEL_INT | PERFEVTSEL_EN;
	if (!attributes->exclude_user)
		event->control |= PERFEVTSEL_USR;
	if (!attributes->exclude_kernel)
		event->control |= PERFEVTSEL_OS;
	return event->offcore & SIM_OFFCORE_RESERVED ? -EINVAL : 0;
}

/* Only the time stamp counter of what the msr PMU has. */
static int init_msr(const struct perf_event *attributes)
{
	return attributes->config[0] == MSR_EVENT_TSC ? 0 : -EINVAL;
}

static void init_intel(struct sim *sim, const struct sim_pmu *pmu, uint64_t config,
		       struct sim_event *event)
{
	/* the driver does so as it loads: to be seen only by who counts through it */
	if (pmu->known)
		sim_unfreeze_table(sim, event->unit);
	event->control = config;
	event->counters = sim_intel_driver_counters(pmu, event->unit, config);
}

static void init_amd(const struct sim_pmu *pmu, uint64_t config, struct sim_event *event)
{
	event->stopped = sim_amd_driver_control(pmu, config);
	event->control = event->stopped | sim_unit_rules(event->unit)->enable;
	event->resumes = true;
	event->saturates = sim_unit_rules(event->unit)->saturates;
	event->unchecked = true;
	event->counters = (UINT64_C(1) << event->unit->counters) - 1;
}

static int init_uncore(struct sim *sim, const struct sim_pmu *pmu,
		       const struct perf_event *attributes, struct sim_event *event)
{
	event->unit = sim_pmu_unit(sim, pmu, event->cpu);
	if (!event->unit)
		return -EINVAL;
	const uint64_t config = attributes->config[0] & sim_pmu_config_bits(sim, pmu);
	event->known = pmu->known;
	if (sim_model_facts(sim->spec.model)->vendor == SIM_AMD)
		init_amd(pmu, config, event);
	else
		init_intel(sim, pmu, config, event);
	return event->counters ? 0 : -EINVAL;
}

/* Whether a group fits is found out when it is to count. */
static int init_cxl(struct sim *sim, const struct sim_pmu *pmu, const struct perf_event *attributes,
		    struct sim_event *event)
{
	event->cpmu = &sim->cpmus[pmu->unit_id];
	event->control = attributes->config[0];
	event->unchecked = true;
	event->counters = sim_cxl_driver_counters(sim, event->cpmu, event->control);
	return event->counters ? 0 : -EINVAL;
}

int sim_event_init(struct sim *sim, const struct sim_pmu *pmu, const struct perf_event *attributes,
		   struct sim_event *event)
{
	const bool excludes = attributes->exclude_user || attributes->exclude_kernel;

	*event = (struct sim_event){
		.kind = pmu->kind, .cpu = attributes->cpu, .counter = SIM_NO_COUNTER};
	if (pmu->kind == SIM_PMU_CORE)
		return init_core(sim, attributes, event);
	if (excludes)
		return -EINVAL;
	if (pmu->kind == SIM_PMU_CXL)
		return init_cxl(sim, pmu, attributes, event);
	return pmu->kind == SIM_PMU_MSR ? init_msr(attributes)
					: init_uncore(sim, pmu, attributes, event);
}

unsigned sim_event_offcore_register(const struct sim_event *event)
{
	return event->control & 1; /* event 0x2B: the second one */
}

void sim_event_select_offcore(struct sim_event *event, unsigned r)
{
	event->control = (event->control & ~UINT64_C(0xFF)) | (0x2A + r);
}

/* Controls of units in memory that the driver doesn't know, it takes to be 4 bytes apart. */
static uint64_t control_offset(const struct sim_event *event)
{
	const struct sim_unit *unit = event->unit;
	const unsigned step =
		event->known || unit->access != SIM_ACCESS_MMIO ? unit->control_step : 4;

	return unit->control_offset + step * (unsigned)event->counter;
}

/* Controls in memory are written 32 bits wide, until there were fields behind them. */
static void write_unit_control(struct sim *sim, const struct sim_event *event, uint64_t value)
{
	const bool narrow = event->unit->access == SIM_ACCESS_MMIO &&
			    !sim_model_facts(sim->spec.model)->dies_have_tables;

	sim_unit_write(sim, event->unit, control_offset(event), narrow ? (uint32_t)value : value);
}

static unsigned fixed_number(const struct sim_event *event)
{
	return (unsigned)event->counter - SIM_FIXED_COUNTER;
}

static bool is_fixed(const struct sim_event *event)
{
	return event->counter >= SIM_FIXED_COUNTER;
}

static uint32_t counter_msr(const struct sim *sim, const struct sim_event *event)
{
	const struct sim_core_pmu *core = sim_core_pmu(sim);

	return is_fixed(event) ? IA32_FIXED_CTR0 + fixed_number(event)
			       : core->counter + core->step * (unsigned)event->counter;
}

static uint64_t counter_offset(const struct sim_event *event)
{
	return event->unit->counter_offset + event->unit->counter_step * (unsigned)event->counter;
}

static uint64_t read_counter(struct sim *sim, const struct sim_event *event)
{
	uint64_t value = 0;

	switch (event->kind) {
	case SIM_PMU_UNCORE:
		sim_unit_read(sim, event->unit, counter_offset(event), &value);
		return value;
	case SIM_PMU_CXL:
		return sim_cxl_driver_read(sim, event);
	case SIM_PMU_CORE:
		sim_core_read(sim, event->cpu, counter_msr(sim, event), &value);
		return value;
	default:
		sim_core_read(sim, event->cpu, IA32_TIME_STAMP_COUNTER, &value);
		return value;
	}
}

void sim_event_update(struct sim *sim, struct sim_event *event)
{
	const uint64_t mask = event->kind == SIM_PMU_MSR ? UINT64_MAX
			      : event->saturates	 ? SIM_COUNTER_MASK >> 1
							 : SIM_COUNTER_MASK;
	const uint64_t value = read_counter(sim, event);

	event->count += (value - event->last) & mask;
	event->last = value;
	if (event->saturates && value >> (SIM_COUNTER_BITS - 1)) {
		sim_unit_write(sim, event->unit, counter_offset(event), 0);
		event->last = 0;
	}
}

static void set_fixed_control(struct sim *sim, const struct sim_event *event, uint64_t bits)
{
	const unsigned shift = 4 * fixed_number(event);
	uint64_t value;

	sim_core_read(sim, event->cpu, IA32_FIXED_CTR_CTRL, &value);
	value = (value & ~(UINT64_C(0xF) << shift)) | bits << shift;
	sim_core_write(sim, event->cpu, IA32_FIXED_CTR_CTRL, value);
}

static void start_fixed(struct sim *sim, const struct sim_event *event)
{
	const uint64_t user = event->control & PERFEVTSEL_USR ? FIXED_USER : 0;
	const uint64_t kernel = event->control & PERFEVTSEL_OS ? FIXED_KERNEL : 0;

	set_fixed_control(sim, event, user | kernel | FIXED_PMI);
}

static uint32_t control_msr(const struct sim *sim, const struct sim_event *event)
{
	const struct sim_core_pmu *core = sim_core_pmu(sim);

	return core->control + core->step * (unsigned)event->counter;
}

static void start_core(struct sim *sim, const struct sim_event *event)
{
	sim_core_write(sim, event->cpu, counter_msr(sim, event), CORE_START_VALUE);
	if (event->offcore)
		sim_core_write(sim, event->cpu,
			       IA32_OFFCORE_RSP_0 + sim_event_offcore_register(event),
			       event->offcore);
	if (is_fixed(event))
		start_fixed(sim, event);
	else
		sim_core_write(sim, event->cpu, control_msr(sim, event), event->control);
}

/* What was selected stays there. */
static void stop_core(struct sim *sim, const struct sim_event *event)
{
	if (is_fixed(event))
		set_fixed_control(sim, event, 0);
	else
		sim_core_write(sim, event->cpu, control_msr(sim, event),
			       event->control & ~PERFEVTSEL_EN);
}

void sim_event_start(struct sim *sim, struct sim_event *event)
{
	if (event->kind == SIM_PMU_CORE)
		start_core(sim, event);
	else if (event->kind == SIM_PMU_CXL)
		sim_cxl_driver_start(sim, event);
	else if (event->resumes)
		sim_unit_write(sim, event->unit, counter_offset(event), event->last);
	event->last = read_counter(sim, event);
	if (event->kind == SIM_PMU_UNCORE)
		write_unit_control(sim, event, event->control);
}

void sim_event_stop(struct sim *sim, struct sim_event *event)
{
	if (event->kind == SIM_PMU_UNCORE)
		write_unit_control(sim, event, event->stopped);
	else if (event->kind == SIM_PMU_CORE)
		stop_core(sim, event);
	else if (event->kind == SIM_PMU_CXL)
		sim_cxl_driver_stop(sim, event);
	sim_event_update(sim, event);
	event->counter = SIM_NO_COUNTER;
}

void sim_event_disable_pmu(struct sim *sim, const struct sim_event *event)
{
	if (event->kind == SIM_PMU_CORE)
		sim_core_write(sim, event->cpu, sim_core_pmu(sim)->global_ctrl, 0);
	else if (event->kind == SIM_PMU_CXL)
		sim_cxl_driver_freeze(sim, event->cpmu, true);
	else if (sim_unit_rules(event->unit)->unit_control)
		sim_unit_write(sim, event->unit, 0, UNIT_FREEZE);
}

void sim_event_enable_pmu(struct sim *sim, const struct sim_event *event)
{
	const struct sim_core_pmu *core = sim_core_pmu(sim);

	if (event->kind == SIM_PMU_CORE)
		sim_core_write(sim, event->cpu, core->global_ctrl, core->global_all);
	else if (event->kind == SIM_PMU_CXL)
		sim_cxl_driver_freeze(sim, event->cpmu, false);
	else if (sim_unit_rules(event->unit)->unit_control)
		sim_unit_write(sim, event->unit, 0, 0);
}
