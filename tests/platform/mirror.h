/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers that lie in memory or configuration space, kept in mapped files.
 *
 * A load from a file runs no code, so each register is copied into its places (dev/mem, a BAR, a
 * config file) again and again, MIRROR_PERIOD_NS apart; a place that no longer holds what was put
 * there has been written to, and the simulator is told. So
 *   - a value is as old as the time since the last copy: 0.2 ms and the time that a copy takes,
 * below 20 ms even on a busy machine; mirror_staleness() measures it;
 *   - of several writes to one register between two copies only the last is seen;
 *   - a write of what the register already showed is not seen. A unit's control is looked at before
 *     and after its other registers, so that a reset is never taken for later than the controls
 *     that were written after it.
 */
#ifndef CXLMON_TEST_MIRROR_H
#define CXLMON_TEST_MIRROR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

#define MIRROR_PERIOD_NS UINT64_C(200000)

struct mirror;

/*
 * Maps every place below root, and fills it. Writes that are noticed go to log, if not NULL.
 * trapped: without configuration space, whose files are served.
 */
struct mirror *mirror_new(const char *root, struct platform *p, FILE *log, bool trapped);
void mirror_free(struct mirror *mirror);

/* Takes in what was written, and copies what is counted. */
void mirror_update(struct mirror *mirror);

/* The longest time between two updates since the last call, in ns. */
uint64_t mirror_staleness(struct mirror *mirror);

#endif
