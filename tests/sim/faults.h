/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults and changes that tests inject into a simulated machine. A fault holds until it is set
 * again. Functions that return int return 0, or -ENOENT if the unit, counter or CPMU does not
 * exist.
 */
#ifndef CXLMON_TEST_SIM_FAULTS_H
#define CXLMON_TEST_SIM_FAULTS_H

#include "sim/sim.h"
#include "sim/sim_machine.h"

/* Sets the ns by which each access to a register advances the virtual clock. */
void sim_set_access_time(struct sim *sim, uint64_t ns);

/*
 * Holds this program up count times, for ns each: after every so many accesses to registers, before
 * it can read the clock.
 */
void sim_set_pauses(struct sim *sim, uint64_t every, uint64_t count, uint64_t ns);

/* Returns the number of these pauses that are still to come. */
uint64_t sim_pauses_left(struct sim *sim);

/*
 * Makes devices report also the errors of the keys aer_advisory=, aer_internal= and
 * aer_unsupported=.
 */
void sim_set_errors(struct sim *sim);

/* dead: makes all registers of a unit read as all ones, and ignore writes; false: ends that. */
int sim_set_unit_dead(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool dead);

/* still: stops all counters of a unit, also those of its clock; false: starts them. */
int sim_set_unit_still(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool still);

/* Sets a counter of a unit. */
int sim_set_counter(struct sim *sim, unsigned socket, unsigned type, unsigned id, unsigned counter,
		    uint64_t value);

/* dead: makes all registers of a CPMU read as all ones, and ignore writes; false: ends that. */
int sim_set_cpmu_dead(struct sim *sim, size_t index, bool dead);

/*
 * Makes accesses to an MSR fail on every online CPU. code: the negative errno; 0: they work. Only
 * the MSR of the last call fails.
 */
void sim_set_msr_fault(struct sim *sim, uint32_t msr, int code);

/* refused: makes every write of an MSR fail with -EPERM, as under kernel lockdown. */
void sim_set_writes_refused(struct sim *sim, bool refused);

/*
 * denied: makes opening an event of a whole CPU fail with -EACCES, as without CAP_PERFMON, by a
 * kernel.perf_event_paranoid of 2.
 */
void sim_set_perf_denied(struct sim *sim, bool denied);

/* absent: makes accesses to MSRs fail with -ENOENT, as without the msr module. */
void sim_set_msr_absent(struct sim *sim, bool absent);

/*
 * Makes a mapping that overlaps [phys, phys + length) fail with -EPERM. Only the range of the last
 * call fails; length 0: none.
 */
void sim_set_memory_denied(struct sim *sim, uint64_t phys, uint64_t length);

/*
 * Takes a CPU online or offline. An offline CPU is not in the topology, and its MSRs fail with
 * -ENXIO. Ends the kernel's events of a CPU that goes offline, as the kernel does.
 */
void sim_set_cpu_online(struct sim *sim, unsigned cpu, bool online);

/*
 * Loads Intel's uncore driver of the kernel, which counts nothing here. It resets the controls and
 * counters of all units of a die: now, if a CPU of the die is online, else when its first CPU comes
 * online.
 */
void sim_load_driver(struct sim *sim);

/* Lets ns pass at once, as if the machine had run for this time. */
void sim_pass(struct sim *sim, uint64_t ns);

/* Sets the name of a hypervisor in CPUID (at most 12 bytes); "": none. */
void sim_set_hypervisor(struct sim *sim, const char *name);

/*
 * Suspends the machine for ns. Registers then have the values of a power cycle: 0, except those
 * that firmware sets.
 */
void sim_suspend(struct sim *sim, uint64_t ns);

#endif
