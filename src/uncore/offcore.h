/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The offcore response registers: IA32_OFFCORE_RSP_0 and _1 select the responses that the core
 * events 0x2A and 0x2B count. The threads of a core share both.
 */
#ifndef CXLMON_UNCORE_OFFCORE_H
#define CXLMON_UNCORE_OFFCORE_H

#include "uncore/machine.h"
#include "uncore/units/unit.h"

/*
 * Finds a register for the event on this CPU, which must be open: the one that a thread of its core
 * uses with the same value, otherwise one that nobody has set. unit->core->offcore then has the
 * value that programming the CPU writes. Writes nothing; does nothing for events that need no such
 * register. -EBUSY (ERROR_IN_USE): another program has set the remaining ones; OWNERSHIP_FORCE
 * takes them. -ENOSPC (ERROR_USAGE): the plan's other events use both.
 */
int offcore_claim(struct machine *machine, struct unit *unit, const struct event *event,
		  struct error *err);

#endif
