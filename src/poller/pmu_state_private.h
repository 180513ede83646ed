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
 * shared_freeze.c: registers that freeze many units by one write: the global control of a socket,
 * and, on a processor whose dies have discovery tables in memory, that of a table, which freezes
 * its units from power-on.
 *
 * This run writes them where it freezes by them, or to let units run that were left frozen, and
 * restores them. Another program may set them, too, as it may a unit's own control: then counters
 * of the plan stand still though this run has not frozen them. Such a freeze is reported, and stays
 * at the end of the run.
 */

/*
 * Finds the registers that stop units that the plan counts: first those of plan.sockets. Where one
 * unit's clock shows whether a socket is frozen, and no MSR is needed otherwise, it isn't watched.
 */
int shared_freezes_open(struct pmu_state *pmu, struct error *err);
void shared_freezes_close(struct pmu_state *pmu);

/*
 * Reads those that may be written, and records how to restore them; warns where a socket was left
 * frozen. ERROR_IN_USE: another run has unfrozen a table.
 */
int shared_freezes_save(struct pmu_state *pmu, struct error *err);

/* Freezes sockets that this run freezes by one write, and unfreezes what else is frozen. */
int shared_freezes_write(struct pmu_state *pmu, struct error *err);

/* Restores those that were written; adds to *left. The first failure is returned. */
int shared_freezes_restore(struct pmu_state *pmu, struct undo_left *left, struct error *err);

/* Reads those that are watched, and warns of those that another program has left frozen. */
void shared_freezes_start(struct pmu_state *pmu);
/* Reads them again, but those that this run freezes itself. Returns whether one is frozen. */
bool shared_freezes_read(struct pmu_state *pmu);

bool shared_freeze_covers(const struct shared_freeze *freeze, const struct unit *unit);

/*
 * Whether a register stops counters, and goes on to do so for a millisecond: another run, or PCM,
 * freezes for less than that while it reads. False if it can't be read. *value is what it holds.
 */
bool foreign_freeze_stays(struct platform *p, const struct freeze_control *control,
			  uint64_t *value);

/*
 * Before registers are restored: those that another program has frozen since they were programmed
 * will be restored as frozen, but not those of pmu.undo.others. Adds them to *left.
 */
void foreign_freeze_keep(struct pmu_state *pmu, struct undo_left *left);

#endif
