/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds units that the kernel counts on, by the names of its PMUs.
 *
 * Source: the kernel's arch/x86/events/intel/uncore_discovery.c and uncore_snbep.c (names).
 */
#ifndef CXLMON_UNCORE_DISCOVERY_PERF_UNITS_H
#define CXLMON_UNCORE_DISCOVERY_PERF_UNITS_H

#include "platform/perf.h"
#include "uncore/discovery/discovery.h"
#include "uncore/model/model.h"

/*
 * The units of all PMUs of the uncore, by socket, die, type and id, each with a table of its die.
 * -ENODEV (ERROR_NO_UNIT): the kernel shows none. A PMU that this kernel cannot count on is left
 * out, with a warning in the platform's log. Borrows pmus.
 *
 * The kernel counts a unit on a CPU of its die, and so none of a die without one. Where the tables
 * of discovery_read() list more units of a type than it counts, the others are added, .uncounted.
 */
int perf_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		    const struct perf_pmus *pmus, const struct discovery *tables,
		    struct discovery *out, struct error *err);

/*
 * Whether the machine has units of a type, or may have, that this kernel, which is to count, does
 * not know: it calls a PMU of Intel's by the type's number, and shows none of others'.
 */
bool perf_units_hide(const struct model *model, const struct perf_pmus *pmus, uint16_t type);

/* Lets the kernel count on a CPU's unit; unit->perf.pmu stays NULL if there is no PMU "cpu". */
void perf_unit_use_cpu(struct unit *unit, const struct model *model, const struct perf_pmus *pmus);

#endif
