/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of discovery tables without a unit. */
#ifndef CXLMON_TEST_SIM_TABLES_H
#define CXLMON_TEST_SIM_TABLES_H

#include "sim/sim_machine.h"

/*
 * Adds to each discovery table so many records of CHAs that do not exist, if it has any CHA, and
 * with invalid a record of each invalid kind, if it has any unit.
 */
void tables_add_records(struct sim *sim, unsigned extra_chas, bool invalid);

#endif
