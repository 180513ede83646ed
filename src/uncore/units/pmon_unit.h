/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PMON blocks of Intel's uncore: a unit control, which freezes and resets all counters of the
 * block, and a control for each counter.
 */
#ifndef CXLMON_UNCORE_UNITS_PMON_UNIT_H
#define CXLMON_UNCORE_UNITS_PMON_UNIT_H

#include "uncore/units/unit.h"

extern const struct unit_methods pmon_unit_methods;

/*
 * False: it reads as all ones, or the CPU that reaches it is offline. True where that can't be
 * known. Writes nothing.
 */
bool pmon_unit_responds(struct platform *p, const struct unit *unit);

#endif
