/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests do to a simulated machine. Each fault holds until it is set again. */
#ifndef CXLMON_TEST_SIM_FAULTS_H
#define CXLMON_TEST_SIM_FAULTS_H

#include "sim/sim.h"
#include "sim/sim_machine.h"

/* Each register access advances the virtual clock by ns. */
void sim_set_access_time(struct sim *sim, uint64_t ns);

/*
 * From now on this program is held up for ns of the clock behind each so many-th access to a
 * register, before it can read the clock, so many times.
 */
void sim_set_pauses(struct sim *sim, uint64_t every, uint64_t count, uint64_t ns);

/* How many of them are still to come. */
uint64_t sim_pauses_left(struct sim *sim);

/* Errors of the kinds of aer_advisory=, aer_internal= and aer_unsupported= happen, too. */
void sim_set_errors(struct sim *sim);

/* All registers of this unit read as all ones, and writes to it are ignored. 0 or -ENOENT. */
int sim_set_unit_dead(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool dead);

/* This unit counts nothing from now on, not even its clock; or counts. 0 or -ENOENT. */
int sim_set_unit_still(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool still);

/* Sets a counter of this unit. 0 or -ENOENT. */
int sim_set_counter(struct sim *sim, unsigned socket, unsigned type, unsigned id, unsigned counter,
		    uint64_t value);

/* As sim_set_unit_dead(), the CPMU with this number. */
int sim_set_cpmu_dead(struct sim *sim, size_t index, bool dead);

/* Accesses to this MSR fail on every CPU with code (a negative errno; 0: they work). One MSR. */
void sim_set_msr_fault(struct sim *sim, uint32_t msr, int code);

/* Every MSR write fails with -EPERM, as under kernel lockdown. */
void sim_set_writes_refused(struct sim *sim, bool refused);

/* Opening an event fails with -EACCES, as without CAP_PERFMON. */
void sim_set_perf_denied(struct sim *sim, bool denied);

/* MSRs fail with -ENOENT, as without the msr module. */
void sim_set_msr_absent(struct sim *sim, bool absent);

/* Mapping memory in [phys, phys + length) fails with -EPERM. */
void sim_set_memory_denied(struct sim *sim, uint64_t phys, uint64_t length);

/* An offline CPU is not in the topology, and its MSRs fail with -ENXIO. */
void sim_set_cpu_online(struct sim *sim, unsigned cpu, bool online);

/*
 * The kernel's uncore driver loads: it resets the controls and counters of all units, of dies that
 * have a CPU online; and those of any other die when its first CPU comes online. It counts nothing.
 */
void sim_load_driver(struct sim *sim);

/* Lets ns pass at once: all that counts has counted for as long. */
void sim_pass(struct sim *sim, uint64_t ns);

/* CPUID shows a hypervisor of this name (at most 12 bytes); "": none. */
void sim_set_hypervisor(struct sim *sim, const char *name);

/* Suspends the machine for ns: registers lose their values. */
void sim_suspend(struct sim *sim, uint64_t ns);

#endif
