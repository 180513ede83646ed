/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units on which the kernel counts: PMUs below /sys/bus/event_source/devices as struct unit, so
 * that view, plan and output treat them like units whose registers are programmed here.
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
 * Sets *out to the arguments of perf_open that count an event on a unit, not grouped with others.
 * ERROR_NO_UNIT: this kernel cannot count the event; the message names the missing PMU, event or
 * field. -ENODEV: the unit has no PMU.
 */
int perf_unit_encode(const struct unit *unit, const struct event *event, struct perf_event *out,
		     struct error *err);

/*
 * Writes an event of a unit as perf stat -e takes it: "uncore_cxlcm_2/event=0x41,umask=0x10/". The
 * PMU's name is "?" if the kernel has none. Returns text.
 */
#define PERF_EVENT_TEXT_SIZE 192
const char *perf_unit_event_text(const struct unit *unit, const struct event *event,
				 char text[PERF_EVENT_TEXT_SIZE]);

#endif
