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
 * Chooses a register for the event on an open CPU: one that a thread of its core uses with the same
 * value, otherwise one that holds this value or 0. Stores the value in unit->core->offcore, which
 * unit_program() writes; writes no register, but allows writes to both in the write guard. Does
 * nothing for an event that needs no register or has one already. -EBUSY (ERROR_IN_USE): another
 * program has set the remaining registers; OWNERSHIP_FORCE takes them. -ENOSPC (ERROR_USAGE): other
 * events of this run use both. Other errors are those of reading.
 */
int offcore_claim(struct machine *machine, struct unit *unit, const struct event *event,
		  struct error *err);

#endif
