/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock of a simulated machine: the real one, or a virtual one that only sleeping and, where
 * that is set, register accesses advance. The functions are those of struct platform_ops.
 */
#ifndef CXLMON_SIM_CLOCK_H
#define CXLMON_SIM_CLOCK_H

#include <signal.h>

#include "sim/sim_machine.h"

uint64_t sim_clock_now(const struct sim *sim); /* ns since the machine was made */
uint64_t sim_clock_wall(const struct sim *sim);
/* What sim_clock_now() was when the virtual clock's wall clock was wall_ns. */
uint64_t sim_clock_at_wall(const struct sim *sim, uint64_t wall_ns);
int sim_clock_sleep_until(struct sim *sim, uint64_t deadline, const sigset_t *wake,
			  int *signal_number);

/* Advances the virtual clock by the time of one register access. */
void sim_clock_access(struct sim *sim);

#endif
