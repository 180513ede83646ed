/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of units on which the kernel counts, by its PMUs below /sys/bus/event_source/devices.
 *
 * Source: the kernel's arch/x86/events/intel/uncore_discovery.c and uncore_snbep.c (names, formats)
 * and perf_event_open(2).
 */
#ifndef CXLMON_UNCORE_UNITS_PERF_UNIT_H
#define CXLMON_UNCORE_UNITS_PERF_UNIT_H

#include "platform/perf.h"
#include "uncore/model/event.h"
#include "uncore/units/unit.h"

/*
 * Sets *out to the arguments of perf_event_open() that count an event on a unit, without a group.
 * Returns an error (ERROR_NO_UNIT) if this kernel cannot count the event: -ENODEV if it lacks the
 * PMU, another if it lacks the event or a field. The message names it.
 */
int perf_unit_encode(const struct unit *unit, const struct event *event, struct perf_event *out,
		     struct error *err);

/*
 * Writes an event of a unit as perf stat -e takes it, "uncore_cxlcm_2/event=0x41,umask=0x10/", and
 * returns text. The name of a missing PMU is "?".
 */
#define PERF_EVENT_TEXT_SIZE 192
const char *perf_unit_event_text(const struct unit *unit, const struct event *event,
				 char text[PERF_EVENT_TEXT_SIZE]);

#endif
