/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A processor that isn't there: registers that behave as ../uncore and ../msr expect of real ones,
 * and break where real ones break. Reached through struct platform, or register by register.
 *
 * A unit counts only what its control selects, on a counter that can see it, while neither the unit
 * nor its socket is frozen. Counters wrap at 48 bits and honour the reset bits. Unknown MSRs and
 * reserved bits are refused with -EIO, as the msr driver reports a #GP.
 */
#ifndef CXLMON_SIM_H
#define CXLMON_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "platform/reg.h"
#include "sim/spec.h"

/* spec is what --sim takes; EXIT_USAGE where it is none. Freed by platform_destroy(). */
int platform_sim(const char *spec, const struct log *log, struct platform **out, struct error *err);

/* Everything below is for tests, and for publishing the machine as files. */

struct sim;
struct sim *sim_of(struct platform *p); /* p was made by platform_sim() */

/* Each register access then takes ns of the virtual clock. */
void sim_set_access_time(struct sim *sim, uint64_t ns);

/* From now on all registers of this unit read as all ones, and writes to it are lost. */
int sim_set_unit_dead(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool dead);

/* Sets counters of this unit, as if they had counted that far. */
int sim_set_counter(struct sim *sim, unsigned socket, unsigned type, unsigned id, unsigned counter,
		    uint64_t value);

/* From now on this MSR fails on every CPU with code (a negative errno); 0 mends it. */
void sim_set_msr_fault(struct sim *sim, uint32_t msr, int code);

/* From now on every MSR write fails with -EPERM, as under kernel lockdown. */
void sim_set_writes_refused(struct sim *sim, bool refused);

/* An offline CPU is not in the topology, and its MSRs fail with -ENXIO. */
void sim_set_cpu_online(struct sim *sim, unsigned cpu, bool online);
bool sim_cpu_online(const struct sim *sim, unsigned cpu);

/* From now on CPUID tells of a hypervisor with this name (12 bytes at most); "" takes it away. */
void sim_set_hypervisor(struct sim *sim, const char *name);

/* No MSR device at all, as without the msr module: -ENOENT. */
void sim_set_msr_absent(struct sim *sim, bool absent);

/* From now on memory of the uncore can't be mapped from [phys, phys + length). */
void sim_set_memory_closed(struct sim *sim, uint64_t phys, uint64_t length);

/*
 * Calls visit for every register of the units that lie in memory or PCI configuration space, unit
 * by unit; leads: it is the unit's control, which comes before the unit's other registers.
 */
typedef void sim_visitor(void *context, const struct reg *reg, bool leads);
void sim_each_register(struct sim *sim, sim_visitor *visit, void *context);

/* A stretch of physical memory; content is NULL where registers are, else length bytes. */
struct sim_memory {
	uint64_t phys, length;
	const void *content;
};
size_t sim_memory_count(const struct sim *sim);
struct sim_memory sim_memory(const struct sim *sim, size_t index);

/* The 4096 bytes of configuration space of the function at index of platform_ops.pci_list. */
const uint8_t *sim_config_space(const struct sim *sim, size_t index);

const struct sim_spec *sim_spec(const struct sim *sim);

/* A number that changes when any control, counter base or freeze bit does: the machine's state. */
uint64_t sim_state_hash(struct sim *sim);

#endif
