/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units that the kernel counts on: PMUs below /sys/bus/event_source/devices as struct unit, so that
 * view, plan and output treat them like units whose registers are programmed here.
 *
 * Source: the kernel's arch/x86/events/intel/uncore_discovery.c and uncore_snbep.c (names, formats)
 * and perf_event_open(2).
 */
#ifndef CXLMON_UNCORE_UNITS_PERF_UNIT_H
#define CXLMON_UNCORE_UNITS_PERF_UNIT_H

#include "platform/perf.h"
#include "uncore/discovery/discovery.h"
#include "uncore/model/model.h"

/*
 * The units of all PMUs of the uncore, by socket, die, type and id, each with a table of its die.
 * -ENODEV (ERROR_NO_UNIT): the kernel shows none. A PMU that this kernel can't count on is left
 * out, with a warning in the platform's log. Borrows pmus.
 *
 * The kernel counts a unit on a CPU of its die, and so none of a die without one. Where the tables
 * of discovery_read() list more units of a type than it counts, the others are added, .uncounted.
 */
int perf_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		    const struct perf_pmus *pmus, const struct discovery *tables,
		    struct discovery *out, struct error *err);

/*
 * Whether the machine has units of a type, or may have, that this kernel, which is to count, does
 * not know: it calls a PMU of Intel's by the type's number, and shows none of others'.
 */
bool perf_units_hide(const struct model *model, const struct perf_pmus *pmus, uint16_t type);

/* A CPU's unit, to be counted through the kernel; unit->pmu stays NULL if that has no PMU "cpu". */
void perf_unit_use_cpu(struct unit *unit, const struct model *model, const struct perf_pmus *pmus);

/*
 * The arguments of perf_open to count an event on a unit. ERROR_NO_UNIT: this kernel can't count
 * it; the message names the field that is missing.
 */
int perf_unit_encode(const struct unit *unit, const struct event *event, struct perf_event *out,
		     struct error *err);

/* "uncore_cxlcm_2/event=0x41,umask=0x10/", as perf stat -e takes it. Returns text. */
#define PERF_EVENT_TEXT_SIZE 192
const char *perf_unit_event_text(const struct unit *unit, const struct event *event,
				 char text[PERF_EVENT_TEXT_SIZE]);

#endif
