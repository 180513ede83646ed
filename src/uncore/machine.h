/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine: its processor, CPUs, memory, CXL devices and units. The functions here find these
 * parts, close them, and allow writes to registers in the write guard (platform/guard.h), which
 * refuses all other writes.
 */
#ifndef CXLMON_UNCORE_MACHINE_H
#define CXLMON_UNCORE_MACHINE_H

#include "platform/platform.h"
#include "uncore/devices/machine_parts.h"

/*
 * Identifies the processor by CPUID of one CPU or, without CPUID, by the kernel's name for it.
 * *model is never NULL after success: see model_find().
 */
int machine_identify(struct platform *p, unsigned cpu, struct cpu_identity *id,
		     const struct model **model, struct error *err);

/* Returns the processor's name: the model's, or the brand string of an unsupported one. */
const char *machine_processor(const struct machine *m);

/* Identifies the processor as machine_identify() does, by the first online CPU. */
int machine_find_model(struct platform *p, struct cpu_identity *id, const struct model **model,
		       struct error *err);

/*
 * Finds the units of the uncore that are accessed by registers: with amd_units_find() if the model
 * has .units_by_cpuid, otherwise with discovery_read().
 */
int machine_find_units(struct platform *p, const struct model *model,
		       const struct topology *topology, struct discovery *out, struct error *err);

/*
 * Finds all parts of a machine, and opens no unit; *p must outlive it. Writes no register. If units
 * of the uncore are missing (no model table for the processor, no discovery table, or no permission
 * to read it), sets .uncore_error. This is an error, machine_no_uncore()'s, only if no CPU and no
 * CPMU can be counted either; .model is then NULL, unless it has .kernel_counts. A failed read of
 * units (ERROR_FAILED) is also an error.
 *
 * After an error *out contains the parts found before it: online CPUs, processor (cpu.vendor is ""
 * if unknown) and model. Closed by machine_close(), also after an error. If the model has
 * .kernel_counts, does the same as machine_open_perf().
 */
int machine_open(struct platform *p, struct machine *out, struct error *err);
void machine_close(struct machine *machine);

/*
 * Does the same for counting through the kernel: units are the kernel's PMUs. Accesses no register
 * except to read discovery tables and the registers that describe a CPMU. ERROR_NO_UNIT: also if
 * the platform has no kernel that counts.
 */
int machine_open_perf(struct platform *p, struct machine *out, struct error *err);

/*
 * Replaces .cpus of a machine from machine_open_perf(), all closed, by a unit for each thread that
 * a process now has. ERROR_NO_UNIT: the counters of CPUs are unknown. An error changes nothing.
 */
int machine_use_process(struct machine *machine, unsigned pid, struct error *err);

/*
 * Finds only CPUs, sockets, memory and memory devices, for programs that need no unit. Accesses no
 * register, and works on any processor. Closed by machine_close(), also after an error.
 */
int machine_open_without_units(struct platform *p, struct machine *out, struct error *err);

/*
 * Returns element i of the array that has the units of a type: .cpus for PMU_CORE, the units of
 * .cpmus for PMU_CPMU, otherwise discovery.units, which has units of all other types. NULL: i is
 * after the last element.
 */
struct unit *machine_unit(const struct machine *machine, uint16_t type, size_t i);

/*
 * Returns the unit in discovery.units with the type, id, socket and die of a unit, which may be
 * another machine's. NULL: none.
 */
struct unit *machine_find_unit(const struct machine *machine, const struct unit *unit);

/*
 * Sets *err to the reason why no unit of the uncore can be used, with the reason why no CPMU can if
 * the machine has no uncore unit at all. Returns its code; 0: there are units.
 */
int machine_no_uncore(const struct machine *machine, struct error *err);

/* Closes all open units, and the global controls of discovery tables. */
void machine_close_units(struct machine *machine);

/*
 * Returns true if any program has programmed a counter of a unit of the uncore: *err then names the
 * first. Units that cannot be read count as free. CPUs and CPMUs are not checked, because freezing
 * a socket does not stop them.
 */
bool machine_find_use(const struct machine *machine, struct error *err);

/* Sets the ownership of all units; to be called before they are opened. */
void machine_set_ownership(struct machine *machine, enum ownership ownership);
/*
 * Gives all CPMUs the undo steps of runs in progress; to be called before they are opened. *others
 * must outlive the machine.
 */
void machine_set_others(struct machine *machine, const struct undo *others);

/* Allows writes to the offcore response registers, if the model has them. */
int machine_allow_offcore(struct machine *machine, struct error *err);

/* Allows writes to the global freeze register, if the model has one. */
int machine_allow_freeze(struct machine *machine, struct error *err);

/*
 * Allows writes to all registers that cxlmon may ever write on this machine. Reads no register.
 * .model must not be NULL.
 */
int machine_allow_all(struct machine *machine, struct error *err);

/*
 * Opens the unit, CPMU or discovery table that an MMIO register belongs to, and sets reg->window.
 * Does nothing for other registers. -ENOENT: it belongs to none. Other errors are those of
 * unit_open() and table_control_open().
 */
int machine_map_register(struct machine *machine, struct reg *reg, struct error *err);

#endif
