/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPMUs of a machine: the performance monitoring units of CXL devices, root ports and switches.
 * The register locator in a function's configuration space tells where its CPMUs are, so that they
 * are found with any processor.
 */
#ifndef CXLMON_UNCORE_DEVICES_CPMUS_H
#define CXLMON_UNCORE_DEVICES_CPMUS_H

#include "platform/perf.h"
#include "uncore/devices/machine_parts.h"
#include "uncore/units/cpmu.h"

/*
 * Sets m->cpmus, in the order of PCI addresses, with units that count by registers. m->devices,
 * m->topology and m->sockets must be set. CPMUs that cannot be used are left out: the reasons are
 * logged as details, and m->cpmu_error is the first. A bridge whose locator may not be read gives
 * no reason, because nothing suggests that it has a CPMU. Writes no register. Returns 0 or -ENOMEM.
 */
int cpmus_find(struct machine *m, struct error *err);

/* Returns the port whose device has the CPMU; NULL: unknown. */
const struct port *cpmu_port(const struct machine *m, const struct cpmu *cpmu);
/* Returns the port that a unit belongs to; NULL: none, or several. */
const struct port *unit_port(const struct machine *m, const struct unit *unit);

/*
 * CPMUs on which the kernel counts, with its driver cxl_pmu. Its PMU cxl_pmu_memN.M is CPMU M of
 * the memory device memN.
 *
 * The driver does not always count the requested event. Some versions select the first group of
 * events, not the requested one: cpmu_driver_takes_first_group() in uncore/units/cpmu.h. They also
 * leave an event's mask in its counter, and add the next event's mask to it. Only the registers of
 * a CPMU show which events its counters count. So the registers are read, and never written. An
 * event is counted only while they show it; if they cannot be read, nothing is counted.
 *
 * Source: the kernel's drivers/perf/cxl_pmu.c and drivers/cxl/pci.c.
 */

/*
 * Sets .kernel_pmu and .first_group_alone of each CPMU from cpmus_find() that the kernel's driver
 * uses. The unit of such a CPMU cannot be opened: only one program may write its registers. Does
 * nothing if the kernel's PMUs cannot be listed. Returns 0 or -ENOMEM.
 */
int cpmus_leave_to_kernel(struct machine *m, struct error *err);

/*
 * Replaces m->cpmus, from cpmus_find(), by the CPMUs of m->pmus, in their order, with units on
 * which the kernel counts. A CPMU keeps the properties that were read from its registers. If they
 * could not be read, .groups has the events that the kernel names, and the unit cannot be opened.
 * Events that the driver would miscount are moved from cpmu_group.events to .hidden.
 *
 * CPMUs on which the kernel does not count are left out. m->cpmu_error then has the reason for the
 * first: ERROR_PERMISSION if the driver could count on it, but is not loaded; otherwise
 * ERROR_NO_UNIT. Returns 0 or -ENOMEM.
 */
int cpmus_use_perf(struct machine *m, struct error *err);

/* Logs one note about the events that the driver cannot count on any open CPMU. */
void cpmus_report_driver(const struct machine *m);

#endif
