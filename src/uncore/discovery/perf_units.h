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
 * Finds a unit for each PMU of the uncore and each of its CPUs, sorted by socket, die, type and id,
 * and makes a table for each die. *pmus must outlive the units. *out must be all zero, and is freed
 * by discovery_free(), also after failure. PMUs on which this kernel counts wrongly are left out,
 * with a message in the platform's log. -ENODEV (ERROR_NO_UNIT): the kernel shows no PMU.
 *
 * The kernel counts a unit on a CPU of its die, and so cannot count units of a die without online
 * CPUs. If *tables, from discovery_read(), lists more units of a type than the kernel counts, the
 * others are added with .uncounted.
 */
int perf_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		    const struct perf_pmus *pmus, const struct discovery *tables,
		    struct discovery *out, struct error *err);

/*
 * Returns true if the machine has, or may have, units of a type that this kernel does not know. On
 * Intel, the kernel names the PMU of such a unit by the type's number; on other vendors, it shows
 * no PMU. Returns false if *pmus is empty.
 */
bool perf_units_hide(const struct model *model, const struct perf_pmus *pmus, uint16_t type);

/*
 * Changes a closed unit of a CPU, so that the kernel counts it. unit->perf.pmu stays NULL if there
 * is no PMU "cpu"; the unit can then not be opened. *pmus must outlive the unit.
 */
void perf_unit_use_cpu(struct unit *unit, const struct model *model, const struct perf_pmus *pmus);

#endif
