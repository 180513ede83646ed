/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The undo list: steps that restore the registers of each unit (a block of counters), collected
 * before the first write. A run applies it at its end; its journal keeps a copy on disk in case the
 * run is killed.
 *
 * Another program may have taken a counter since. So a register is restored only if it is still
 * ours: a control that holds a value that this run may have written; a counter whose control is
 * ours; our bits of a register that programs share. Other registers are left unchanged, and
 * reported.
 *
 * Functions that return int return 0 or -ENOMEM, except undo_apply().
 */
#ifndef CXLMON_PLATFORM_UNDO_H
#define CXLMON_PLATFORM_UNDO_H

#include <stddef.h>
#include <stdint.h>

#include "platform/cpus.h"
#include "platform/platform.h"
#include "platform/reg.h"

#define UNDO_THIS_CPU (-1) /* value of undo_step.socket */

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
	/* the socket whose CPUs share an MSR; UNDO_THIS_CPU: an MSR of .reg.cpu only, or no MSR */
	int socket;
	bool l3_scoped; /* only CPUs of the socket with the L3 cache .l3 share the MSR */
	int l3;
	enum undo_condition condition;
	uint64_t mask;	/* bits to restore; UINT64_MAX: all, without reading the register */
	bool action;	/* an action, such as a stop: .value is written, but is not from before */
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
	/* steps of other runs in progress on this machine, for undo_add(); not owned; or NULL */
	const struct undo *others;
};

/* Begins a unit: later steps belong to it. */
void undo_begin_unit(struct undo *undo);

/*
 * Appends a copy of a step to the current unit, and sets its .unit. If .others has the register,
 * the two runs may end in any order: the step restores the value from before the other run, and
 * with UNDO_IF_OURS the other run's values also count as ours.
 */
int undo_add(struct undo *undo, const struct undo_step *step, struct error *err);

/* Returns step->value, with the bits that .others restore as they were before those runs. */
uint64_t undo_original(const struct undo *undo, const struct undo_step *step);

/* Tells if .others has the register of a step. */
bool undo_others_have(const struct undo *undo, const struct undo_step *step);

/*
 * Returns the bits of a register that the list restores; 0: none. place is the location of
 * reg->cpu, needed for steps on MSRs that several CPUs share; it must not be NULL.
 */
uint64_t undo_mask(const struct undo *undo, const struct reg *reg,
		   const struct cpu_location *place);

/*
 * Adds a value that this run may write to the register of a step: it then counts as ours. step is
 * the step's index; values are added in the order of units.
 */
int undo_add_value(struct undo *undo, size_t step, uint64_t value, struct error *err);
/* Adds such a value to the current unit's UNDO_IF_OURS step of a register, if it has one. */
int undo_add_ours(struct undo *undo, const struct reg *reg, uint64_t value, struct error *err);

/* Returns the index after the last step of the unit whose first step is first, below .count. */
size_t undo_unit_end(const struct undo *undo, size_t first);

/* Appends all steps and values of another list. */
int undo_append(struct undo *undo, const struct undo *more, struct error *err);

/* Empties the list; .others stays. */
void undo_clear(struct undo *undo);
void undo_free(struct undo *undo);

/* Registers that were not restored, because another program has changed them. */
struct undo_left {
	size_t count;
	struct reg first; /* the first of them */
	uint64_t value;	  /* its value now */
};

/*
 * Restores whole units: applies count steps, from the index first on. An MSR that CPUs share is
 * written through any of them that is online. Adds registers that are not ours to *left.
 *
 * Tries all steps, and returns 0 or the first error. -ENXIO or -ENOENT: a CPU is offline, or a unit
 * does not respond, so that its registers could not be restored.
 *
 * A control that holds a value of .others is left to that run, which will restore it. A unit whose
 * controls are all left to such runs is unfrozen, unless it was frozen before this run: they would
 * take the freeze for another program's.
 */
int undo_apply(struct platform *p, const struct undo *undo, size_t first, size_t count,
	       const struct topology *topology, struct undo_left *left, struct error *err);

#endif
