/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Discovery tables whose global control freezes their units from power-on, for the units that are
 * counted: unfrozen for the run.
 */
#ifndef CXLMON_TABLE_FREEZE_H
#define CXLMON_TABLE_FREEZE_H

#include "plan/programming.h"

/* Finds the tables of the plan's units, and opens their controls. */
int table_freeze_open(struct programming *pr, struct error *err);

/*
 * Reads the controls, and records how to restore them. EXIT_IN_USE: another run has unfrozen a
 * table.
 */
int table_freeze_save(struct programming *pr, struct error *err);

/* Unfreezes those that are frozen. */
int table_freeze_lift(struct programming *pr, struct error *err);

/* Restores those that were unfrozen; adds to *left. The first failure is returned. */
int table_freeze_restore(struct programming *pr, struct undo_left *left, struct error *err);

#endif
