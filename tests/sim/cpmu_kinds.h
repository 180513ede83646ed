/* SPDX-License-Identifier: BSD-3-Clause */
/* CPMUs of memory devices, as register values: the kinds of cpmu_kind= besides the usual one. */
#ifndef CXLMON_TEST_SIM_CPMU_KINDS_H
#define CXLMON_TEST_SIM_CPMU_KINDS_H

#include "sim/sim_cpmu.h"

extern const char *const cpmu_kind_names[]; /* names by number; ends with NULL */

/* Returns the SIM_CPMU_BLOCKS CPMUs of a kind; NULL: none. */
const struct sim_cpmu_block *cpmu_kind_blocks(unsigned kind);

#endif
