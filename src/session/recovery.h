/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts back what runs that were killed have left programmed. */
#ifndef CXLMON_RECOVERY_H
#define CXLMON_RECOVERY_H

#include "linux/run_dir.h"
#include "uncore/machine.h"

struct recovery {
	size_t restored; /* journals that were played, and removed */
	size_t steps;	 /* registers that they put back */
	size_t refused;	 /* journals that were not played */
	size_t running;	 /* runs that live */
	pid_t running_pid;
};

/*
 * Plays every journal of a killed run, and says so in the platform's log. One that is broken, or
 * names a register that no run on this machine may write, is left alone as a whole. No unit may be
 * open, and none is afterwards. On failure the first error is returned, after all were tried.
 */
int recovery_run(struct machine *machine, struct run_dir *dir, struct recovery *out,
		 struct error *err);

#endif
