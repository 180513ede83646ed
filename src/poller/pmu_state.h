/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a plan to the registers, and restores them. The plan is constant; the state that the
 * sampling thread changes during a run is here, one struct for each of its counters, units, freeze
 * domains and shared freeze registers.
 *
 *   pmu_state_start ──> pmu_state_unfreeze_sockets
 *                   ──> (pmu_state_rotate) ──> pmu_state_restore
 */
#ifndef CXLMON_POLLER_PMU_STATE_H
#define CXLMON_POLLER_PMU_STATE_H

#include "plan/plan.h"
#include "platform/reg.h"
#include "platform/undo.h"

/* Consecutive reads: first up to, but not including, end. */
struct read_range {
	size_t first, end;
};

/* State of an event on a counter. */
struct counter_state {
	struct reg reg; /* the plan's register, with the CPU that is used now */
	struct reg_handle handle;
	uint64_t kept; /* the counter's value when that last counted, for any event */
};

/* State of a unit. */
struct unit_state {
	size_t round;		       /* the programmed round, from 0 */
	bool control_unknown;	       /* a rotation failed half way: reprogram all controls */
	size_t first_step, step_count; /* range of steps in pmu.undo */
	bool touched;		       /* written to: these steps must be replayed */
	bool holds; /* frozen by its own control: programming or restoring it has failed half way */

	/* Fields that the poller uses. */
	struct read_range range; /* the reads of the round that counts */
	size_t activity;	 /* the read whose counter was last seen to change */
	/* set if no counter of the round changed, and its controls are ours */
	bool *idle;
	bool core;	   /* a CPU, whose overflow status bits must be cleared */
	bool no_wrap;	   /* its counters must not wrap */
	bool reclaim;	   /* another program has reset it, and its controls are free */
	bool restart;	   /* its counters are to be set to 0, before one wraps */
	bool found_frozen; /* frozen by another program, by a control that is not the domain's */
	unsigned pending;  /* rotations that were due and not done, at most one for each round */
	int rotate_err;	   /* negative errno: the last rotation failed, its controls are unknown */
	size_t first_control, control_count; /* range in poller.controls */
	size_t first_expected;		     /* index in poller.round_expected */
	bool freezes; /* the register that freezes it follows in poller.controls */
};

/* State of a freeze domain. */
struct domain_state {
	bool freezes;
	bool has_free_running;	       /* a counter of it goes on while it is frozen: the TSC */
	bool holds;		       /* this run has frozen it, and has not unfrozen it since */
	struct freeze_control control; /* valid only if the domain freezes */
	struct reg_handle handle;      /* handle of the control's register */

	/* Fields that the poller uses. */
	struct read_range *ranges; /* range in poller.ranges */
	size_t range_count;
	unsigned rotation; /* the rotations of its units: ROTATES_... */
	bool failed;	   /* one of its units has an error */
	bool stuck;	   /* it could not be unfrozen, and has not counted since */
	/* another program had frozen it in this reading: it is left frozen */
	bool found_frozen;
	uint64_t frozen_at, unfrozen_at; /* ns: begin and end of its last freeze */
	/* ns: the shortest times from a clock read before counting ends or begins to one after */
	uint64_t usual_end_ns, usual_begin_ns;
	/* ns by which the last access took longer than the shortest */
	uint64_t end_uncertain_ns, begin_uncertain_ns;
	uint64_t usual_frozen_ns; /* ns: the shortest freeze */
};

/* State of a register that freezes many units: shared_freeze.c. */
struct shared_freeze {
	struct reg reg;
	int socket; /* the socket whose units it stops */
	int die;    /* the die whose units it stops; -1: all dies */
	/* the table whose control it is, frozen from power-on; NULL: none */
	struct discovery_table *table;
	struct mmio_window window; /* window of reg, if it is mapped here */
	/* it is read for freezes by other programs; false: a unit's clock may show them */
	bool watched;
	bool readable; /* the register could be read at the start */
	bool frozen;   /* when it was read last */

	/* Fields of registers that this run writes. */
	uint64_t saved; /* its value before the run, once it was read */
	size_t step;	/* the step's index in pmu.undo, once it was read */
	bool touched;	/* the step must be replayed */
};

struct pmu_state {
	const struct plan *plan;
	struct platform *platform;
	struct unit_state *units;
	struct domain_state *domains;
	struct shared_freeze *freezes; /* the registers of plan.sockets come first */
	size_t freeze_count;
	struct counter_state *counters;
	bool global_freeze; /* a socket is frozen by one write */

	struct undo undo; /* restores everything; complete before the first write */
	/* Saves undo to a journal on disk before a register is written; may be NULL. */
	int (*save_journal)(void *context, const struct undo *undo, struct error *err);
	void *journal_context;
};

/*
 * Prepares the state of a plan, which is not owned and must outlive it. Freed by pmu_state_free().
 * Accesses no register, but maps the registers that freeze tables of counted units.
 */
int pmu_state_init(struct pmu_state *out, const struct plan *plan, struct error *err);
void pmu_state_free(struct pmu_state *pmu);

/*
 * Opens the MSR devices that are needed after rights were dropped. For each socket or L3 cache
 * whose MSRs are used, these are the devices of the CPU through which they are accessed, and of
 * one that replaces it if it goes offline. Accesses no register. Returns true if any MSR is used.
 */
bool pmu_state_open_devices(const struct plan *plan);

/*
 * Checks every unit first: if one is in use and must not be taken over (ERROR_IN_USE), nothing is
 * written. Then programs all of them; counters are 0, and frozen until their domain is unfrozen. On
 * failure everything is restored.
 */
int pmu_state_start(struct pmu_state *pmu, struct error *err);

/*
 * Unfreezes each socket that another program has left frozen, with a warning; ERROR_IN_USE if that
 * fails. Called once after the counters were started. Takes microseconds if the uncore clock runs,
 * and 11 ms if it does not.
 */
int pmu_state_unfreeze_sockets(struct pmu_state *pmu, struct error *err);

/* Programs everything again after a suspension, which clears registers; saves nothing. */
int pmu_state_reprogram(struct pmu_state *pmu, struct error *err);

/*
 * Programs round next of unit u, from 0; its domain must be frozen, if it freezes at all. Other
 * units of the domain are not touched. Returns 0 if the counters were set to 0. Returns 1 if only
 * the controls that differ were written, which suffices for a frozen unit: its counters keep their
 * values.
 */
int pmu_state_rotate(struct pmu_state *pmu, size_t u, size_t next, struct error *err);

/*
 * Programs the current round of unit u again, after another program has reset the unit. Its
 * counters are 0; the rest is as for pmu_state_rotate().
 */
int pmu_state_reclaim(struct pmu_state *pmu, size_t u, struct error *err);

/*
 * Switches to reading the uncore while it counts. All domains must have been unfrozen since they
 * were programmed.
 */
void pmu_state_stop_freezing(struct pmu_state *pmu);

/*
 * Restores every register. The first failure is returned; another call retries only the registers
 * that failed.
 */
int pmu_state_restore(struct pmu_state *pmu, struct error *err);

#endif
