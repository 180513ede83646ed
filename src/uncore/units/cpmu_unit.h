/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CPMU as a struct unit, so that plan and poller treat it like any unit.
 *
 * A counter is enabled by a bit of its own configuration; one with that bit is in use. Free-running
 * counters always count, and are never written. Counters are set to 0 only if they can be written
 * while they are frozen; otherwise all are free-running in the sense of unit.free_running: the
 * values with which they start are subtracted.
 *
 * Overflow status is not used, since a counter's wrap shows in its value. A bit that a run has set
 * would be taken for an overflow of the next program that uses the counter: at the end, those of
 * the run's counters that were 0 are cleared. Another program may wait for the others.
 */
#ifndef CXLMON_UNCORE_UNITS_CPMU_UNIT_H
#define CXLMON_UNCORE_UNITS_CPMU_UNIT_H

#include "platform/perf.h"
#include "uncore/units/cpmu.h"

/* A closed unit; *cpmu must stay where it is. Its id is the number of the CPMU in the machine. */
struct unit cpmu_unit(struct cpmu *cpmu, unsigned id, int socket);

/*
 * A closed unit on which the kernel counts (uncore/devices/cpmus.h): its registers are only read.
 * *cpmu must stay where it is, and *pmu is borrowed. Opening it fails if the registers cannot be
 * read: then nobody knows which events the kernel would count.
 *
 * unit_controls_intact() says of a group that counts whether for each control there is an enabled
 * counter that holds it, without a filter: the kernel chooses the counters.
 */
struct unit cpmu_perf_unit(struct cpmu *cpmu, unsigned id, int socket, const struct perf_pmu *pmu);

#endif
