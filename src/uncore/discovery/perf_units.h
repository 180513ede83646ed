/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds units on which the kernel counts, by the names of its PMUs.
 *
 * Source: the kernel's arch/x86/events/intel/uncore_discovery.c and uncore_snbep.c (names).
 */
#ifndef CXLMON_UNCORE_DISCOVERY_PERF_UNITS_H
#define CXLMON_UNCORE_DISCOVERY_PERF_UNITS_H

#include "platform/perf.h"
#include "uncore/discovery/discovery.h"
#include "uncore/model/model.h"

/*
 * Finds the units on which the kernel counts: for each PMU of the uncore, a unit on each CPU that
 * the PMU lists. Units are sorted by socket, die, type and id; each die gets a table. PMUs on which
 * this kernel counts wrongly are left out, with a message in the log. *pmus must outlive the units.
 * *out must be all zero, and is freed by discovery_free(), also after failure. -ENODEV
 * (ERROR_NO_UNIT): no PMU is left.
 *
 * The kernel counts a unit on a CPU of its die. So it cannot count on a die without online CPUs. If
 * it counts on fewer units of a type than a socket has in *tables, from discovery_read(), those
 * that are missing are added with .uncounted.
 */
int perf_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		    const struct perf_pmus *pmus, const struct discovery *tables,
		    struct discovery *out, struct error *err);

/*
 * Returns true if the kernel does not know a type of units, and the machine has or may have such
 * units. On Intel, it has them if the kernel names a PMU by the type's number. On other vendors, it
 * may have them in any case. Returns false if *pmus is empty, and for PMU_CORE.
 */
bool perf_units_hide(const struct model *model, const struct perf_pmus *pmus, uint16_t type);

/*
 * Changes a closed unit of a CPU, so that the kernel counts it. If the kernel has no PMU "cpu",
 * unit->perf.pmu is NULL, and the unit cannot be opened. *pmus must outlive the unit.
 */
void perf_unit_use_cpu(struct unit *unit, const struct model *model, const struct perf_pmus *pmus);

#endif
