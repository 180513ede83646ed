/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Freezes of other programs: registers that stop counters of the plan, and are set though this run
 * has not set them. Such a register stays set, at the end of the run too.
 *
 * A unit is stopped by its own control, which struct domain_state or the unit itself names; by the
 * control of its discovery table, on a processor whose tables have one; and by the global control
 * of its socket, which the tables of every processor name. The last two are watched.
 */
#ifndef CXLMON_FOREIGN_FREEZE_H
#define CXLMON_FOREIGN_FREEZE_H

#include "plan/pmu_state.h"

/*
 * Whether a register stops counters, and goes on to do so for a millisecond: another run, or PCM,
 * freezes for less than that while it reads. False if it can't be read. *value is what it holds.
 */
bool foreign_freeze_stays(struct platform *p, const struct freeze_control *control,
			  uint64_t *value);

/* A control of many units. It is read only: see table_freeze.h and pmu_state_start(). */
struct freeze_watch {
	struct reg reg;
	struct mmio_window window; /* of reg, if it is mapped here */
	int socket;		   /* whose units it stops, */
	int die;		   /* of this die; -1: of all */
	bool of_socket;		   /* the register that pmu.global_freeze writes */
	bool readable;		   /* at the start */
	bool frozen;		   /* when it was read last */
};

/*
 * Finds the controls of the units that the plan counts. Where one unit's clock shows whether a
 * socket is frozen, and no MSR is needed otherwise, the socket has no watch.
 */
int freeze_watches_open(struct pmu_state *pr, struct error *err);
void freeze_watches_close(struct pmu_state *pr);

/* Reads all of them once, and warns of those that another program has left frozen. */
void freeze_watches_start(struct pmu_state *pr);

/* Reads all of them, but those that this run freezes itself. */
void freeze_watches_read(struct pmu_state *pr);

bool freeze_watch_covers(const struct freeze_watch *watch, const struct unit *unit);

/*
 * Before registers are restored: those that another program has frozen since they were programmed
 * will be restored as frozen, but not those of pmu.undo.others. Adds them to *left.
 */
void foreign_freeze_keep(struct pmu_state *pr, struct undo_left *left);

/*
 * Discovery tables whose global control freezes their units from power-on, for the units that are
 * counted: unfrozen for the run.
 */

/* Finds the tables of the plan's units, and opens their controls. */
int table_freeze_open(struct pmu_state *pr, struct error *err);

/*
 * Reads the controls, and records how to restore them. EXIT_IN_USE: another run has unfrozen a
 * table.
 */
int table_freeze_save(struct pmu_state *pr, struct error *err);

/* Unfreezes those that are frozen. */
int table_freeze_lift(struct pmu_state *pr, struct error *err);

/* Restores those that were unfrozen; adds to *left. The first failure is returned. */
int table_freeze_restore(struct pmu_state *pr, struct undo_left *left, struct error *err);

#endif
