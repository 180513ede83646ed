/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of Intel's uncore (PMON blocks): each has a unit control, which freezes and resets all of
 * its counters, and a control for each counter.
 */
#ifndef CXLMON_UNCORE_UNITS_PMON_UNIT_H
#define CXLMON_UNCORE_UNITS_PMON_UNIT_H

#include "uncore/units/unit.h"

/*
 * Masks of counters, for event.counters. Half of a CXLCM's counters count each direction of the
 * link; the four of a CXLDP count any event.
 */
#define CXLCM_TX  0x0F /* host to device: events 0x02, 0x05 */
#define CXLCM_RX  0xF0 /* device to host: events 0x40-0x43, 0x4B, 0x52 */
#define CXLCM_ANY 0xFF
#define CXLDP_ANY 0x0F

/* Masks of counters of all other units, which have four. */
#define ANY_OF_4 0x0F
#define ONLY_0	 0x01 /* occupancy: event 0x36 of a CHA */

extern const struct unit_methods pmon_unit_methods;

/*
 * Returns false if the unit reads as all ones three times, or the CPU that reaches it is offline.
 * Returns true otherwise, also if the unit cannot be read. Writes nothing; the unit may be closed.
 */
bool pmon_unit_responds(struct platform *p, const struct unit *unit);

#endif
