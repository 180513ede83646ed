/* SPDX-License-Identifier: BSD-3-Clause */
/* CPUID of a simulated machine, the same on every CPU. */
#ifndef CXLMON_SIM_CPUID_H
#define CXLMON_SIM_CPUID_H

#include "sim/sim_machine.h"

/* Leaves are those of the snapshot, where it has them. */
void sim_cpuid(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* AMD: the registers that leaf 0x80000022 describes are there, which no virtual machine has. */
bool sim_cpuid_perfmon_v2(const struct sim *sim);

#endif
