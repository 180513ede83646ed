/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The undo list: what restores the registers of each unit, collected before the first write. A run
 * applies it at its end; its journal keeps a copy on disk in case the run is killed.
 *
 * Another program may have taken a counter since. So a register is restored only where it still is
 * ours: a control that holds a value that this run may have written; a counter whose control is
 * ours; of a register that programs share, our bits. The rest is left alone, and reported.
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
	uint64_t value; /* before the run */
	/* for an MSR shared by all CPUs of a socket, that socket; else UNDO_THIS_CPU */
	int socket;
	bool l3_scoped; /* it is shared only by those of the socket's CPUs that share this L3 cache
			 */
	int l3;
	enum undo_condition condition;
	uint64_t mask; /* the bits that are restored; if all, it is written without a read before */
	bool action;   /* such as a stop: its value is not from before the run */
	size_t control; /* index of the step that decides: UNDO_IF_CONTROL */
	size_t unit;	/* index of the first step of this unit, or of this CPU */
};

/* A value that the run may have written to the register of a step, in the bits of its mask. */
struct undo_ours {
	size_t step;
	uint64_t value;
};

struct undo {
	struct undo_step *steps; /* by unit; freed by undo_free() */
	size_t count;
	struct undo_ours *ours; /* by unit; freed by undo_free() */
	size_t ours_count;
	size_t unit; /* where the current unit begins */
	/* restored by other runs on this machine, see undo_add(); not owned; may be NULL */
	const struct undo *others;
};

/* Steps added from here on are of the next unit. */
void undo_begin_unit(struct undo *undo);

/*
 * Appends a copy of a step of the current unit (.unit is set). Where .others has the register, the
 * step restores what it held before that run, and of UNDO_IF_OURS that run's values count as ours:
 * so both may end in any order. 0 or -ENOMEM.
 */
int undo_add(struct undo *undo, const struct undo_step *step, struct error *err);

/* The step's value, with the bits that runs in progress restore as they were before those runs. */
uint64_t undo_original(const struct undo *undo, const struct undo_step *step);

/* Whether .others has the register of a step. */
bool undo_others_have(const struct undo *undo, const struct undo_step *step);

/*
 * The bits of a register that the list restores; 0: none. place: of an MSR that CPUs of a socket or
 * of an L3 cache share, where it is; ignored for other registers.
 */
uint64_t undo_mask(const struct undo *undo, const struct reg *reg,
		   const struct cpu_location *place);

/* Adds a value that the run may write to the register of that step, which is of the current unit.
 */
int undo_add_value(struct undo *undo, size_t step, uint64_t value, struct error *err);
/* The same for the current unit's step on that register; ignored if there is none. */
int undo_add_ours(struct undo *undo, const struct reg *reg, uint64_t value, struct error *err);

/* Where the steps of a unit end that begin at first, an index below count. */
size_t undo_unit_end(const struct undo *undo, size_t first);

/* Appends all steps and values of another list. */
int undo_append(struct undo *undo, const struct undo *more, struct error *err);

/* Empties the list; .others stays. */
void undo_clear(struct undo *undo);
void undo_free(struct undo *undo);

/* Registers that were not restored, since another program has changed them. */
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
 * frozen, as that run would take this for the freeze of another program.
 */
int undo_apply(struct platform *p, const struct undo *undo, size_t first, size_t count,
	       const struct topology *topology, struct undo_left *left, struct error *err);

#endif
