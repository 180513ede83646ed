/* SPDX-License-Identifier: BSD-3-Clause */
/* CPMUs of memory devices, as register values: kinds that cpmu_kind= selects by name. */
#ifndef CXLMON_TEST_SIM_CPMU_KINDS_H
#define CXLMON_TEST_SIM_CPMU_KINDS_H

#include "sim/sim_cpmu.h"

extern const char *const cpmu_kind_names[]; /* names by number of the kind; the last is NULL */

/* Returns the CPMUs of a device of this kind: SIM_CPMU_BLOCKS elements; NULL: no such kind. */
const struct sim_cpmu_block *cpmu_kind_blocks(unsigned kind);

#endif
