/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a machine, finds its units, and says which registers may be written. */
#ifndef CXLMON_UNCORE_MACHINE_H
#define CXLMON_UNCORE_MACHINE_H

#include "platform/platform.h"
#include "uncore/devices/machine_parts.h"

/*
 * Identifies the processor by CPUID of one CPU, or, where it has none, by what the kernel calls it.
 * *model is never NULL after success: see model_find().
 */
int machine_identify(struct platform *p, unsigned cpu, struct cpu_identity *id,
		     const struct model **model, struct error *err);

/* The processor's name: the model, or the brand string of one that cxlmon does not know. */
const char *machine_processor(const struct machine *m);

/* Identifies the processor by the first online CPU, as machine_identify(). */
int machine_find_model(struct platform *p, struct cpu_identity *id, const struct model **model,
		       struct error *err);

/* The units of the uncore that are reached by registers; as discovery_read(). */
int machine_find_units(struct platform *p, const struct model *model,
		       const struct topology *topology, struct discovery *out, struct error *err);

/*
 * ERROR_NO_UNIT: a processor of which nothing is known, not even of its CPUs (.cpu_count is 0), on
 * a machine without a CPMU; its model is NULL then. Missing uncore units (no model table for the
 * processor, no discovery table, or no permission to read it) are not an error here, but in
 * .uncore_error. After an error *out contains what was found before it: online CPUs, processor
 * (cpu.vendor is "" if not known) and model. Closed by machine_close(), also after an error.
 */
int machine_open(struct platform *p, struct machine *out, struct error *err);
void machine_close(struct machine *machine);

/*
 * The same for counting through the kernel: the units are those of its PMUs, and no register is
 * accessed but those that say what a CPMU has, which are read.
 */
int machine_open_perf(struct platform *p, struct machine *out, struct error *err);

/* Replaces the CPUs of the latter, none of which is open, by the threads of a process. */
int machine_use_process(struct machine *machine, unsigned pid, struct error *err);

/*
 * CPUs, sockets and memory devices alone, for what needs no unit: no register is accessed, and any
 * processor will do.
 */
int machine_open_without_units(struct platform *p, struct machine *out, struct error *err);

/*
 * The ith of the units among which those of a type are: the CPUs, the CPMUs, or those of the
 * uncore, whatever their types are. NULL behind the last.
 */
struct unit *machine_unit(const struct machine *machine, uint16_t type, size_t i);

/* The unit of the discovery tables that is the same as one of another machine. NULL: none. */
struct unit *machine_find_unit(const struct machine *machine, const struct unit *unit);

/*
 * Why no unit of the uncore can be had; where the processor is not known, also why no CPMU can.
 * Returns the error's code.
 */
int machine_no_uncore(const struct machine *machine, struct error *err);

/* Closes all open units and controls of tables. */
void machine_close_units(struct machine *machine);

/*
 * Whether a counter of any unit of the discovery tables is programmed, by whatever program: *err
 * then names the first. Units that can't be read count as free. CPMUs are none of these: what
 * freezes a socket does not stop them.
 */
bool machine_find_use(const struct machine *machine, struct error *err);

/* Sets the ownership of all units; must be called before they are opened. */
void machine_set_ownership(struct machine *machine, enum ownership ownership);
/* Tells all CPMUs what runs in progress will restore; likewise. *others must outlive them. */
void machine_set_others(struct machine *machine, const struct undo *others);

/* Allows writes to the offcore response registers, if the model has such, in the write guard. */
int machine_allow_offcore(struct machine *machine, struct error *err);

/* Allows writes to the global freeze register, if the model has one, in the write guard. */
int machine_allow_freeze(struct machine *machine, struct error *err);

/*
 * Allows writes to all registers that cxlmon may ever write on this machine, in the write guard.
 * Reads no register.
 */
int machine_allow_all(struct machine *machine, struct error *err);

/*
 * For an MMIO register, opens the unit, CPMU or table that it belongs to and sets reg->window; does
 * nothing for other registers. -ENOENT: it belongs to none.
 */
int machine_map_register(struct machine *machine, struct reg *reg, struct error *err);

#endif
