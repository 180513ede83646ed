/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_machine.h"

#include <errno.h>
#include <string.h>

#include "msr/core_pmu.h"
#include "sim/snapshot/snapshot.h"

#define LEAF1_ECX_HYPERVISOR (UINT32_C(1) << 31)
#define LEAF_HYPERVISOR	     0x40000000

/* Family and display model, as CPUID.1 EAX packs them: Intel SDM vol. 2A, and so does AMD */
static uint32_t processor_signature(const struct sim_spec *spec)
{
	const struct sim_model *facts = spec->facts;
	const uint32_t family = facts->family ? facts->family : spec->model->family;
	const uint32_t m = facts->display_model ? facts->display_model : spec->model->display_model;
	const uint32_t extended = family > 0xf ? family - 0xf : 0;

	return extended << 20 | m >> 4 << 16 | (family - extended) << 8 | (m & 0xf) << 4 | 1;
}

/*
 * Returns false for leaf 0xA with more or wider counters than are simulated; also for AMD's CPUs.
 */
static bool can_be_simulated(const struct snapshot_cpuid *leaf)
{
	struct core_pmu_info pmu;

	if (leaf->leaf == 0x80000022)
		return (leaf->regs[1] & 0xF) <= SIM_AMD_CORE_COUNTERS;
	core_pmu_decode(leaf->regs, &pmu);
	return leaf->leaf != 0xA ||
	       (pmu.general <= SIM_GENERAL_COUNTERS && pmu.general_width <= SIM_COUNTER_BITS &&
		pmu.fixed_width <= SIM_COUNTER_BITS && !(pmu.fixed_mask >> SIM_FIXED_COUNTERS));
}

/* Copies a leaf of the snapshot; returns false if the snapshot does not have it. */
static bool snapshot_leaf(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	for (size_t i = 0; sim->snapshot && i < sim->snapshot->leaf_count; i++) {
		const struct snapshot_cpuid *row = &sim->snapshot->leaves[i];

		if (row->leaf != leaf || row->subleaf != subleaf || leaf == LEAF_HYPERVISOR ||
		    !can_be_simulated(row))
			continue;
		memcpy(regs, row->regs, sizeof(row->regs));
		if (leaf == 1)
			regs[2] = (regs[2] & ~LEAF1_ECX_HYPERVISOR) |
				  (*sim->hypervisor ? LEAF1_ECX_HYPERVISOR : 0);
		return true;
	}
	return false;
}

static void put_vendor(uint32_t regs[4], const char vendor[static 13])
{
	memcpy(&regs[1], vendor, 4);
	memcpy(&regs[3], vendor + 4, 4);
	memcpy(&regs[2], vendor + 8, 4);
}

static void intel_leaf(uint32_t leaf, uint32_t regs[4])
{
	switch (leaf) {
	case 0:
		regs[0] = 0x20;
		put_vendor(regs, "GenuineIntel");
		break;
	case 1:
		regs[2] |= UINT32_C(1) << 15; /* PDCM */
		break;
	case 0xA:
		/* version 5; counters and widths; all seven architectural events available */
		regs[0] = 5 | SIM_GENERAL_COUNTERS << 8 | SIM_COUNTER_BITS << 16 | 7 << 24;
		regs[2] = (UINT32_C(1) << SIM_FIXED_COUNTERS) - 1;
		regs[3] = SIM_FIXED_COUNTERS | SIM_COUNTER_BITS << 5 | UINT32_C(1) << 15;
		break;
	case 0x80000000:
		regs[0] = 0x80000004;
		break;
	default:
		break;
	}
}

bool sim_cpuid_perfmon_v2(const struct sim *sim)
{
	return !*sim->hypervisor;
}

static void amd_perfmon_leaf(const struct sim *sim, uint32_t regs[4])
{
	const uint32_t all = UINT32_MAX >> (32 - sim->spec.imcs);

	regs[0] = 1;
	regs[1] = SIM_AMD_CORE_COUNTERS;
	if (sim->spec.facts->no_uncore)
		return;
	regs[1] |= SIM_DF_COUNTERS << 10 | SIM_UMC_COUNTERS * sim->spec.imcs << 16;
	/* active memory controllers: all except the second one, if there is room for that */
	regs[2] = sim->spec.imcs < 32 ? (all & 1) | (all & ~UINT32_C(1)) << 1 : all;
}

/*
 * Cache leaves: level and type (data, instructions, both), sharing, ways and bytes per line, and
 * sets; the L3 has 32 MiB.
 */
static void amd_cache_leaf(uint32_t subleaf, uint32_t regs[4])
{
	static const uint32_t caches[][3] = {
		{1 << 5 | 1, 7 << 22 | 63, 63},
		{1 << 5 | 2, 7 << 22 | 63, 63},
		{2 << 5 | 3, 7 << 22 | 63, 2047},
		{3 << 5 | 3 | (SIM_L3_CPUS - 1) << 14, 15 << 22 | 63, 32767},
	};

	if (subleaf < sizeof(caches) / sizeof(caches[0]))
		memcpy(regs, caches[subleaf], sizeof(caches[0]));
}

static void amd_leaf(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	switch (leaf) {
	case 0:
	case 0x80000000:
		regs[0] = leaf ? 0x80000022 : 0x10;
		put_vendor(regs, "AuthenticAMD");
		break;
	case 0x80000001:
		regs[0] = processor_signature(&sim->spec);
		regs[2] = UINT32_C(1) << 23;
		if (sim_cpuid_perfmon_v2(sim))
			regs[2] |= UINT32_C(1) << 24 | UINT32_C(1) << 28;
		break;
	case 0x8000001D:
		amd_cache_leaf(subleaf, regs);
		break;
	case 0x80000022:
		if (sim_cpuid_perfmon_v2(sim))
			amd_perfmon_leaf(sim, regs);
		break;
	default:
		break;
	}
}

int sim_cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4],
	      struct error *err)
{
	/* three leaves of 16 bytes */
	static const char known[48] = "simulated by cxlmon",
			  unknown[48] = "processor of no known model";
	const struct sim *sim = sim_of(p);
	const struct sim_model *facts = sim->spec.facts;
	const char *brand = facts->no_uncore ? unknown : known;

	(void)cpu;
	if (facts->vendor == SIM_ARM)
		return error_set(err, ERROR_NO_UNIT, -EOPNOTSUPP, "this processor has no CPUID");
	if (snapshot_leaf(sim, leaf, subleaf, regs))
		return 0;
	memset(regs, 0, 4 * sizeof(regs[0]));
	switch (leaf) {
	case 1:
		regs[0] = processor_signature(&sim->spec);
		regs[2] = *sim->hypervisor ? LEAF1_ECX_HYPERVISOR : 0;
		regs[3] = UINT32_C(1) << 4 | UINT32_C(1) << 5; /* TSC, MSR */
		break;
	case LEAF_HYPERVISOR:
		memcpy(&regs[1], sim->hypervisor, sizeof(sim->hypervisor) - 1);
		break;
	case 0x80000002:
	case 0x80000003:
	case 0x80000004:
		memcpy(regs, brand + 16 * (leaf - 0x80000002), 16);
		break;
	default:
		break;
	}
	if (facts->vendor == SIM_AMD)
		amd_leaf(sim, leaf, subleaf, regs);
	else
		intel_leaf(leaf, regs);
	return 0;
}
