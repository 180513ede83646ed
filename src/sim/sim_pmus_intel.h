/* SPDX-License-Identifier: BSD-3-Clause */
/* The PMUs of the intel_uncore driver: one for each id of a type of unit. */
#ifndef CXLMON_SIM_PMUS_INTEL_H
#define CXLMON_SIM_PMUS_INTEL_H

#include "sim/sim_pmus.h"

/* Adds them; there is room for one of each unit. */
void sim_pmus_intel(const struct sim *sim, struct sim_pmus *out);

/* Whether the driver of the kernel that the spec names finds the unit. */
bool sim_intel_driver_finds(const struct sim *sim, const struct sim_unit *unit);

/* Bit i: it lets counter i of the unit count the event. */
uint64_t sim_intel_driver_counters(const struct sim_pmu *pmu, const struct sim_unit *unit,
				   uint64_t config);

#endif
