/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a plan (plan/plan.h) to the registers, and restores them. The plan is constant; the state
 * that changes during a run is here: one struct for each of the plan's counters, units, freeze
 * domains and shared freeze registers. One thread calls these functions, except that each socket
 * may have a thread that rotates and reclaims its units.
 *
 * A freeze domain is the units that one write freezes. A unit with more events than counters
 * rotates: it counts rounds of events one after the other.
 *
 *   pmu_state_start ──> pmu_state_unfreeze_sockets
 *                   ──> (pmu_state_rotate) ──> pmu_state_restore
 */
#ifndef CXLMON_POLLER_PMU_STATE_H
#define CXLMON_POLLER_PMU_STATE_H

#include "plan/plan.h"
#include "platform/reg.h"
#include "platform/undo.h"

/* A range of consecutive reads: indices of counters' values in a frame. .end is not included. */
struct read_range {
	size_t first, end;
};

/* State of a counter while it counts one event of one round. */
struct counter_state {
	struct reg reg; /* the plan's register, with the CPU that is used now */
	struct reg_handle handle;
	uint64_t kept; /* the counter's value at the end of the last round that used it */
};

/* State of a unit. */
struct unit_state {
	size_t round;		       /* the programmed round, from 0 */
	bool control_unknown;	       /* a rotation failed half way: reprogram all controls */
	size_t first_step, step_count; /* range of steps in pmu.undo */
	bool touched;		       /* written to: these steps must be applied at the end */
	bool holds; /* programming or restoring it failed half way, and may have left it frozen */

	/* Fields that the poller uses. */
	struct read_range range; /* the reads of the round that counts */
	size_t activity;	 /* the read whose counter was last seen to change */
	/*
	 * Points to the element of poller.idle for the programmed round. True: no counter of the
	 * round changed lately, and its controls hold our values.
	 */
	bool *idle;
	bool core;	   /* it is a CPU's PMU, whose overflow status bits must be cleared */
	bool no_wrap;	   /* its counters must not wrap: see .restart */
	bool reclaim;	   /* another program has reset it, and unit_controls_free() is true */
	bool restart;	   /* with .no_wrap: its counters are to be set to 0, before one wraps */
	bool found_frozen; /* another program has frozen it, not through the domain's register */
	unsigned pending;  /* rotations that were due and not done, at most one for each round */
	int rotate_err;	   /* negative errno of its last rotation; 0: that succeeded */
	size_t first_control, control_count; /* range in poller.controls */
	size_t first_expected;		     /* index in poller.round_expected */
	bool freezes; /* the range is followed by one more: the register that freezes the unit */
};

/* State of a freeze domain. */
struct domain_state {
	bool freezes;		       /* it is frozen while its counters are read */
	bool has_free_running;	       /* a counter of it goes on while it is frozen: the TSC */
	bool holds;		       /* this run has frozen it, and has not unfrozen it since */
	struct freeze_control control; /* valid only if .freezes */
	struct reg_handle handle;      /* handle of the control's register */

	/* Fields that the poller uses; times are in ns of clock_ops.now. */
	struct read_range *ranges; /* points into poller.ranges */
	size_t range_count;
	unsigned rotation; /* rotations of its units: a sum of ROTATES_... in poller_private.h */
	bool failed;	   /* one of its units has an error */
	bool stuck;	   /* it could not be unfrozen, and has not counted since */
	/* another program had frozen it in this reading: it is left frozen */
	bool found_frozen;
	uint64_t frozen_at, unfrozen_at; /* begin and end of its last freeze */
	/* shortest times, of all readings, that stopping and starting its counters took */
	uint64_t usual_end_ns, usual_begin_ns;
	/* excess of the last stop, and of the last start, over these shortest times */
	uint64_t end_uncertain_ns, begin_uncertain_ns;
	uint64_t usual_frozen_ns; /* the shortest freeze of all readings */
};

/*
 * State of a register that freezes all units of a socket, or of a discovery table
 * (uncore/discovery/discovery.h).
 */
struct shared_freeze {
	struct reg reg;
	int socket; /* the socket whose units it stops */
	int die;    /* the die whose units it stops; -1: all dies */
	/* its table, whose units are frozen at power-on; NULL: it is a socket's register */
	struct discovery_table *table;
	struct mmio_window window; /* window of .reg, if it is mapped here */
	/* it is read to detect freezes by other programs; false: only a unit's clock shows them */
	bool watched;
	bool readable; /* .watched, and it could be read at the start */
	bool frozen;   /* another program had frozen it when it was read last */

	/* Fields of registers that this run writes. */
	uint64_t saved; /* its value before the run, once it was read */
	size_t step;	/* index of its step in pmu.undo, once it was read */
	bool touched;	/* written to: the step must be applied at the end */
};

struct pmu_state {
	const struct plan *plan;       /* not owned */
	struct platform *platform;     /* not owned */
	struct unit_state *units;      /* in the order of plan.units */
	struct domain_state *domains;  /* in the order of plan.domains */
	struct shared_freeze *freezes; /* the registers of plan.sockets come first */
	size_t freeze_count;
	struct counter_state *counters; /* in the order of plan.counters */
	bool global_freeze; /* each reading freezes a socket's uncore units by one write */

	struct undo undo; /* restores everything; complete before the first write */
	/*
	 * Saves the list to a journal on disk, before a register is written. Returns 0, or a
	 * negative errno: then nothing is written. NULL: there is no journal.
	 */
	int (*save_journal)(void *context, const struct undo *undo, struct error *err);
	void *journal_context;
};

/*
 * Prepares the state of a plan. The plan must outlive the state. Accesses no register, but maps the
 * shared freeze registers. Returns 0 or a negative errno; after an error, the state is freed.
 */
int pmu_state_init(struct pmu_state *out, const struct plan *plan, struct error *err);
/* Frees the state, and restores no register. All zero is allowed. */
void pmu_state_free(struct pmu_state *pmu);

/*
 * Opens MSR devices before rights are dropped. For each socket or L3 cache whose MSRs are used, two
 * CPUs' devices are opened: the MSRs are accessed through the first CPU, and the second one
 * replaces it if it goes offline. Devices for the PMUs of CPUs are not opened here. Accesses no
 * register; errors show at the first access. Returns true if the plan uses MSRs, even if only of
 * CPUs.
 */
bool pmu_state_open_devices(const struct plan *plan);

/*
 * Programs all units. Counters are then 0, except free-running ones. A domain with .freezes stays
 * frozen until its first reading; others count at once. Returns 0 or a negative errno, after it has
 * tried to restore everything. ERROR_IN_USE: a unit is in use and must not be taken over; nothing
 * was written.
 */
int pmu_state_start(struct pmu_state *pmu, struct error *err);

/*
 * Unfreezes each socket whose uncore clock does not run because another program has left the socket
 * frozen. Logs a warning. Call it each time after counters were programmed and unfrozen. Returns 0
 * or a negative errno. ERROR_IN_USE: the register cannot be written. Takes microseconds for a
 * socket whose clock runs, otherwise 11 ms.
 */
int pmu_state_unfreeze_sockets(struct pmu_state *pmu, struct error *err);

/*
 * Programs everything again after a suspension, which clears registers. The values to restore stay
 * those from before the run. Counters are as after pmu_state_start().
 */
int pmu_state_reprogram(struct pmu_state *pmu, struct error *err);

/*
 * Programs another round (next, from 0) of a unit (u), and no other unit of its domain. A domain
 * with .freezes must be frozen. Returns 0 if the unit's counters were set to 0, 1 if they keep
 * their values, or a negative errno.
 */
int pmu_state_rotate(struct pmu_state *pmu, size_t u, size_t next, struct error *err);

/*
 * Programs the current round of unit u again, and sets its counters to 0. Call it after another
 * program has reset the unit, or before a counter wraps. A domain with .freezes must be frozen.
 * Returns 0 or a negative errno.
 */
int pmu_state_reclaim(struct pmu_state *pmu, size_t u, struct error *err);

/*
 * Lets all units except CPUs count during readings: from now on, readings do not freeze them. All
 * domains must have been unfrozen since they were programmed.
 */
void pmu_state_stop_freezing(struct pmu_state *pmu);

/*
 * Restores every register that was written and still holds our value (platform/undo.h). All are
 * tried, and the first error is returned; another call retries only the units that failed.
 */
int pmu_state_restore(struct pmu_state *pmu, struct error *err);

#endif
