/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers that lie in memory or configuration space, kept in mapped files.
 *
 * A load from a mapped file runs no code, so each register is copied to its files (dev/mem, a BAR,
 * a config file) every MIRROR_PERIOD_NS. A value in a file that differs from the last copy was
 * written by another program, and is passed to the simulator. It follows that
 *   - a value is as old as the time since the last copy: 1 ms and the time that a copy takes, more
 *     on a busy machine; mirror_staleness() measures it;
 *   - only the last of several writes to one register between two copies is seen;
 *   - a write of the value that the register already has is not seen. A unit's control is compared
 *     before and after its other registers, so that a reset always comes before the controls that
 *     were written after it;
 *   - counts since the last copy are not of an event that is written meanwhile: the unit was
 * frozen, and its counters were read, when the event was written.
 */
#ifndef CXLMON_TEST_MIRROR_H
#define CXLMON_TEST_MIRROR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/sim/state.h"

#define MIRROR_PERIOD_NS UINT64_C(1000000)

struct mirror;

/*
 * Maps all files below root, and fills them. Noticed writes go to log, if not NULL. trapped:
 * leaves out configuration space, whose files are served.
 */
struct mirror *mirror_new(const char *root, struct platform *p, FILE *log, bool trapped);
void mirror_free(struct mirror *mirror);

/* Passes writes to the simulator, and copies registers to the files. */
void mirror_update(struct mirror *mirror);

/*
 * Returns when the next update is due, in ns of the same clock as now; never, if nothing is
 * mirrored.
 */
uint64_t mirror_due(const struct mirror *mirror, uint64_t now);

/* Returns the longest time between two updates since the last call, in ns. */
uint64_t mirror_staleness(struct mirror *mirror);

/*
 * Writes a line to the access log: a register in memory or configuration space was written. log
 * may be NULL. It is not flushed.
 */
void log_write_of(FILE *log, struct platform *p, const struct reg *reg, uint64_t value);

#endif
