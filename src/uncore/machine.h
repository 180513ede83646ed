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
 * *model is never NULL after success: see model_find(). Returns 0 or the error of reading CPUID.
 */
int machine_identify(struct platform *p, unsigned cpu, struct cpu_identity *id,
		     const struct model **model, struct error *err);

/* Returns the processor's name: the model's, or the brand string of an unsupported one. */
const char *machine_processor(const struct machine *m);

/*
 * Does the same as machine_identify(), by the first online CPU. Also returns the error of listing
 * CPUs.
 */
int machine_find_model(struct platform *p, struct cpu_identity *id, const struct model **model,
		       struct error *err);

/*
 * Finds the units of the uncore that are accessed by registers: with amd_units_find() if the model
 * has .units_by_cpuid, otherwise with discovery_read(). *out must be all zero.
 */
int machine_find_units(struct platform *p, const struct model *model,
		       const struct topology *topology, struct discovery *out, struct error *err);

/*
 * Finds all parts of a machine, and opens no unit. Writes no register. If the model has
 * .kernel_counts, does the same as machine_open_perf(). *p must outlive *out, which is closed by
 * machine_close(), also after an error.
 *
 * If no unit of the uncore is found, sets .uncore_error: the processor is not supported, has no
 * discovery table, or its table may not be read.
 *
 * Returns an error
 * - if no CPU and no CPMU can be counted either: the error of machine_no_uncore(). Then sets .model
 *   to NULL, unless the model has .kernel_counts.
 * - if a read failed (ERROR_FAILED), no CPU is online, or memory is lacking.
 *
 * After an error, *out has the parts that were found before it: online CPUs, the processor
 * (cpu.vendor "": unknown) and the model (NULL: unknown).
 */
int machine_open(struct platform *p, struct machine *out, struct error *err);
void machine_close(struct machine *machine);

/*
 * Does the same as machine_open() for counting through the kernel: units are the kernel's PMUs.
 * Reads only registers of discovery tables and those that describe a CPMU. ERROR_NO_UNIT: also if
 * the platform has no kernel that counts.
 */
int machine_open_perf(struct platform *p, struct machine *out, struct error *err);

/*
 * Replaces the units in .cpus, all closed, by a unit for each thread that a process now has. The
 * machine must be from machine_open_perf(). Returns 0 or an error, after which nothing is changed.
 * ERROR_NO_UNIT: the counters of CPUs are unknown.
 */
int machine_use_process(struct machine *machine, unsigned pid, struct error *err);

/*
 * Finds only CPUs, sockets, memory and memory devices, for programs that need no unit. Accesses no
 * register, and works on any processor. Closed by machine_close(), also after an error.
 */
int machine_open_without_units(struct platform *p, struct machine *out, struct error *err);

/*
 * Returns element i of the array with the units of a type; NULL: i is after its last element. The
 * array is .cpus for PMU_CORE, and the units of .cpmus for PMU_CPMU. For all other types it is
 * discovery.units, so that the returned unit may be of another type.
 */
struct unit *machine_unit(const struct machine *machine, uint16_t type, size_t i);

/*
 * Returns the unit in discovery.units that has the type, id, socket and die of another machine's
 * unit. NULL: none.
 */
struct unit *machine_find_unit(const struct machine *machine, const struct unit *unit);

/*
 * Sets *err to .uncore_error, and returns its code; 0: units of the uncore can be used. If its kind
 * is ERROR_NO_UNIT and a CPMU cannot be used either, *err has both reasons, and the returned code
 * may be the CPMU's.
 */
int machine_no_uncore(const struct machine *machine, struct error *err);

/* Closes all open units, and the global controls of discovery tables. */
void machine_close_units(struct machine *machine);

/*
 * Returns true if any program has programmed a counter of a unit of the uncore; *err then names the
 * first. Units that cannot be read are taken as not programmed. CPUs and CPMUs are not checked,
 * because the freeze of a socket does not stop them.
 */
bool machine_find_use(const struct machine *machine, struct error *err);

/* Sets the ownership of all units; to be called before they are opened. */
void machine_set_ownership(struct machine *machine, enum ownership ownership);
/*
 * Tells all CPMUs which registers other runs of cxlmon have changed: others has the undo steps of
 * those in progress. To be called before CPMUs are opened. *others must outlive the machine.
 */
void machine_set_others(struct machine *machine, const struct undo *others);

/* Allows writes to the offcore response registers, if the model has them. */
int machine_allow_offcore(struct machine *machine, struct error *err);

/* Allows writes to the global freeze register, if the model has one. */
int machine_allow_freeze(struct machine *machine, struct error *err);

/*
 * Allows writes to all registers that cxlmon may ever write on this machine, and for msr-safe also
 * MSRs that it only reads. Reads no register. .model must not be NULL.
 */
int machine_allow_all(struct machine *machine, struct error *err);

/*
 * Opens the unit, CPMU or discovery table that an MMIO register belongs to, and sets reg->window.
 * Does nothing for other registers. If the kernel's driver uses the CPMU, only maps it, to restore
 * registers of an earlier run. -ENOENT: the register belongs to none. Other errors are those of
 * unit_open() and table_control_open().
 */
int machine_map_register(struct machine *machine, struct reg *reg, struct error *err);

#endif
