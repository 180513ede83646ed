/* SPDX-License-Identifier: BSD-3-Clause */
/* Restores registers that killed runs have left programmed, from their journals. */
#ifndef CXLMON_RECOVERY_H
#define CXLMON_RECOVERY_H

#include "linux/run_dir.h"
#include "uncore/machine.h"

struct recovery {
	size_t restored;   /* journals that were replayed and removed */
	size_t steps;	   /* registers restored */
	size_t refused;	   /* journals that were not replayed */
	size_t pending;	   /* journals that stay, as an offline CPU or a unit does not respond */
	size_t running;	   /* runs in progress */
	pid_t running_pid; /* one of them; 0: not known here */
	struct undo live;  /* restored by the runs in progress; freed by undo_free() */
};

/*
 * Replays the journals of all killed runs, and logs a warning for each. A journal is refused as a
 * whole if it is invalid or names a register that cxlmon may not write on this machine. Registers
 * that a run in progress uses are left to that run. No unit may be open; none is afterwards. All
 * journals are tried; returns the first error. A register that does not respond is none.
 */
int recovery_run(struct machine *machine, struct run_dir *dir, struct recovery *out,
		 struct error *err);

#endif
