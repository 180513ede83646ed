/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a machine, finds its units, and allows writes to their registers. */
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

/* Identifies the processor by the first online CPU, like machine_identify(). */
int machine_find_model(struct platform *p, struct cpu_identity *id, const struct model **model,
		       struct error *err);

/*
 * Finds the units of the uncore that are accessed by registers; errors are discovery_read()'s or
 * amd_units_find()'s.
 */
int machine_find_units(struct platform *p, const struct model *model,
		       const struct topology *topology, struct discovery *out, struct error *err);

/*
 * Opens a machine. ERROR_NO_UNIT: an unknown processor, with unknown CPUs (.cpu_count is 0), on a
 * machine without a CPMU; its model is NULL then. Missing uncore units (no model table for the
 * processor, no discovery table, or no permission to read it) are not an error here, but in
 * .uncore_error. After an error *out contains what was found before it: online CPUs, processor
 * (cpu.vendor is "" if unknown) and model. Closed by machine_close(), also after an error.
 */
int machine_open(struct platform *p, struct machine *out, struct error *err);
void machine_close(struct machine *machine);

/*
 * Does the same for counting through the kernel: the units are its PMUs. No register is accessed
 * except those that describe a CPMU, which are read.
 */
int machine_open_perf(struct platform *p, struct machine *out, struct error *err);

/*
 * Replaces the CPUs of a machine that machine_open_perf() opened, none of which is open, by the
 * threads of a process.
 */
int machine_use_process(struct machine *machine, unsigned pid, struct error *err);

/*
 * Finds only CPUs, sockets and memory devices, for programs that need no unit. Accesses no
 * register, and works on any processor.
 */
int machine_open_without_units(struct platform *p, struct machine *out, struct error *err);

/*
 * Returns unit i of the list in which units of a type are: the CPUs, the CPMUs, or all units of the
 * uncore, whatever their types. NULL after the last.
 */
struct unit *machine_unit(const struct machine *machine, uint16_t type, size_t i);

/*
 * Returns the unit of the discovery tables that is the same as a unit of another machine. NULL:
 * none.
 */
struct unit *machine_find_unit(const struct machine *machine, const struct unit *unit);

/*
 * Makes the error why no unit of the uncore can be used and, if the processor is unknown, also why
 * no CPMU can. Returns the error's code.
 */
int machine_no_uncore(const struct machine *machine, struct error *err);

/* Closes all open units and controls of tables. */
void machine_close_units(struct machine *machine);

/*
 * Returns true if any program has programmed a counter of a unit of the discovery tables: *err then
 * names the first. Units that cannot be read count as free. CPMUs are left out, because freezing a
 * socket does not stop them.
 */
bool machine_find_use(const struct machine *machine, struct error *err);

/* Sets the ownership of all units; must be called before they are opened. */
void machine_set_ownership(struct machine *machine, enum ownership ownership);
/*
 * Gives all CPMUs the undo steps of runs in progress; must be called before they are opened.
 * *others must outlive them.
 */
void machine_set_others(struct machine *machine, const struct undo *others);

/* Allows writes to the offcore response registers, if the model has them, in the write guard. */
int machine_allow_offcore(struct machine *machine, struct error *err);

/* Allows writes to the global freeze register, if the model has one, in the write guard. */
int machine_allow_freeze(struct machine *machine, struct error *err);

/*
 * Allows writes to all registers that cxlmon may ever write on this machine, in the write guard.
 * Reads no register.
 */
int machine_allow_all(struct machine *machine, struct error *err);

/*
 * Opens the unit, CPMU or table that an MMIO register belongs to, and sets reg->window; does
 * nothing for other registers. -ENOENT: it belongs to none.
 */
int machine_map_register(struct machine *machine, struct reg *reg, struct error *err);

#endif
