/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The units of an AMD processor, which has no discovery tables. CPUID tells the numbers of
 * counters, and the node of each CPU; the kernel's topology tells which CPUs share a socket and an
 * L3 cache. A socket has one node or several; each has a data fabric and memory controllers.
 *
 * Source: the kernel's events/amd/uncore.c and asm/cpufeatures.h, asm/perf_event.h.
 */
#ifndef CXLMON_UNCORE_DISCOVERY_AMD_UNITS_H
#define CXLMON_UNCORE_DISCOVERY_AMD_UNITS_H

#include "platform/cpus.h"
#include "platform/platform.h"
#include "uncore/discovery/discovery.h"

/*
 * Finds the units of a model with .units_by_cpuid; out->tables stays empty. *out must be all zero,
 * and is freed by discovery_free(), also after failure. Accesses no MSR. ERROR_NO_UNIT: CPUID shows
 * no counters, as in virtual machines. Other errors are those of reading CPUID, and -ENOMEM.
 */
int amd_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err);

/*
 * Logs a warning for each socket with more nodes than data fabrics among the units found by
 * perf_units_find(): some kernels count only on one data fabric per socket.
 */
void amd_units_report_missing(struct platform *p, const struct topology *topology,
			      const struct discovery *found);

#endif
