/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A CPMU on which the kernel counts, as a struct unit: see uncore/cpmus_perf.h. Its registers are
 * only read.
 */
#ifndef CXLMON_CPMU_PERF_UNIT_H
#define CXLMON_CPMU_PERF_UNIT_H

#include "uncore/cpmu.h"

/*
 * A closed unit; *cpmu must stay where it is, and *pmu is borrowed. Opening it fails where the
 * registers can't be read: what the kernel would count is not known then.
 *
 * unit_controls_intact() says of a group that counts whether for each control there is an enabled
 * counter that holds it, without a filter: the kernel chooses the counters.
 */
struct unit cpmu_perf_unit(struct cpmu *cpmu, unsigned id, int socket, const struct perf_pmu *pmu);

#endif
