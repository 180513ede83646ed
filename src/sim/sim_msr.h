/* SPDX-License-Identifier: BSD-3-Clause */
/* The MSRs of simulated CPUs: core PMU, global control, and uncore units. */
#ifndef CXLMON_SIM_MSR_H
#define CXLMON_SIM_MSR_H

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

/* The kernel's intel_glc_extra_regs: bits of the offcore response registers. */
#define SIM_OFFCORE_RESERVED (~UINT64_C(0x3FFFFFFFFF))

/* Sets an initial value without reserved bits. Ignores MSRs that a snapshot does not have. */
void sim_msr_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* The registers of a simulated CPU beside those of units: Intel's and AMD's differ. */

struct sim_core_msrs {
	/* 0, or -EIO where the instruction faults */
	int (*read)(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
	int (*write)(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
	/* Sets an initial value without reserved bits. Ignores MSRs that a snapshot does not have.
	 */
	void (*set)(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

	/* Whether a counter with this control, and offcore response, counts anything. */
	bool (*counts)(const struct sim *sim, uint64_t control, uint64_t response);

	/* The MSRs that the kernel accesses: control and counter i are i steps behind the first
	 * ones. */
	uint32_t control, counter;
	unsigned step, count;
	uint64_t config;     /* bits that it takes of an event's config */
	bool fixed_counters; /* and Intel's rules for what counts where */
	uint32_t global_ctrl;
	uint64_t global_all; /* in it: every counter is enabled */
};

extern const struct sim_core_msrs sim_core_intel, sim_core_amd;

/* Whether the MSR is one of an array's, and which. */
bool sim_core_in_array(uint32_t msr, uint32_t first, unsigned count, unsigned *index);

/* As WRMSR: a reserved bit is an error, -EIO, and changes nothing. */
int sim_core_write(uint64_t *where, uint64_t value, uint64_t reserved);

/* A counter that exceeds its width wraps and sets its overflow bit. */
void sim_core_add_events(struct sim_core *core, struct sim_counter *counter, uint64_t events,
			 unsigned status_bit, uint64_t now);

/* CPUID, the same on every CPU. Leaves are those of the snapshot, where it has them. */
void sim_cpuid(const struct sim *sim, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* AMD: the registers that leaf 0x80000022 describes are there, which no virtual machine has. */
bool sim_cpuid_perfmon_v2(const struct sim *sim);

#endif
