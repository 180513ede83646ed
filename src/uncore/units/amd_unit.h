/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of AMD processors: the data fabric of a node (a socket or a part of it), an L3 cache, a
 * memory controller, the PMU of a CPU. Their registers are MSRs, in pairs of a counter control and
 * its counter. No register freezes a unit, so counters are read while they run. Each control has an
 * enable bit; while it is set, the counter is in use. The other bits do not show if a counter is in
 * use: the kernel leaves them as they are when perf ends.
 *
 * Source: the kernel's events/amd/uncore.c and events/amd/core.c, and asm/msr-index.h.
 */
#ifndef CXLMON_UNCORE_UNITS_AMD_UNIT_H
#define CXLMON_UNCORE_UNITS_AMD_UNIT_H

#include <stdbool.h>

#include "msr/core_pmu.h"
#include "platform/cpus.h"
#include "platform/platform.h"
#include "uncore/units/unit.h"

/* MSRs: control of counter 0; + 2x: control of counter x; + 2x + 1: counter x */
#define AMD_CORE_PERF_CTL0 0xC0010200
#define AMD_L3_PERF_CTL0   0xC0010230
#define AMD_DF_PERF_CTL0   0xC0010240
#define AMD_UMC_PERF_CTL0  0xC0010800
/* MSR of a CPU with PerfMonV2: bit x also enables counter x */
#define AMD_PERF_CNTR_GLOBAL_CTL 0xC0000301

/* Enable bits of a counter control: of a memory controller (UMC), and of other units. */
#define AMD_CTL_ENABLE	   (UINT64_C(1) << 22)
#define AMD_UMC_CTL_ENABLE (UINT64_C(1) << 31)

/*
 * Returns a closed unit with pairs of registers from MSR first on, accessed through the CPU at
 * place. The caller sets .id, and .l3_scoped if only CPUs with the same L3 cache can access it.
 */
struct unit amd_unit(const struct pmu_type *pmu_type, uint32_t first, unsigned counters,
		     const struct cpu_location *place);

/* The layout of a core's counter controls. */
extern const struct control_layout control_amd_core;

/*
 * Returns a closed unit for the PMU of a CPU, with the counter numbers of uncore/units/core_unit.h.
 * unit_open() finds how many counters it has.
 */
struct unit amd_core_unit(const struct cpu_location *place);

#define AMD_COUNTER_BITS 48

/*
 * Numbers of counters by CPUID; 0: none. Source: the kernel's asm/cpufeatures.h and
 * asm/perf_event.h (cpuid_0x80000022_ebx).
 */
struct amd_counters {
	unsigned core;	       /* counters of a CPU */
	unsigned df, l3;       /* counters of a data fabric, and of an L3 cache */
	unsigned umcs, of_umc; /* active memory controllers of a node, and counters of each */
	bool perfmon_v2;
};

/*
 * Reads the numbers of counters from a CPU's CPUID; all are 0 if it lacks these leaves. Returns 0
 * or the error of reading CPUID.
 */
int amd_counters_read(struct platform *p, unsigned cpu, struct amd_counters *out,
		      struct error *err);

/* Does the same, but fails with -ENODEV (ERROR_NO_UNIT) if .core is 0. */
int amd_counters_of_core(struct platform *p, unsigned cpu, struct amd_counters *out,
			 struct error *err);

/*
 * Returns the bytes of a CPU's L3 cache; 0: CPUID does not say. Source: AMD APM volume 3, CPUID
 * 8000001Dh (Cache Properties)
 */
uint64_t amd_l3_bytes(struct platform *p, unsigned cpu);

/*
 * Returns a CPU's node, whose CPUs share a data fabric and memory controllers: NodeId, CPUID
 * 8000001Eh ECX 7:0, as the kernel's topology_amd_node_id(). -1: CPUID does not say.
 */
int amd_node(struct platform *p, unsigned cpu);

/* Implements core_model.identify for AMD's CPUs. */
int amd_core_identify(struct platform *p, unsigned cpu, struct core_pmu_info *out,
		      struct error *err);

#endif
