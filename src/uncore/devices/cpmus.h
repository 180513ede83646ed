/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPMUs of a machine: the performance monitoring units of CXL memory devices, and of root ports
 * and switches that have one. The register locator in a function's configuration space tells where
 * its CPMUs are, so that they are found with any processor.
 */
#ifndef CXLMON_UNCORE_DEVICES_CPMUS_H
#define CXLMON_UNCORE_DEVICES_CPMUS_H

#include "platform/perf.h"
#include "uncore/devices/machine_parts.h"
#include "uncore/units/cpmu.h"

/*
 * Sets m->cpmus, in the order of PCI addresses, with units that count by registers; m->devices,
 * m->topology and m->sockets must be set. Leaves out CPMUs that cannot be used, with details in the
 * log, and sets m->cpmu_error to the first reason. Writes no register. Returns 0 or -ENOMEM.
 */
int cpmus_find(struct machine *m, struct error *err);

/* Returns the port whose device has the CPMU; NULL: unknown. */
const struct port *cpmu_port(const struct machine *m, const struct cpmu *cpmu);
/* Returns the port that a unit belongs to; NULL: none, or several. */
const struct port *unit_port(const struct machine *m, const struct unit *unit);

/*
 * CPMUs on which the kernel counts, with its driver cxl_pmu. It shows the CPMU M of a memory device
 * memN as a PMU cxl_pmu_memN.M.
 *
 * The driver does not always count the requested event. All versions whose source was read (see
 * cpmu_driver_takes_first_group()) select the first group of events, whichever group is requested.
 * They also leave the mask of an event in its counter, and add the next event's mask to it. Only
 * the registers of a CPMU show its first group and the events of a counter. So the registers are
 * read if possible, and never written. An event is counted only if the driver can count it, and
 * only while the registers show it in a counter; without registers nothing is counted.
 *
 * Source: the kernel's drivers/perf/cxl_pmu.c and drivers/cxl/pci.c.
 */

/*
 * Sets .kernel_pmu and .first_group_alone of each CPMU in m->cpmus on which the kernel counts. Its
 * unit then cannot be opened: only one program may write the registers. Call it after
 * cpmus_find(). Does nothing if the kernel's PMUs cannot be read. Returns 0 or -ENOMEM.
 */
int cpmus_leave_to_kernel(struct machine *m, struct error *err);

/*
 * Replaces m->cpmus, from cpmus_find(), by the CPMUs of m->pmus, in their order, with units on
 * which the kernel counts. A CPMU keeps the properties that were read from its registers. If they
 * could not be read, .groups has the kernel's events, and the unit cannot be opened. Events that
 * the driver would count wrongly are moved from .events of their group to .hidden.
 *
 * CPMUs of cpmus_find() on which the kernel does not count are left out. m->cpmu_error then has the
 * reason for the first one: ERROR_PERMISSION if the driver is not loaded and could count on it,
 * otherwise ERROR_NO_UNIT. Returns 0 or -ENOMEM.
 */
int cpmus_use_perf(struct machine *m, struct error *err);

/* Logs a note, for all open CPMUs together, about events that the driver cannot count. */
void cpmus_report_driver(const struct machine *m);

#endif
