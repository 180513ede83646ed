/* SPDX-License-Identifier: BSD-3-Clause */
/* The MSRs of simulated CPUs: core PMU, global control, and uncore units; and their CPUID. */
#ifndef CXLMON_SIM_MSR_H
#define CXLMON_SIM_MSR_H

#include "sim/sim_machine.h"

/* 0 or a negative errno, as the msr driver returns it. */
int sim_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/* -EPERM while all writes are refused. */
int sim_msr_may_write(const struct sim *sim);

/*
 * sim_core.c: the registers of a CPU beside those of units, whatever the msr driver permits: 0, or
 * -EIO where the instruction faults. The kernel accesses registers that there are, without reserved
 * bits.
 */
int sim_core_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_core_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* Sets an initial value without reserved bits. Ignores MSRs that there are not. */
void sim_core_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* What Intel's and AMD's core PMUs differ in. */
struct sim_core_pmu {
	unsigned general, fixed;   /* counters; none on Arm */
	uint32_t control, counter; /* those of counter i are i steps behind these */
	unsigned step;
	uint64_t config; /* bits that the kernel takes of an event's config */
	uint32_t global_ctrl;
	uint64_t global_all; /* in it: every counter is enabled */
};

const struct sim_core_pmu *sim_core_pmu(const struct sim *sim);

/* Whether a counter with this control, and offcore response, counts anything. */
bool sim_core_counts(const struct sim *sim, uint64_t control, uint64_t response);

/* The kernel's intel_glc_extra_regs: bits of the offcore response registers. */
#define SIM_OFFCORE_RESERVED (~UINT64_C(0x3FFFFFFFFF))

/* CPUID, the same on every CPU. Leaves are those of the snapshot, where it has them. */
void sim_cpuid(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* AMD: the registers that leaf 0x80000022 describes are there, which no virtual machine has. */
bool sim_cpuid_perfmon_v2(const struct sim *sim);

#endif
