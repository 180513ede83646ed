/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of discovery tables for which no unit exists. */
#ifndef CXLMON_TEST_SIM_TABLES_H
#define CXLMON_TEST_SIM_TABLES_H

#include "sim/sim_machine.h"

/*
 * Adds records to each discovery table. extra_chas: number of records of CHAs that do not exist,
 * for a table with a CHA. invalid: also one record of each invalid kind, for a table with a unit.
 */
void tables_add_records(struct sim *sim, unsigned extra_chas, bool invalid);

#endif
