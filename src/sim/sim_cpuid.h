/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUID of a simulated machine, the same on every CPU. */
#ifndef CXLMON_SIM_CPUID_H
#define CXLMON_SIM_CPUID_H

#include "sim/sim_machine.h"

/* Leaves are those of the snapshot, where it has them. */
void sim_cpuid(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

#endif
