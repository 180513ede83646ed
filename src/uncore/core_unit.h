/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PMU of a logical CPU in the shape of a unit, so that plans and pollers count on it as on any.
 *
 * Its counters, by number: 0-15 the fixed ones, 16-30 the general ones, 31 the time stamp counter,
 * which always runs. The control of a general counter is its IA32_PERFEVTSELx without EN, that of a
 * fixed one anything but 0.
 *
 * Counters that somebody else has enabled (the NMI watchdog, perf) are left alone: they are not in
 * unit->usable.
 */
#ifndef CXLMON_CORE_UNIT_H
#define CXLMON_CORE_UNIT_H

#include "uncore/unit.h"

#define CORE_COUNTER_GENERAL  16 /* + x */
#define CORE_COUNTERS_GENERAL UINT32_C(0x7FFF0000)
#define CORE_COUNTER_TSC      31

#define CORE_FIXED(n) (UINT32_C(1) << (n))
#define CORE_TSC      (UINT32_C(1) << CORE_COUNTER_TSC)

/* What any CPU can count, by names of our own; ends with a row without a name. */
extern const struct event core_events[];
extern const size_t core_event_count; /* without that row */

/* EXIT_USAGE where the event sets a bit that is reserved on this CPU; the unit must be open. */
int core_unit_check_event(const struct unit *unit, const struct event *event, struct error *err);

/* A closed unit for this CPU. */
struct unit core_unit(const struct cpu_location *place);

#endif
