/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CPMU (uncore/cpmu.h) as a struct unit, so that plan and poller treat it like any unit.
 *
 * A counter is enabled by a bit of its own configuration; one with that bit is in use. Free-running
 * counters always count, and are never written. Counters are set to 0 only where they can be
 * written while they are frozen; elsewhere all are free-running in the sense of unit.free_running:
 * what they hold when they start is subtracted.
 *
 * Overflow status is not used, since a counter's wrap shows in its value. A bit that a run has set
 * would be taken for an overflow of the next program that uses the counter: at the end, those of
 * the run's counters that were 0 are cleared. Others may be what another program waits for.
 */
#ifndef CXLMON_CPMU_UNIT_H
#define CXLMON_CPMU_UNIT_H

#include "uncore/cpmu.h"

#define CPMU_VENDOR_CXL 0x1E98 /* of the events in the specification */

/*
 * event.modifiers of a CPMU's event: a vendor's group, and a bit for each of its events that are
 * added up, as an event capability has them. Whatever else selects events is 0.
 */
#define CPMU_EVENT(vendor, group, events)                                                          \
	((uint64_t)(vendor) << 48 | (uint64_t)(group) << 32 | (uint32_t)(events))

extern const struct box cpmu_box;

/* What a CPMU counts of an event, as CPMU_EVENT(): also those of .optional that it has. */
uint64_t cpmu_events_of(const struct cpmu *cpmu, const struct event *event);

/* The kernel's driver, which counts wrongly: see uncore/cpmus_perf.h */
#define CPMU_COMMAND_UNLOAD "sudo modprobe -r cxl_pmu"
#define CPMU_COMMAND_LOAD   "sudo modprobe cxl_pmu"
#define CPMU_COMMAND_PERF   "sudo cxlmon --backend=perf"

/* What a driver can't count that takes the first group alone, and what to do. Returns text. */
#define CPMU_LIMITS_SIZE 320
const char *cpmu_driver_limits(const struct cpmu *cpmu, char text[CPMU_LIMITS_SIZE]);

/* Whether some counter of it, or several, can count the event, whoever uses them. */
bool cpmu_counts(const struct cpmu *cpmu, const struct event *event);

/* A closed unit; *cpmu must stay where it is. Its id is the number of the CPMU in the machine. */
struct unit cpmu_unit(const struct cpmu *cpmu, unsigned id, int socket);

#endif
