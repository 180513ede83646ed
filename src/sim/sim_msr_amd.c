/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registers of a CPU of AMD. A counter counts while its control enables it in a ring, and so
 * does its bit of the global control, which only PerfMonV2 has.
 *
 * Source: the kernel's arch/x86/events/amd/core.c and msr-index.h, and its pmu-events.
 */
#include <errno.h>

#include "msr/core_pmu.h"
#include "sim/sim_msr.h"
#include "sim/traffic.h"

#define PERF_CTL0		    0xC0010200 /* + 2 i; its counter, PERF_CTR, is the next one */
#define PERF_CNTR_GLOBAL_STATUS	    0xC0000300
#define PERF_CNTR_GLOBAL_CTL	    0xC0000301
#define PERF_CNTR_GLOBAL_STATUS_CLR 0xC0000302

#define GLOBAL_MASK ((UINT64_C(1) << SIM_AMD_CORE_COUNTERS) - 1)

/* Event bits 7:0 and 35:32, umask, usr, os, edge, int, enable, inv, cmask, guest and host only. */
#define CTL_RESERVED                                                                               \
	(~(UINT64_C(0xFFFFFFFF) | UINT64_C(0xF) << 32 | UINT64_C(3) << 40) | UINT64_C(1) << 19 |   \
	 UINT64_C(1) << 21)

#define FILLS_DEMAND 0x43
#define FILLS_ANY    0x44
#define FROM_DRAM    0x08 /* umasks of fills */
#define FROM_FAR     0x40
#define FROM_CXL     0x80

/* Fills of a CPU's data cache, as there are reads of memory: each umask adds its own. */
static uint64_t count_fills(const struct sim *sim, unsigned cpu, unsigned umask, uint64_t t)
{
	const struct sim_loads *loads = &sim->loads;
	uint64_t sum = 0;

	if (!sim_model_facts(sim->spec.model)->cxl_fills)
		return 0;
	if (umask & FROM_DRAM)
		sum += traffic_core_reads(loads, cpu, false, false, t);
	if (umask & FROM_FAR)
		sum += traffic_core_reads(loads, cpu, false, true, t);
	if (umask & FROM_CXL)
		sum += traffic_core_reads(loads, cpu, true, false, t) +
		       traffic_core_reads(loads, cpu, true, true, t);
	return sum;
}

static bool counts(const struct sim *sim, uint64_t control, uint64_t response)
{
	const unsigned code = (control & 0xFF) | (control >> 32 & 0xF) << 8;
	const unsigned umask = control >> 8 & 0xFF;

	(void)response;
	return ((code == 0x076 || code == 0x0C0) && !umask) || (code == 0x120 && umask == 1) ||
	       ((code == FILLS_DEMAND || code == FILLS_ANY) &&
		sim_model_facts(sim->spec.model)->cxl_fills &&
		umask & (FROM_DRAM | FROM_FAR | FROM_CXL));
}

/* Events from time 0 to t. */
static uint64_t event_count(const struct sim *sim, unsigned cpu, uint64_t control, uint64_t t)
{
	const unsigned umask = control >> 8 & 0xFF;

	switch ((control & 0xFF) | (control >> 32 & 0xF) << 8) {
	case 0x076:
		return umask ? 0 : traffic_core_cycles(t);
	case 0x0C0:
		return umask ? 0 : traffic_core_instructions(t);
	case 0x120: /* cycles at the frequency of P0, of which the time stamp counter is, too */
		return umask == 1 ? traffic_core_reference(t) : 0;
	case FILLS_DEMAND:
	case FILLS_ANY:
		return count_fills(sim, cpu, umask, t);
	default:
		return 0;
	}
}

static bool runs(const struct sim *sim, const struct sim_core *core, unsigned i)
{
	const uint64_t control = core->perfevtsel[i];

	return (!sim_cpuid_perfmon_v2(sim) || core->global_ctrl >> i & 1) &&
	       control & PERFEVTSEL_EN && control & (PERFEVTSEL_USR | PERFEVTSEL_OS);
}

/* Sets the bases to the current values, before they are read or what is counted changes. */
static void update_counters(struct sim *sim, unsigned cpu)
{
	struct sim_core *core = &sim->cores[cpu];

	for (unsigned i = 0; i < SIM_AMD_CORE_COUNTERS; i++) {
		const uint64_t control = core->perfevtsel[i], since = core->general[i].since;
		const uint64_t events = runs(sim, core, i)
						? event_count(sim, cpu, control, sim->now) -
							  event_count(sim, cpu, control, since)
						: 0;

		sim_core_add_events(core, &core->general[i], events, i, sim->now);
	}
}

static int read_msr(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	update_counters(sim, cpu);
	if (sim_core_in_array(msr, PERF_CTL0, 2 * SIM_AMD_CORE_COUNTERS, &i)) {
		*value = i % 2 ? core->general[i / 2].base : core->perfevtsel[i / 2];
		return 0;
	}
	if (msr == IA32_TIME_STAMP_COUNTER) {
		*value = traffic_core_reference(sim->now);
		return 0;
	}
	if (!sim_cpuid_perfmon_v2(sim))
		return -EIO;
	switch (msr) {
	case PERF_CNTR_GLOBAL_STATUS:
		*value = core->global_status;
		return 0;
	case PERF_CNTR_GLOBAL_CTL:
		*value = core->global_ctrl;
		return 0;
	case PERF_CNTR_GLOBAL_STATUS_CLR:
		*value = 0;
		return 0;
	default:
		return -EIO;
	}
}

static int write_msr(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	update_counters(sim, cpu);
	if (sim_core_in_array(msr, PERF_CTL0, 2 * SIM_AMD_CORE_COUNTERS, &i))
		return i % 2 ? sim_core_write(&core->general[i / 2].base, value, ~SIM_COUNTER_MASK)
			     : sim_core_write(&core->perfevtsel[i / 2], value, CTL_RESERVED);
	if (!sim_cpuid_perfmon_v2(sim))
		return -EIO;
	if (msr == PERF_CNTR_GLOBAL_CTL)
		return sim_core_write(&core->global_ctrl, value, ~GLOBAL_MASK);
	if (msr != PERF_CNTR_GLOBAL_STATUS_CLR || value & ~GLOBAL_MASK)
		return -EIO; /* also for the status itself, which is read-only */
	core->global_status &= ~value;
	return 0;
}

static void set_msr(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct sim_core *core = &sim->cores[cpu];
	unsigned i;

	if (msr == PERF_CNTR_GLOBAL_CTL)
		core->global_ctrl = value & GLOBAL_MASK;
	else if (sim_core_in_array(msr, PERF_CTL0, 2 * SIM_AMD_CORE_COUNTERS, &i) && i % 2 == 0)
		core->perfevtsel[i / 2] = value & ~CTL_RESERVED;
}

const struct sim_core_msrs sim_core_amd = {
	.read = read_msr,
	.write = write_msr,
	.set = set_msr,
	.counts = counts,
	.control = PERF_CTL0,
	.counter = PERF_CTL0 + 1,
	.step = 2,
	.count = SIM_AMD_CORE_COUNTERS,
	.config = UINT64_C(0xFFF84FFFF), /* event, umask, edge, inv and cmask */
	.global_ctrl = PERF_CNTR_GLOBAL_CTL,
	.global_all = GLOBAL_MASK,
};
