/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPMUs of a simulated memory device (cpmu=1), in its BAR behind the component registers. As
 * most have it (cpmu_kind=full):
 *
 *   counter 0       fixed function: lines of data that the device sends (S2M MemData)
 *   counter 1       free-running: clock ticks, of 1 GHz
 *   counters 2 to 5 configurable
 *
 * Counters have 48 bits, can be frozen, and are written only while they are. The device counts what
 * its port carries; its DRAM is accessed for each line once. sim_cpmu_kinds.h has others.
 */
#ifndef CXLMON_SIM_CPMU_H
#define CXLMON_SIM_CPMU_H

#include "sim/sim_machine.h"

#define SIM_CPMU_BAR_BYTES UINT64_C(0x40000)
#define SIM_CPMU_OFFSET	   UINT64_C(0x20000) /* of the first, in the BAR */
#define SIM_CPMU_STRIDE	   UINT64_C(0x10000) /* to the next */

/* The address of the BAR of the device behind a port. */
uint64_t sim_cpmu_bar(unsigned socket, unsigned port);

/* Adds the CPMUs of a device, and the memory of the BAR. Returns how many. */
unsigned sim_add_cpmus(struct sim *sim, unsigned socket, unsigned port);

/* The CPMU that has a register at this address; NULL: none. */
struct sim_cpmu *sim_find_cpmu(const struct sim *sim, uint64_t phys);

/* One load or store of 4 or 8 bytes, aligned; offset is that of the address in the block. */
uint64_t sim_cpmu_read(const struct sim *sim, const struct sim_cpmu *cpmu, uint64_t offset,
		       unsigned bytes);
void sim_cpmu_write(struct sim *sim, struct sim_cpmu *cpmu, uint64_t offset, unsigned bytes,
		    uint64_t value);

/* As after power was off: only what is read-only is there. */
void sim_reset_cpmu(struct sim *sim, struct sim_cpmu *cpmu);

/* Calls visit for each register; first: for the one that is taken in before the others. */
void sim_visit_cpmu(const struct sim_cpmu *cpmu,
		    void (*visit)(void *context, const struct reg *reg, bool first), void *context);

#endif
