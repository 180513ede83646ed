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
 * Chooses a register for event->offcore_rsp on an open CPU: a register that this run uses with the
 * same value on a thread of the core, else one that holds this value, else one that holds 0. Stores
 * the value in unit->core->offcore, from which unit_program() writes it. Writes no register, but
 * allows writes to both in the write guard. Does nothing for an event that needs no register or has
 * one already.
 *
 * -EBUSY (ERROR_IN_USE): another program has set each register that this run does not use; with
 * OWNERSHIP_FORCE, such a register is chosen instead. -ENOSPC (ERROR_USAGE): other events of this
 * run use both. Other errors are those of reading registers and of machine_allow_offcore().
 */
int offcore_claim(struct machine *machine, struct unit *unit, const struct event *event,
		  struct error *err);

#endif
