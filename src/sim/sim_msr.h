/* SPDX-License-Identifier: BSD-3-Clause */
/* The MSRs of simulated CPUs: core PMU, global control, and uncore units. */
#ifndef CXLMON_SIM_MSR_H
#define CXLMON_SIM_MSR_H

#include "sim/sim_core.h"
#include "sim/sim_machine.h"

/* 0 or a negative errno, as the msr driver returns it. */
int sim_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/* -EPERM while all writes are refused. */
int sim_msr_may_write(const struct sim *sim);

/*
 * As the kernel itself accesses them, whatever the msr driver permits: registers that there are,
 * without reserved bits.
 */
uint64_t sim_msr_kernel_read(struct sim *sim, unsigned cpu, uint32_t msr);
void sim_msr_kernel_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* Those of the machine's CPUs. */
const struct sim_core_msrs *sim_core_msrs(const struct sim *sim);

/* Reserved bits of the offcore response registers. */
uint64_t sim_msr_offcore_reserved(void);

/* Sets an initial value without reserved bits. Ignores MSRs that a snapshot does not have. */
void sim_msr_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

#endif
