/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/amd_unit.h"

#include <errno.h>

#include "msr/cpuid.h"
#include "platform/cpus.h"

#define LEAF_EXTENDED	       0x80000000 /* EAX: the highest extended leaf */
#define LEAF_FEATURES	       0x80000001
#define FEATURES_ECX_CORE      (UINT32_C(1) << 23) /* PerfCtrExtCore */
#define FEATURES_ECX_DF	       (UINT32_C(1) << 24) /* PerfCtrExtDF */
#define FEATURES_ECX_L3	       (UINT32_C(1) << 28) /* PerfCtrExtLLC */
#define FEATURES_ECX_TOPOLOGY  (UINT32_C(1) << 22) /* TopologyExtensions: LEAF_TOPOLOGY exists */
#define LEAF_TOPOLOGY	       0x8000001E
#define TOPOLOGY_ECX_NODE(ecx) ((ecx)&0xFF)
#define LEAF_CACHES	       0x8000001D /* a subleaf for each cache, until one without a type */
#define CACHES_MOST	       8
#define CACHE_EAX_TYPE(eax)    ((eax)&0x1F)
#define CACHE_EAX_LEVEL(eax)   ((eax) >> 5 & 7)
#define CACHE_EBX_WAYS(ebx)    ((uint64_t)((ebx) >> 22) + 1)
#define CACHE_EBX_PARTS(ebx)   ((uint64_t)((ebx) >> 12 & 0x3FF) + 1)
#define CACHE_EBX_LINE(ebx)    ((uint64_t)((ebx)&0xFFF) + 1)
#define CACHE_ECX_SETS(ecx)    ((uint64_t)(ecx) + 1)
#define LEAF_PERFMON	       0x80000022
#define PERFMON_EAX_V2	       (UINT32_C(1) << 0)
#define PERFMON_EBX_CORE(ebx)  ((ebx)&0xF)
#define PERFMON_EBX_DF(ebx)    ((ebx) >> 10 & 0x3F) /* counters of the data fabric */
/* counters of all memory controllers together; FreeBSD's hwpmc */
#define PERFMON_EBX_UMC(ebx)  ((ebx) >> 16 & 0xFF)
#define L3_COUNTERS	      6
#define CORE_COUNTERS	      6 /* before PerfMonV2 */
#define DF_COUNTERS_BEFORE_V2 4

int amd_counters_read(struct platform *p, unsigned cpu, struct amd_counters *out, struct error *err)
{
	uint32_t regs[CPUID_REGS], highest;
	int rc = p->ops->cpus->cpuid(p, cpu, LEAF_EXTENDED, 0, regs, err);

	*out = (struct amd_counters){0};
	if (rc || regs[CPUID_EAX] < LEAF_FEATURES)
		return rc;
	highest = regs[CPUID_EAX];
	rc = p->ops->cpus->cpuid(p, cpu, LEAF_FEATURES, 0, regs, err);
	if (rc)
		return rc;
	out->core = regs[CPUID_ECX] & FEATURES_ECX_CORE ? CORE_COUNTERS : 0;
	out->df = regs[CPUID_ECX] & FEATURES_ECX_DF ? DF_COUNTERS_BEFORE_V2 : 0;
	out->l3 = regs[CPUID_ECX] & FEATURES_ECX_L3 ? L3_COUNTERS : 0;
	rc = highest < LEAF_PERFMON ? 0 : p->ops->cpus->cpuid(p, cpu, LEAF_PERFMON, 0, regs, err);
	if (rc || highest < LEAF_PERFMON || !(regs[CPUID_EAX] & PERFMON_EAX_V2))
		return rc;
	out->perfmon_v2 = true;
	out->core = out->core ? PERFMON_EBX_CORE(regs[CPUID_EBX]) : 0;
	out->df = out->df ? PERFMON_EBX_DF(regs[CPUID_EBX]) : 0;
	out->umcs = (unsigned)__builtin_popcount(regs[CPUID_ECX]);
	out->of_umc = out->umcs ? PERFMON_EBX_UMC(regs[CPUID_EBX]) / out->umcs : 0;
	return 0;
}

uint64_t amd_l3_bytes(struct platform *p, unsigned cpu)
{
	uint32_t regs[CPUID_REGS];

	if (p->ops->cpus->cpuid(p, cpu, LEAF_EXTENDED, 0, regs, NULL) ||
	    regs[CPUID_EAX] < LEAF_CACHES)
		return 0;
	for (uint32_t i = 0; i < CACHES_MOST; i++) {
		if (p->ops->cpus->cpuid(p, cpu, LEAF_CACHES, i, regs, NULL) ||
		    !CACHE_EAX_TYPE(regs[CPUID_EAX]))
			return 0;
		if (CACHE_EAX_LEVEL(regs[CPUID_EAX]) == 3)
			return CACHE_EBX_WAYS(regs[CPUID_EBX]) * CACHE_EBX_PARTS(regs[CPUID_EBX]) *
			       CACHE_EBX_LINE(regs[CPUID_EBX]) * CACHE_ECX_SETS(regs[CPUID_ECX]);
	}
	return 0;
}

int amd_node(struct platform *p, unsigned cpu)
{
	uint32_t regs[CPUID_REGS];

	if (p->ops->cpus->cpuid(p, cpu, LEAF_EXTENDED, 0, regs, NULL) ||
	    regs[CPUID_EAX] < LEAF_TOPOLOGY ||
	    p->ops->cpus->cpuid(p, cpu, LEAF_FEATURES, 0, regs, NULL) ||
	    !(regs[CPUID_ECX] & FEATURES_ECX_TOPOLOGY) ||
	    p->ops->cpus->cpuid(p, cpu, LEAF_TOPOLOGY, 0, regs, NULL))
		return -1;
	return (int)TOPOLOGY_ECX_NODE(regs[CPUID_ECX]);
}

int amd_counters_of_core(struct platform *p, unsigned cpu, struct amd_counters *out,
			 struct error *err)
{
	int rc = amd_counters_read(p, cpu, out, err);

	if (rc || out->core)
		return rc;
	return error_set(err, ERROR_NO_UNIT, -ENODEV,
			 "cpu %u: CPUID shows no performance counters (leaf 80000001h, ECX bit "
			 "23); a virtual machine may hide them",
			 cpu);
}

int amd_core_identify(struct platform *p, unsigned cpu, struct core_pmu_info *out,
		      struct error *err)
{
	struct amd_counters counters;
	int rc = amd_counters_of_core(p, cpu, &counters, err);

	*out = (struct core_pmu_info){.general = counters.core,
				      .general_width = AMD_COUNTER_BITS,
				      .full_width_writes = true};
	return rc;
}
