/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The undo list: steps that restore the registers of each unit, collected before the first write. A
 * run applies it at its end; its journal keeps a copy on disk in case the run is killed.
 *
 * Another program may have taken a counter since. So a register is restored only if it is still
 * ours: a control that holds a value that this run may have written; a counter whose control is
 * ours; our bits of a register that programs share. Other registers are left unchanged, and
 * reported.
 */
#ifndef CXLMON_PLATFORM_UNDO_H
#define CXLMON_PLATFORM_UNDO_H

#include <stddef.h>
#include <stdint.h>

#include "platform/cpus.h"
#include "platform/platform.h"
#include "platform/reg.h"

#define UNDO_THIS_CPU (-1)

/* The condition on which a step is applied. */
enum undo_condition {
	UNDO_ALWAYS,	 /* no condition: the bits of its mask belong to this run */
	UNDO_IF_OURS,	 /* the register holds one of the values added by undo_add_value() */
	UNDO_IF_CONTROL, /* the step .control was ours */
	UNDO_IF_UNIT,	 /* all steps of the unit that are UNDO_IF_OURS were ours */
};

struct undo_step {
	struct reg reg;
	uint64_t value; /* value before the run */
	/* the socket, for an MSR shared by all its CPUs; else UNDO_THIS_CPU */
	int socket;
	bool l3_scoped; /* only the CPUs of the socket that share the cache .l3 share the MSR */
	int l3;
	enum undo_condition condition;
	uint64_t mask;	/* bits to restore; if all, without reading the register */
	bool action;	/* an action, such as a stop: .value is not from before the run */
	size_t control; /* UNDO_IF_CONTROL: index of the step that decides */
	size_t unit;	/* index of the first step of the same unit, or CPU */
};

/* A value that the run may have written to the bits of a step's mask. */
struct undo_ours {
	size_t step;
	uint64_t value;
};

struct undo {
	struct undo_step *steps; /* by unit; freed by undo_free() */
	size_t count;
	struct undo_ours *ours; /* by unit; freed by undo_free() */
	size_t ours_count;
	size_t unit; /* index of the current unit's first step */
	/* the steps of other runs on this machine, see undo_add(); not owned; may be NULL */
	const struct undo *others;
};

/* Begins a unit: later steps belong to it. */
void undo_begin_unit(struct undo *undo);

/*
 * Appends a copy of a step of the current unit, and sets .unit. If .others has the register, the
 * step restores the value from before that run, and with UNDO_IF_OURS that run's values also count
 * as ours: so both may end in any order. 0 or -ENOMEM.
 */
int undo_add(struct undo *undo, const struct undo_step *step, struct error *err);

/* Returns the step's value; bits that runs in progress restore are as before those runs. */
uint64_t undo_original(const struct undo *undo, const struct undo_step *step);

/* Tells if .others has the register of a step. */
bool undo_others_have(const struct undo *undo, const struct undo_step *step);

/*
 * Returns the bits of a register that the list restores; 0: none. place: the CPU, for an MSR that
 * CPUs of a socket or of an L3 cache share; ignored for other registers.
 */
uint64_t undo_mask(const struct undo *undo, const struct reg *reg,
		   const struct cpu_location *place);

/* Adds a value that the run may write to the register of a step, which is in the current unit. */
int undo_add_value(struct undo *undo, size_t step, uint64_t value, struct error *err);
/* Adds a value for the current unit's step on a register; does nothing if it has none. */
int undo_add_ours(struct undo *undo, const struct reg *reg, uint64_t value, struct error *err);

/* Returns the end of the steps of the unit that begins at first, an index below count. */
size_t undo_unit_end(const struct undo *undo, size_t first);

/* Appends all steps and values of another list. */
int undo_append(struct undo *undo, const struct undo *more, struct error *err);

/* Empties the list; .others stays. */
void undo_clear(struct undo *undo);
void undo_free(struct undo *undo);

/* Registers that were not restored, because another program has changed them. */
struct undo_left {
	size_t count;
	struct reg first;
	uint64_t value; /* its value now */
};

/*
 * Applies the steps of whole units: count, from first. All are tried; the first error is returned.
 * -ENXIO or -ENOENT: a CPU is offline, or a unit does not respond, so that its registers could not
 * be restored; an MSR that CPUs share is written through any of them. Adds to *left. A control that
 * holds a value of .others is left to that run, which will restore it; but its unit is not left
 * frozen, because that run would take this for the freeze of another program.
 */
int undo_apply(struct platform *p, const struct undo *undo, size_t first, size_t count,
	       const struct topology *topology, struct undo_left *left, struct error *err);

#endif
