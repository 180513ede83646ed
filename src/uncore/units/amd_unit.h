/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of AMD processors: the data fabric of a socket, an L3 cache, a memory controller, the PMU
 * of a CPU. Their registers are MSRs, in pairs of a counter control and its counter. No register
 * freezes a unit: each counter is enabled by a bit of its own control, and is read while it runs. A
 * counter with that bit set is in use; after every perf run the kernel leaves the event without it.
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

#define AMD_CORE_PERF_CTL0	 0xC0010200 /* + 2x: control of counter x; + 1: the counter */
#define AMD_L3_PERF_CTL0	 0xC0010230
#define AMD_DF_PERF_CTL0	 0xC0010240
#define AMD_UMC_PERF_CTL0	 0xC0010800
#define AMD_PERF_CNTR_GLOBAL_CTL 0xC0000301 /* bit x enables counter x of a CPU: PerfMonV2 */

/* Enable bits of a counter control. */
#define AMD_CTL_ENABLE	   (UINT64_C(1) << 22)
#define AMD_UMC_CTL_ENABLE (UINT64_C(1) << 31)

/*
 * Returns a closed unit with pairs of registers from MSR first on, accessed through the CPU place.
 * Any CPU of the socket can access it, unless the caller sets .l3_scoped; a PMU_CORE is accessed
 * only through its own CPU.
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

/*
 * The counters of an AMD processor, by CPUID.
 *
 * Source: the kernel's asm/cpufeatures.h and asm/perf_event.h (cpuid_0x80000022_ebx).
 */

#define AMD_COUNTER_BITS 48

/* Counters of a CPU and its socket, by CPUID. */
struct amd_counters {
	unsigned core;	       /* counters of a CPU; 0: none */
	unsigned df, l3;       /* counters of the data fabric and of an L3 cache; 0: none */
	unsigned umcs, of_umc; /* active memory controllers, and the counters of each */
	bool perfmon_v2;
};

/*
 * Reads the counters that CPUID of a CPU reports; all members are 0 if it lacks these leaves.
 * Returns 0 or the error of reading CPUID.
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
