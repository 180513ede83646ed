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
	size_t running;	   /* runs in progress */
	pid_t running_pid; /* of one of them */
};

/*
 * Replays the journals of all killed runs, and logs a warning for each. A journal is refused as a
 * whole if it is invalid or names a register that cxlmon may not write on this machine. No unit may
 * be open; none is afterwards. All journals are tried; returns the first error.
 */
int recovery_run(struct machine *machine, struct run_dir *dir, struct recovery *out,
		 struct error *err);

#endif
