/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that write and restore parts of a struct pmu_state, for the poller and each other. */
#ifndef CXLMON_POLLER_PMU_STATE_PRIVATE_H
#define CXLMON_POLLER_PMU_STATE_PRIVATE_H

#include "poller/pmu_state.h"

/* rerouting.c: other CPUs for the MSRs of units, if the one that is used goes offline. */

/* Opens the MSR devices of the CPU that the unit uses, and of one that may replace it. */
void reroute_open_cpus(const struct plan *plan, const struct unit *unit);

/*
 * Accesses the MSRs of a unit, and of all others that are reached in the same way, through another
 * CPU, as the one used so far has gone offline. -ENXIO: no CPU that reaches them responds.
 */
int pmu_state_reroute(struct pmu_state *pmu, const struct unit *lost, struct error *err);

/*
 * shared_freeze.c: registers that freeze many units by one write. These are the global control of
 * a socket and, on a processor whose dies have discovery tables in memory, the control of a table,
 * which freezes its units from power-on.
 *
 * This run writes them if it freezes by them, or to let units run that were left frozen, and
 * restores them. Another program may also set them, as it may set a unit's own control: counters
 * of the plan then stop though this run has not frozen them. Such a freeze is reported, and stays
 * at the end of the run.
 */

/*
 * Finds the registers that stop units that the plan counts: first those in plan.sockets. A
 * socket's register is not watched if a unit's clock shows whether the socket is frozen.
 */
int shared_freezes_open(struct pmu_state *pmu, struct error *err);
void shared_freezes_close(struct pmu_state *pmu);

/*
 * Reads the registers that may be written, and records how to restore them; warns if a socket was
 * left frozen. ERROR_IN_USE: another run has unfrozen a table.
 */
int shared_freezes_save(struct pmu_state *pmu, struct error *err);

/*
 * Freezes sockets that this run freezes by one write, and unfreezes everything else that is
 * frozen.
 */
int shared_freezes_write(struct pmu_state *pmu, struct error *err);

/* Restores the registers that were written; adds to *left. The first failure is returned. */
int shared_freezes_restore(struct pmu_state *pmu, struct undo_left *left, struct error *err);

/* Reads the watched registers, and warns of freezes that another program has left. */
void shared_freezes_start(struct pmu_state *pmu);
/*
 * Reads the registers again, except those that this run freezes itself. Returns true if one is
 * frozen.
 */
bool shared_freezes_read(struct pmu_state *pmu);

bool shared_freeze_covers(const struct shared_freeze *freeze, const struct unit *unit);

/*
 * Returns true if a register stops counters for at least a millisecond: another run, or PCM,
 * freezes for less time while it reads. Returns false if it cannot be read. *value is its content.
 */
bool foreign_freeze_stays(struct platform *p, const struct freeze_control *control,
			  uint64_t *value);

/*
 * Keeps freezes of other programs: registers that they have frozen since they were programmed will
 * be restored as frozen, except those in pmu.undo.others. Adds them to *left. Called before
 * registers are restored.
 */
void foreign_freeze_keep(struct pmu_state *pmu, struct undo_left *left);

#endif
