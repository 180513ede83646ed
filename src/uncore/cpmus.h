/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPMUs of a machine: of its CXL memory devices, and of root ports and switches that have one.
 * Memory devices and bridges are looked at whatever the processor is; the register locator in their
 * configuration space says where their CPMUs are.
 */
#ifndef CXLMON_CPMUS_H
#define CXLMON_CPMUS_H

#include "uncore/cpmu.h"
#include "uncore/machine.h"

/*
 * Sets m->cpmus, in the order of PCI addresses; m->devices must be known. What can't be used is
 * left out, with a detail in the log; the first reason is in m->cpmu_error. 0 or -ENOMEM.
 */
int cpmus_find(struct machine *m, struct error *err);

/*
 * Sets cpmu->socket, and returns the socket of its unit. Its registers can be accessed from every
 * one: where the nearest is not known, the first.
 */
int cpmu_place(const struct machine *m, struct cpmu *cpmu);

/* The port whose device has the CPMU; NULL: not known. */
const struct port *cpmu_port(const struct machine *m, const struct cpmu *cpmu);
/* The port that a unit belongs to; NULL: none. */
const struct port *unit_port(const struct machine *m, const struct unit *unit);

#endif
