/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that write and restore parts of a struct pmu_state, for the poller and each other. They
 * return 0 or a negative errno, unless they say otherwise.
 */
#ifndef CXLMON_POLLER_PMU_STATE_PRIVATE_H
#define CXLMON_POLLER_PMU_STATE_PRIVATE_H

#include "poller/pmu_state.h"

/* rerouting.c: other CPUs for the MSRs of units, if the one that is used goes offline. */

/* Opens the MSR devices of the CPU that the unit uses, and of one that may replace it. */
void reroute_open_cpus(const struct plan *plan, const struct unit *unit);

/*
 * Finds another CPU through which the MSRs of a unit respond, after the present one has gone
 * offline. Sets the CPU in all registers that are reached in the same way, and logs a warning. The
 * caller must then prepare registers again. -ENXIO: no CPU that reaches these MSRs responds.
 */
int pmu_state_reroute(struct pmu_state *pmu, const struct unit *lost, struct error *err);

/*
 * shared_freeze.c: registers that freeze many units by one write. Each socket has such a register,
 * its global control. On processors whose dies have discovery tables in memory, each table also has
 * one, which freezes the die's units from power-on.
 *
 * This run writes such a register to freeze its units in each reading, or to let units run that
 * were left frozen; at the end it restores the register. Another program may also freeze units, by
 * such a register or a unit's own control: the plan's counters then stop. Such a freeze is
 * reported, and is still there after the run.
 */

/*
 * Finds the registers that freeze units of the plan: first those of plan.sockets. A socket's
 * register is not watched if a unit's clock shows whether the socket is frozen.
 */
int shared_freezes_open(struct pmu_state *pmu, struct error *err);
void shared_freezes_close(struct pmu_state *pmu);

/*
 * Reads the registers that may be written, and records how to restore them; warns if a socket was
 * left frozen. ERROR_IN_USE: another cxlmon has unfrozen a table, and will freeze it when it ends.
 */
int shared_freezes_save(struct pmu_state *pmu, struct error *err);

/*
 * If this run freezes sockets by one write, freezes them until the first reading. Other registers
 * that freeze units now are changed so that they do not.
 */
int shared_freezes_write(struct pmu_state *pmu, struct error *err);

/* Restores the registers that were written; adds to *left. Tries all; returns the first error. */
int shared_freezes_restore(struct pmu_state *pmu, struct undo_left *left, struct error *err);

/* Reads the watched registers, and warns of freezes that another program has left. */
void shared_freezes_start(struct pmu_state *pmu);
/*
 * Reads the watched registers again, except those that this run freezes itself. Returns true if one
 * is frozen.
 */
bool shared_freezes_read(struct pmu_state *pmu);

/* Returns true if the register freezes this unit. */
bool shared_freeze_covers(const struct shared_freeze *freeze, const struct unit *unit);

/*
 * Reads a register repeatedly for a millisecond. Returns true if the register stops counters all
 * that time: another run or Intel's PCM, which freeze to read, take less time. If the register does
 * not stop counters or cannot be read, returns false at once. *value is the last value read.
 */
bool foreign_freeze_stays(struct platform *p, const struct freeze_control *control,
			  uint64_t *value);

/*
 * Makes the undo list keep freezes of other programs. If another program has frozen by a register
 * since this run programmed it, the register will be restored as frozen, and is added to *left.
 * Registers in pmu.undo.others are left out, because another cxlmon restores them. Call this before
 * registers are restored.
 */
void foreign_freeze_keep(struct pmu_state *pmu, struct undo_left *left);

#endif
