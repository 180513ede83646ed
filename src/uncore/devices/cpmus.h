/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPMUs of a machine: of its CXL memory devices, and of root ports and switches that have one.
 * Memory devices and bridges are looked at whatever the processor is; the register locator in their
 * configuration space says where their CPMUs are.
 */
#ifndef CXLMON_UNCORE_DEVICES_CPMUS_H
#define CXLMON_UNCORE_DEVICES_CPMUS_H

#include "platform/perf.h"
#include "uncore/devices/machine_parts.h"
#include "uncore/units/cpmu.h"

/*
 * Sets m->cpmus, in the order of PCI addresses; m->devices must be known. What can't be used is
 * left out, with a detail in the log; the first reason is in m->cpmu_error. 0 or -ENOMEM.
 */
int cpmus_find(struct machine *m, struct error *err);

/* The port whose device has the CPMU; NULL: not known. */
const struct port *cpmu_port(const struct machine *m, const struct cpmu *cpmu);
/* The port that a unit belongs to; NULL: none. */
const struct port *unit_port(const struct machine *m, const struct unit *unit);

/*
 * CPMUs on which the kernel counts: its driver cxl_pmu, which shows each as a PMU cxl_pmu_memN.M of
 * memory device memN.
 *
 * Counting through it is no matter of course. In all versions that were read (see the table in
 * cpmu_perf_unit.c), the driver selects the first group of events, whatever group is asked for, and
 * leaves masks of events behind, to which it adds those of the next event. The kernel says neither
 * which group is the first one nor what a counter holds: the registers do. So they are read where
 * that is possible, and never written. An event is counted only if the driver can count it, and
 * only as long as some counter is found to hold it; without registers nothing is counted.
 *
 * Source: the kernel's drivers/perf/cxl_pmu.c and drivers/cxl/pci.c.
 */

/*
 * To be called after cpmus_find(). Sets cpmu.kernel_pmu and .first_group_alone of those on
 * which the kernel counts, so that their units refuse to be opened: one program alone may write the
 * registers. 0 or an error of reading the kernel's PMUs.
 */
int cpmus_leave_to_kernel(struct machine *m, struct error *err);

/*
 * The same where the kernel counts: m->cpmus are those of m->pmus, in their order, with units that
 * it counts on. What the registers say is taken over from cpmus_find(); where they can't be read,
 * .groups are those of the kernel's events, and the unit can't be opened. Events that the driver
 * would not count rightly are left out of .groups. If the kernel doesn't count on one that has
 * registers, m->cpmu_error says why: ERROR_PERMISSION where the driver is not loaded. 0 or -ENOMEM.
 */
int cpmus_use_perf(struct machine *m, struct error *err);

/* Notes once what the driver can't count on CPMUs that are open. */
void cpmus_report_driver(const struct machine *m);

#endif
