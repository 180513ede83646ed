/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's driver cxl_pmu (cxl_pmu=1): a PMU for each CPMU that it can count on, and what it
 * writes to registers. As the real one it takes every event for one of the first group, and adds
 * its mask to what is in the configuration; from SIM_CXL_PMU_FIXED on it does not, though no such
 * version is known.
 *
 * Source: the kernel's drivers/perf/cxl_pmu.c.
 */
#ifndef CXLMON_SIM_CXL_PMU_H
#define CXLMON_SIM_CXL_PMU_H

#include "sim/sim_pmus.h"

#define SIM_CXL_PMU_FIXED SIM_KERNEL(7, 1)

/* Adds them; there is room for one of each CPMU. */
void sim_cxl_pmus(const struct sim *sim, struct sim_pmus *out);

/* Sets the events of a PMU that the driver names. 0 or -ENOMEM. */
int sim_cxl_aliases(const struct sim_cpmu *cpmu, struct perf_pmu *out);

/* Bit i: the driver lets counter i of the CPMU count the event. */
uint64_t sim_cxl_counters(const struct sim_cpmu *cpmu, uint64_t config);

/* All counters stand still while they are programmed. */
void sim_cxl_freeze(struct sim *sim, struct sim_cpmu *cpmu, bool on);

void sim_cxl_start(struct sim *sim, struct sim_cpmu *cpmu, unsigned counter, uint64_t config);
void sim_cxl_stop(struct sim *sim, struct sim_cpmu *cpmu, unsigned counter);
uint64_t sim_cxl_read(const struct sim *sim, const struct sim_cpmu *cpmu, unsigned counter);

#endif
