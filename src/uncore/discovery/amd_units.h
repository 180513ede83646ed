/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The units of an AMD processor, which has no discovery tables. CPUID tells how many counters there
 * are, and the node of each CPU; the kernel's topology tells which CPUs share a socket and an L3
 * cache. Each node has a data fabric and memory controllers: a socket is one node, or has several.
 *
 * Source: the kernel's events/amd/uncore.c and asm/cpufeatures.h, asm/perf_event.h.
 */
#ifndef CXLMON_UNCORE_DISCOVERY_AMD_UNITS_H
#define CXLMON_UNCORE_DISCOVERY_AMD_UNITS_H

#include "platform/cpus.h"
#include "platform/platform.h"
#include "uncore/discovery/discovery.h"

/*
 * Finds the units of a model with .units_by_cpuid, and makes no tables. *out must be all zero, and
 * is freed by discovery_free(), also after failure. Accesses no MSR. ERROR_NO_UNIT: CPUID shows no
 * counters, as in virtual machines.
 */
int amd_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err);

/*
 * Logs a warning for each socket of which the kernel counts fewer data fabrics than there are
 * nodes: some kernels count only on one data fabric per socket. found: units of perf_units_find().
 */
void amd_units_report_missing(struct platform *p, const struct topology *topology,
			      const struct discovery *found);

#endif
