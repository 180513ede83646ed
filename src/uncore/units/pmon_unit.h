/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PMON blocks of Intel's uncore: a unit control, which freezes and resets all counters of the
 * block, and a control for each counter.
 */
#ifndef CXLMON_UNCORE_UNITS_PMON_UNIT_H
#define CXLMON_UNCORE_UNITS_PMON_UNIT_H

#include "uncore/units/unit.h"

/* Counters of a CXLCM that can count a direction; all four of a CXLDP can count any event. */
#define CXLCM_TX  0x0F /* host to device: events 0x02, 0x05 */
#define CXLCM_RX  0xF0 /* device to host: events 0x40-0x43, 0x4B, 0x52 */
#define CXLCM_ANY 0xFF
#define CXLDP_ANY 0x0F

/* Counters of all other units, which have four. */
#define ANY_OF_4 0x0F
#define ONLY_0	 0x01 /* occupancy: event 0x36 of a CHA */

extern const struct unit_methods pmon_unit_methods;

/*
 * Returns false if the unit reads as all ones, or the CPU that reaches it is offline; true if that
 * cannot be known. Writes nothing.
 */
bool pmon_unit_responds(struct platform *p, const struct unit *unit);

#endif
