/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The undo list: steps that restore registers. A run makes the list before its first write, and
 * applies it at its end. If the run is killed, a copy in its journal on disk is used. Steps are
 * grouped by unit, a block of counters and their control registers.
 *
 * Another program may have taken a counter since. So a register is restored only if it is ours:
 *
 * - a control register, if it holds its value from before the run, or one that this run may have
 *   written
 * - a counter, if its control register is ours
 * - our bits of a register that programs share
 *
 * Other registers are left unchanged. Control registers among them are reported.
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
	UNDO_ALWAYS,	 /* no condition: the bits of .mask belong to this run */
	UNDO_IF_OURS,	 /* the bits of .mask hold .value, or a value of undo_add_value() */
	UNDO_IF_CONTROL, /* the register of the step .control was ours */
	UNDO_IF_UNIT,	 /* the registers of all UNDO_IF_OURS steps of the unit were ours */
};

struct undo_step {
	struct reg reg;
	uint64_t value; /* the value to write: from before the run, unless .action is true */
	/* the socket whose CPUs share an MSR; UNDO_THIS_CPU: an MSR of .reg.cpu only, or no MSR */
	int socket;
	bool l3_scoped; /* only the socket's CPUs with the L3 cache .l3 share the MSR */
	int l3;
	enum undo_condition condition;
	uint64_t mask;	/* bits to restore; UINT64_MAX: all, without reading the register */
	bool action;	/* .value causes an action, such as a stop; it is not from before the run */
	size_t control; /* UNDO_IF_CONTROL: index of the control register's step */
	size_t unit;	/* index of the first step of the same unit */
};

/* A value that the run may have written to the bits of a step's mask. */
struct undo_ours {
	size_t step; /* index of the step */
	uint64_t value;
};

struct undo {
	struct undo_step *steps; /* by unit; freed by undo_free() */
	size_t count;
	struct undo_ours *ours; /* by unit; freed by undo_free() */
	size_t ours_count;
	size_t unit; /* index of the current unit's first step */
	/* steps of other runs in progress on this machine; NULL: none. Not owned */
	const struct undo *others;
};

/* Begins a unit, to which later steps belong. */
void undo_begin_unit(struct undo *undo);

/*
 * Appends a copy of a step to the current unit, and sets the copy's .unit.
 *
 * If .others has the register, the runs may end in any order. The copy's .value is then
 * undo_original(), unless the step is an action. With UNDO_IF_OURS, values that other runs may have
 * written are added as ours.
 */
int undo_add(struct undo *undo, const struct undo_step *step, struct error *err);

/*
 * Returns the value that a step's register had before all runs: step->value, but with the bits that
 * .others restore as these restore them.
 */
uint64_t undo_original(const struct undo *undo, const struct undo_step *step);

/* Tells if .others has the register of a step. */
bool undo_others_have(const struct undo *undo, const struct undo_step *step);

/*
 * Returns the bits of a register that the list restores; 0: none. place is the location of
 * reg->cpu: its socket and L3 cache tell which steps for shared MSRs apply. It must not be NULL.
 */
uint64_t undo_mask(const struct undo *undo, const struct reg *reg,
		   const struct cpu_location *place);

/*
 * Adds a value that this run may write to the register of a step: a register that holds the value
 * is ours. step is an index in .steps. Values must be added in the order of units.
 */
int undo_add_value(struct undo *undo, size_t step, uint64_t value, struct error *err);
/*
 * Adds a value to the first UNDO_IF_OURS step of the current unit with the address of a register.
 * Does nothing if the unit has no such step.
 */
int undo_add_ours(struct undo *undo, const struct reg *reg, uint64_t value, struct error *err);

/* Returns the index after the last step of a unit. first is the index of its first step. */
size_t undo_unit_end(const struct undo *undo, size_t first);

/* Appends all steps and values of another list. */
int undo_append(struct undo *undo, const struct undo *more, struct error *err);

/* Empties the list, and keeps .others. */
void undo_clear(struct undo *undo);
/* Frees the list, and makes it all zero. */
void undo_free(struct undo *undo);

/* Control registers that were not restored, because another program has changed them. */
struct undo_left {
	size_t count;
	struct reg first; /* the first of these registers */
	uint64_t value;	  /* present value of .first */
	size_t steps;	  /* steps that were not applied, also for registers of other runs */
};

/*
 * Restores whole units: applies count steps, from the index first on. An MSR that CPUs share is
 * written through any of these CPUs that is online. Adds control registers that another program has
 * changed to *left.
 *
 * Tries all steps, and returns 0 or the first error. -ENXIO or -ENOENT: registers could not be
 * restored, because a CPU is offline or a unit does not respond.
 *
 * If a control register holds a value of .others, it is left to the other run, which will restore
 * it. If this holds for all control registers of a unit, undo_apply() unfreezes the unit, unless it
 * was frozen before this run.
 */
int undo_apply(struct platform *p, const struct undo *undo, size_t first, size_t count,
	       const struct topology *topology, struct undo_left *left, struct error *err);

#endif
