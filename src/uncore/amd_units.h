/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The units of an AMD processor, which has no discovery tables: CPUID says how many counters there
 * are, and the kernel's topology which CPUs share a socket and an L3 cache.
 *
 * Source: the kernel's events/amd/uncore.c and asm/cpufeatures.h, asm/perf_event.h.
 */
#ifndef CXLMON_AMD_UNITS_H
#define CXLMON_AMD_UNITS_H

#include "uncore/discovery.h"

/* What CPUID says of a CPU and of its socket. */
struct amd_counters {
	unsigned core;	       /* counters; 0: there are none */
	unsigned df, l3;       /* likewise */
	unsigned umcs, of_umc; /* active memory controllers, and the counters of each */
	bool perfmon_v2;
};

int amd_counters_read(struct platform *p, unsigned cpu, struct amd_counters *out,
		      struct error *err);

/* For core_model.identify. */
int amd_core_identify(struct platform *p, unsigned cpu, struct core_pmu_info *out,
		      struct error *err);

/*
 * Where model.units_by_cpuid. EXIT_NO_UNIT: CPUID shows none of these counters, as in virtual
 * machines.
 */
int amd_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err);

#endif
