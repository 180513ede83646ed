/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of discovery tables without a unit. */
#ifndef CXLMON_TEST_SIM_TABLES_H
#define CXLMON_TEST_SIM_TABLES_H

#include "sim/sim_machine.h"

/*
 * Adds records to each discovery table: extra_chas records of CHAs that do not exist, if the table
 * has a CHA, and with invalid one record of each invalid kind, if it has a unit.
 */
void tables_add_records(struct sim *sim, unsigned extra_chas, bool invalid);

#endif
