/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated machine as a platform. Its registers behave as those of the hardware, also where
 * access to them fails.
 *
 * A counter counts what its control selects, if it can count that event, while neither the unit nor
 * its socket is frozen. Counters wrap at 48 bits; the reset bits work. Unknown MSRs and reserved
 * bits fail with -EIO, as the msr driver reports a #GP.
 */
#ifndef CXLMON_SIM_H
#define CXLMON_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "platform/reg.h"
#include "sim/sim_spec.h"

/* spec as --sim takes it; EXIT_USAGE where it is invalid. Freed by platform_destroy(). */
int platform_sim(const char *spec, const struct log *log, struct platform **out, struct error *err);

/* Everything below is for tests, and for publishing the machine as files. */

struct sim;
struct sim *sim_of(struct platform *p); /* p was made by platform_sim() */

/* sim_faults.c. Each holds until it is set again. */

/* Each register access advances the virtual clock by ns. */
void sim_set_access_time(struct sim *sim, uint64_t ns);

/* All registers of this unit read as all ones, and writes to it are ignored. 0 or -ENOENT. */
int sim_set_unit_dead(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool dead);

/* Sets a counter of this unit. 0 or -ENOENT. */
int sim_set_counter(struct sim *sim, unsigned socket, unsigned type, unsigned id, unsigned counter,
		    uint64_t value);

/* The same of the CPMU of a memory device, by its number in platform_ops.cxl_devices. */
int sim_set_cpmu_dead(struct sim *sim, size_t index, bool dead);

/* Accesses to this MSR fail on every CPU with code (a negative errno; 0: they work). One MSR. */
void sim_set_msr_fault(struct sim *sim, uint32_t msr, int code);

/* Every MSR write fails with -EPERM, as under kernel lockdown. */
void sim_set_writes_refused(struct sim *sim, bool refused);

/* Opening an event fails with -EACCES, as without CAP_PERFMON. */
void sim_set_perf_denied(struct sim *sim, bool denied);

/* An offline CPU is not in the topology, and its MSRs fail with -ENXIO. */
void sim_set_cpu_online(struct sim *sim, unsigned cpu, bool online);

/*
 * The kernel's uncore driver loads: it resets the controls and counters of all units, of dies that
 * have a CPU online; and those of any other die when its first CPU comes online. It counts nothing.
 */
void sim_load_driver(struct sim *sim);

/* CPUID shows a hypervisor of this name (at most 12 bytes); "": none. */
void sim_set_hypervisor(struct sim *sim, const char *name);

/* Suspends the machine for ns: registers lose their values. */
void sim_suspend(struct sim *sim, uint64_t ns);

/* MSRs fail with -ENOENT, as without the msr module. */
void sim_set_msr_absent(struct sim *sim, bool absent);

/* Mapping memory in [phys, phys + length) fails with -EPERM. */
void sim_set_memory_denied(struct sim *sim, uint64_t phys, uint64_t length);

/* sim_publish.c */

/*
 * Calls visit for every register of the units in memory or PCI configuration space, unit by unit,
 * then for the tables' controls in memory, and for CPMUs; first: it is the control of a unit or a
 * table, or the freeze register of a CPMU.
 */
typedef void sim_visitor(void *context, const struct reg *reg, bool first);
void sim_for_each_register(struct sim *sim, sim_visitor *visit, void *context);

/* A range of physical memory: content has length bytes, or is NULL where there are registers. */
struct sim_memory {
	uint64_t phys, length;
	const void *content;
};
size_t sim_memory_count(const struct sim *sim);
struct sim_memory sim_memory(const struct sim *sim, size_t index);

/* The 4096 bytes of configuration space of the function at index of platform_ops.pci_list. */
const uint8_t *sim_config_space(const struct sim *sim, size_t index);

bool sim_cpu_online(const struct sim *sim, unsigned cpu);
unsigned sim_cpu_die(const struct sim *sim, unsigned cpu); /* within its socket */
int sim_cpu_l3(const struct sim *sim, unsigned cpu);	   /* as struct cpu_location has it */
const struct sim_spec *sim_spec(const struct sim *sim);

/* Calls visit with what was written last to each control, counter and freeze bit, by name. */
#define SIM_STATE_NAME_SIZE 96
typedef void sim_state_visitor(void *context, const char *name, uint64_t value);
void sim_for_each_state(struct sim *sim, sim_state_visitor *visit, void *context);

/* A hash of all controls, counter bases and freeze bits: equal where no register was written. */
uint64_t sim_state_hash(struct sim *sim);

#endif
