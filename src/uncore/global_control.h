/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global control registers that the discovery tables name. While bit 0 of one is set, all units
 * of its socket are frozen, and their counters look as if there were no traffic.
 *
 * Source: word 1 of a table's global record; the kernel's uncore_discovery.h says that freezing
 * reaches all uncore PMUs, and LIKWID also writes 1 and 0 to it on Granite Rapids.
 */
#ifndef CXLMON_UNCORE_GLOBAL_CONTROL_H
#define CXLMON_UNCORE_GLOBAL_CONTROL_H

#include "platform/reg.h"
#include "uncore/machine.h"

/*
 * Sets *out to the register of table t of machine.discovery, which is not mapped. Returns false if
 * the table has none, has one of its die (table_has_control()), or has the same as an earlier table
 * of its socket.
 */
bool global_control_of(const struct machine *machine, size_t t, struct reg *out);

struct frozen_control {
	int socket;
	struct reg reg; /* only for its name: it is not mapped */
	uint64_t value;
};

/*
 * Reads all of them, stores up to room of those that are frozen, and returns how many are.
 * unread->code is not 0 if one could not be read, for example without access to MSRs. Controls of
 * dies (table_has_control()), which are frozen from power-on and unfrozen by a run, are left out.
 */
size_t global_control_find_frozen(struct machine *machine, struct frozen_control *out, size_t room,
				  struct error *unread);

/*
 * Writes the command that clears it; "" if there is none for its kind of register. Returns command.
 */
const char *global_control_unfreeze_command(const struct frozen_control *frozen,
					    char command[ERROR_COMMAND_SIZE]);

#endif
