/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The offcore response registers: IA32_OFFCORE_RSP_0 and _1 select the responses that the core
 * events 0x2A and 0x2B count. The threads of a core share both registers.
 */
#ifndef CXLMON_UNCORE_OFFCORE_H
#define CXLMON_UNCORE_OFFCORE_H

#include "uncore/machine.h"
#include "uncore/units/unit.h"

/*
 * Chooses a register for event->offcore_rsp on an open CPU, unless the event needs none or has one
 * already. Stores the value in unit->core->offcore, from which unit_program() writes it. Writes no
 * register, but allows writes to both in the write guard. The first of these is chosen:
 *   a register that this run uses with the same value on a thread of the core
 *   a register that this run does not use, and that holds the value
 *   a register that this run does not use, and that holds 0
 *   a register that another program has set, if unit.ownership is OWNERSHIP_FORCE
 *
 * If none is found, returns -ENOSPC (ERROR_USAGE) if this run uses both for other values, otherwise
 * -EBUSY (ERROR_IN_USE). Other errors are those of reading the registers and of
 * machine_allow_offcore().
 */
int offcore_claim(struct machine *machine, struct unit *unit, const struct event *event,
		  struct error *err);

#endif
