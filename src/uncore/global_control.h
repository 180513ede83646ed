/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global control registers that discovery tables name. While bit 0 of such a register is set,
 * all units of its socket are frozen, and their counters look as if there were no traffic.
 *
 * Source: word 1 of a table's global record; the kernel's uncore_discovery.h says that freezing
 * reaches all uncore PMUs, and LIKWID also writes 1 and 0 to it on Granite Rapids.
 */
#ifndef CXLMON_UNCORE_GLOBAL_CONTROL_H
#define CXLMON_UNCORE_GLOBAL_CONTROL_H

#include "platform/reg.h"
#include "uncore/machine.h"

/*
 * Sets *out to the global control of table machine.discovery.tables[t], and returns true. A
 * register in MMIO is not mapped: the caller maps it.
 *
 * Returns false if the table has none, or names the same register as an earlier table of its
 * socket. Also returns false if the register freezes a die, not a socket: table_has_control().
 */
bool global_control_of(const struct machine *machine, size_t t, struct reg *out);

struct frozen_control {
	int socket;
	struct reg reg; /* not mapped */
	uint64_t value; /* value that it holds */
};

/*
 * Reads all registers of global_control_of(), and stores those that freeze, at most room of them.
 * Returns the number of those that freeze, which may be more than room. Sets *unread to the first
 * error of a read or a mapping; code 0: all could be read.
 */
size_t global_control_find_frozen(struct machine *machine, struct frozen_control *out, size_t room,
				  struct error *unread);

/*
 * Writes the shell command that clears the freeze bit, and returns it; "": the register is in
 * configuration space, for which there is none.
 */
const char *global_control_unfreeze_command(const struct frozen_control *frozen,
					    char command[ERROR_COMMAND_SIZE]);

#endif
