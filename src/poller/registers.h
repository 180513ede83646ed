/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting with registers that are programmed, frozen, read and restored. */
#ifndef CXLMON_POLLER_REGISTERS_H
#define CXLMON_POLLER_REGISTERS_H

#include "poller/poller_private.h"

/* Sets the backend and allocates what it needs, which poller_free() frees. pmu is not owned. */
int poller_use_registers(struct poller *poller, struct pmu_state *pmu, struct error *err);

#endif
