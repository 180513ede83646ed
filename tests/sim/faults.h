/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults that tests inject into a simulated machine. Each holds until it is set again. */
#ifndef CXLMON_TEST_SIM_FAULTS_H
#define CXLMON_TEST_SIM_FAULTS_H

#include "sim/sim.h"
#include "sim/sim_machine.h"

/* Sets the ns by which each register access advances the virtual clock. */
void sim_set_access_time(struct sim *sim, uint64_t ns);

/*
 * Advances the clock by ns after every nth (every) access to a register, before this program can
 * read the clock: a pause, count times.
 */
void sim_set_pauses(struct sim *sim, uint64_t every, uint64_t count, uint64_t ns);

/* Returns the number of these pauses that are still to come. */
uint64_t sim_pauses_left(struct sim *sim);

/* Makes devices report the errors of the keys aer_advisory=, aer_internal= and aer_unsupported=. */
void sim_set_errors(struct sim *sim);

/* Makes all registers of this unit read as all ones, and ignore writes. 0 or -ENOENT. */
int sim_set_unit_dead(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool dead);

/* Stops (still) or starts all counters of this unit, also of its clock. 0 or -ENOENT. */
int sim_set_unit_still(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool still);

/* Sets a counter of this unit. 0 or -ENOENT. */
int sim_set_counter(struct sim *sim, unsigned socket, unsigned type, unsigned id, unsigned counter,
		    uint64_t value);

/* Makes all registers of this CPMU read as all ones, and ignore writes. 0 or -ENOENT. */
int sim_set_cpmu_dead(struct sim *sim, size_t index, bool dead);

/*
 * Makes accesses to this MSR fail on every CPU with code, a negative errno; 0: they work. Only the
 * last MSR that was set fails.
 */
void sim_set_msr_fault(struct sim *sim, uint32_t msr, int code);

/* Makes every MSR write fail with -EPERM, as under kernel lockdown. */
void sim_set_writes_refused(struct sim *sim, bool refused);

/* Makes opening an event fail with -EACCES, as without CAP_PERFMON. */
void sim_set_perf_denied(struct sim *sim, bool denied);

/* Makes MSRs fail with -ENOENT, as without the msr module. */
void sim_set_msr_absent(struct sim *sim, bool absent);

/* Makes mappings of memory in [phys, phys + length) fail with -EPERM. */
void sim_set_memory_denied(struct sim *sim, uint64_t phys, uint64_t length);

/* Takes a CPU offline (not in the topology, its MSRs fail with -ENXIO) or online. */
void sim_set_cpu_online(struct sim *sim, unsigned cpu, bool online);

/*
 * Loads the kernel's uncore driver, which counts nothing here. It resets the controls and counters
 * of all units of a die: now, if a CPU of the die is online, else when its first CPU comes online.
 */
void sim_load_driver(struct sim *sim);

/* Lets ns pass at once: everything that counts has counted for this time. */
void sim_pass(struct sim *sim, uint64_t ns);

/* Sets the name of a hypervisor in CPUID (at most 12 bytes); "": none. */
void sim_set_hypervisor(struct sim *sim, const char *name);

/* Suspends the machine for ns: registers lose their values. */
void sim_suspend(struct sim *sim, uint64_t ns);

#endif
