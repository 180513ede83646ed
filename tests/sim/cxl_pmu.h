/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's driver cxl_pmu (key cxl_pmu=1): a PMU for each CPMU that it can count on, and its
 * writes to registers. It has two faults of the real driver:
 * - It takes every event as an event of the CPMU's first group.
 * - It adds the event's mask to the configuration that the counter already has.
 * From kernel CXL_PMU_FIXED on it has neither. No real version without them has been found.
 *
 * Source: the kernel's drivers/perf/cxl_pmu.c.
 */
#ifndef CXLMON_TEST_SIM_CXL_PMU_H
#define CXLMON_TEST_SIM_CXL_PMU_H

#include "sim/sim_perf.h"

#define CXL_PMU_FIXED SIM_KERNEL(7, 1) /* an imaginary kernel */

extern const struct sim_cxl_driver cxl_driver; /* for sim_extras.cxl_driver */

#endif
