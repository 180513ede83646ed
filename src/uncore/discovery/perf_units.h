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
 * Finds the units of all PMUs of the uncore, by socket, die, type and id, each with a table of its
 * die. -ENODEV (ERROR_NO_UNIT): the kernel shows none. A PMU on which this kernel cannot count is
 * left out, with a warning in the platform's log. Borrows pmus.
 *
 * The kernel counts a unit on a CPU of its die, and so does not count units of a die without online
 * CPUs. If the tables of discovery_read() list more units of a type than it counts, the others are
 * added with .uncounted.
 */
int perf_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		    const struct perf_pmus *pmus, const struct discovery *tables,
		    struct discovery *out, struct error *err);

/*
 * Returns true if the machine has, or may have, units of a type that this kernel, which is to
 * count, does not know. It names such a PMU of Intel by the type's number, and shows no such PMU of
 * other vendors.
 */
bool perf_units_hide(const struct model *model, const struct perf_pmus *pmus, uint16_t type);

/* Lets the kernel count on a CPU's unit; unit->perf.pmu stays NULL if there is no PMU "cpu". */
void perf_unit_use_cpu(struct unit *unit, const struct model *model, const struct perf_pmus *pmus);

#endif
