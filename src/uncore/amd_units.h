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

/*
 * Where model.units_by_cpuid. EXIT_NO_UNIT: CPUID shows none of these counters, as in virtual
 * machines.
 */
int amd_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err);

#endif
