/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of AMD processors: the data fabric of a socket, an L3 cache, a memory controller, the PMU
 * of a CPU. Their registers are MSRs, in pairs of a counter control and its counter. There is no
 * register that freezes a unit: each counter is enabled by a bit of its own control, and is read
 * while it runs. A control with that bit is in use; the kernel leaves a control behind without it
 * after every perf run.
 *
 * Source: the kernel's events/amd/uncore.c and events/amd/core.c, and asm/msr-index.h.
 */
#ifndef CXLMON_AMD_UNIT_H
#define CXLMON_AMD_UNIT_H

#include "uncore/amd_counters.h"
#include "uncore/unit.h"

#define AMD_CORE_PERF_CTL0	 0xC0010200 /* + 2x: control of counter x; + 1: the counter */
#define AMD_L3_PERF_CTL0	 0xC0010230
#define AMD_DF_PERF_CTL0	 0xC0010240
#define AMD_UMC_PERF_CTL0	 0xC0010800
#define AMD_PERF_CNTR_GLOBAL_CTL 0xC0000301 /* bit x enables counter x of a CPU: PerfMonV2 */

/* Enable bits of a counter control. */
#define AMD_CTL_ENABLE	   (UINT64_C(1) << 22)
#define AMD_UMC_CTL_ENABLE (UINT64_C(1) << 31)

/*
 * A closed unit with pairs of registers from first on, accessed through that CPU. A memory
 * controller's and the data fabric's are the same from each CPU of the socket; where .l3_scoped is
 * set, from each CPU of that L3 cache; of PMU_CORE, from that CPU alone.
 */
struct unit amd_unit(const struct pmu_type *pmu_type, uint32_t first, unsigned counters,
		     const struct cpu_location *place);

/* The PMU of a CPU, with the counter numbers of uncore/core_unit.h; how many, unit_open() finds. */
struct unit amd_core_unit(const struct cpu_location *place);

#endif
