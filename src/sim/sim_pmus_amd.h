/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PMUs of the amd_uncore driver: one for the data fabrics, one for the L3 caches, and one for
 * each memory controller.
 *
 * Source: the kernel's arch/x86/events/amd/uncore.c.
 */
#ifndef CXLMON_SIM_PMUS_AMD_H
#define CXLMON_SIM_PMUS_AMD_H

#include "sim/sim_pmus.h"

/* Adds them; there is room for one of each unit. */
void sim_pmus_amd(const struct sim *sim, struct sim_pmus *out);

/* Whether the driver of the kernel that the spec names finds the unit. */
bool sim_amd_driver_finds(const struct sim *sim, const struct sim_unit *unit);

/* What it writes to a control for an event, without the enable bit. */
uint64_t sim_amd_driver_control(const struct sim_pmu *pmu, uint64_t config);

#endif
