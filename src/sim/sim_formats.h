/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The format files of a simulated machine's PMUs: where a field of an event goes. Those of units
 * are made from the layouts in src/uncore/models, except where the kernel has others.
 *
 * Source: the kernel's uncore_snbep.c and uncore_discovery.c, events/intel/core.c, events/msr.c,
 * and events/amd/core.c and uncore.c.
 */
#ifndef CXLMON_SIM_FORMATS_H
#define CXLMON_SIM_FORMATS_H

#include "sim/sim_pmus.h"
#include "uncore/model.h"

#define SIM_MAX_FORMATS 16

/* What src/uncore/models has about a type of unit; NULL: nothing. */
const struct box *sim_box(const struct sim *sim, unsigned type);

/* Returns how many there are. */
size_t sim_formats(const struct sim *sim, const struct sim_pmu *pmu,
		   struct perf_format out[SIM_MAX_FORMATS]);

#endif
