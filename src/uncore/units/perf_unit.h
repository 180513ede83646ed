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
 * Sets the arguments of perf_open to count an event on a unit. ERROR_NO_UNIT: this kernel cannot
 * count it; the message names the missing field.
 */
int perf_unit_encode(const struct unit *unit, const struct event *event, struct perf_event *out,
		     struct error *err);

/* Writes "uncore_cxlcm_2/event=0x41,umask=0x10/", as perf stat -e takes it. Returns text. */
#define PERF_EVENT_TEXT_SIZE 192
const char *perf_unit_event_text(const struct unit *unit, const struct event *event,
				 char text[PERF_EVENT_TEXT_SIZE]);

#endif
