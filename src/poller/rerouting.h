/* SPDX-License-Identifier: BSD-3-Clause */
/* Other CPUs for the MSRs of units, where the one that is used goes offline. */
#ifndef CXLMON_POLLER_REROUTING_H
#define CXLMON_POLLER_REROUTING_H

#include "poller/pmu_state.h"

/* Opens the MSR devices of the CPU that the unit uses, and of one that may replace it. */
void reroute_open_cpus(const struct plan *plan, const struct unit *unit);

/*
 * Accesses the MSRs of a unit, and of all others that are reached in the same way, through another
 * CPU, as the one used so far has gone offline. -ENXIO: no CPU that reaches them responds.
 */
int pmu_state_reroute(struct pmu_state *pmu, const struct unit *lost, struct error *err);

#endif
