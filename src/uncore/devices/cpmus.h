/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPMUs of a machine, in its CXL memory devices and in root ports and switches that have one.
 * Memory devices and bridges are searched whatever the processor is; the register locator in their
 * configuration space tells where their CPMUs are.
 */
#ifndef CXLMON_UNCORE_DEVICES_CPMUS_H
#define CXLMON_UNCORE_DEVICES_CPMUS_H

#include "platform/perf.h"
#include "uncore/devices/machine_parts.h"
#include "uncore/units/cpmu.h"

/*
 * Sets m->cpmus, in the order of PCI addresses; m->devices must be known. A CPMU that cannot be
 * used is left out, with a detail in the log; the first reason is in m->cpmu_error. Returns 0 or
 * -ENOMEM.
 */
int cpmus_find(struct machine *m, struct error *err);

/* Returns the port whose device has the CPMU; NULL: unknown. */
const struct port *cpmu_port(const struct machine *m, const struct cpmu *cpmu);
/* Returns the port that a unit belongs to; NULL: none. */
const struct port *unit_port(const struct machine *m, const struct unit *unit);

/*
 * CPMUs on which the kernel counts: its driver cxl_pmu, which shows each as a PMU cxl_pmu_memN.M of
 * memory device memN.
 *
 * The driver does not always count the requested event. In all versions that were read (see
 * cpmu_driver_takes_first_group()), it selects the first group of events, whichever group is
 * requested. It also leaves masks of events in counters, to which it adds the masks of the next
 * event. The kernel tells neither the first group nor a counter's value: the registers do. So they
 * are read if possible, and never written. An event is counted only if the driver can count it, and
 * only while some counter is found to hold it; without registers nothing is counted.
 *
 * Source: the kernel's drivers/perf/cxl_pmu.c and drivers/cxl/pci.c.
 */

/*
 * Sets cpmu.kernel_pmu and .first_group_alone of CPMUs on which the kernel counts, so that their
 * units refuse to be opened: only one program may write the registers. To be called after
 * cpmus_find(). Returns 0 or an error of reading the kernel's PMUs.
 */
int cpmus_leave_to_kernel(struct machine *m, struct error *err);

/*
 * Does the same if the kernel counts: makes m->cpmus from the CPMUs of m->pmus, in their order,
 * with units on which it counts. Properties read from registers are taken from cpmus_find(); if
 * registers cannot be read, .groups are made from the kernel's events, and the unit cannot be
 * opened. Events that the driver would count wrongly are left out of .groups. If the kernel does
 * not count on a CPMU that has registers, m->cpmu_error says why: ERROR_PERMISSION if the driver is
 * not loaded. Returns 0 or -ENOMEM.
 */
int cpmus_use_perf(struct machine *m, struct error *err);

/* Logs once which events the driver cannot count on open CPMUs. */
void cpmus_report_driver(const struct machine *m);

#endif
