/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters of an AMD processor, by CPUID.
 *
 * Source: the kernel's asm/cpufeatures.h and asm/perf_event.h (cpuid_0x80000022_ebx).
 */
#ifndef CXLMON_AMD_COUNTERS_H
#define CXLMON_AMD_COUNTERS_H

#include <stdbool.h>

#include "msr/core_pmu.h"
#include "platform/platform.h"

#define AMD_COUNTER_BITS 48

/* A CPU and its socket, by CPUID. */
struct amd_counters {
	unsigned core;	       /* counters; 0: there are none */
	unsigned df, l3;       /* likewise */
	unsigned umcs, of_umc; /* active memory controllers, and the counters of each */
	bool perfmon_v2;
};

int amd_counters_read(struct platform *p, unsigned cpu, struct amd_counters *out,
		      struct error *err);

/* The same; EXIT_NO_UNIT where the CPU has no counters. */
int amd_counters_of_core(struct platform *p, unsigned cpu, struct amd_counters *out,
			 struct error *err);

/*
 * The node that a CPU is of, whose CPUs share a data fabric and memory controllers: NodeId, CPUID
 * 8000001Eh ECX 7:0, as the kernel's topology_amd_node_id(). -1: CPUID does not say.
 */
int amd_node(struct platform *p, unsigned cpu);

/* For core_model.identify. */
int amd_core_identify(struct platform *p, unsigned cpu, struct core_pmu_info *out,
		      struct error *err);

#endif
