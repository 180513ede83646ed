/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers in memory or configuration space, kept in mapped files.
 *
 * A load from a mapped file runs no code, so each register is copied to its files (dev/mem, a BAR,
 * a config file) every MIRROR_PERIOD_NS. A value in a file that differs from the last copy was
 * written by another program, and is passed to the simulator. Consequences:
 *
 * - A value is as old as the last copy: 1 ms and the time that a copy takes, more on a busy
 *   machine. mirror_staleness() measures it.
 * - Of several writes to one register between two copies, only the last is seen.
 * - A write of the value that the register already has is not seen.
 * - A unit's control is compared before and after its other registers, so a reset always comes
 *   before the controls that were written after it.
 * - If another event is written, counts since the last copy do not belong to it: the unit was
 *   frozen, and its counters were read, when the event was written.
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
 * Maps all files below root, and fills them. Noticed writes go to log, unless it is NULL. trapped:
 * leaves out configuration space, whose files regfs serves (fusefs.h).
 */
struct mirror *mirror_new(const char *root, struct platform *p, FILE *log, bool trapped);
void mirror_free(struct mirror *mirror);

/* Passes writes to the simulator, and copies registers to the files. */
void mirror_update(struct mirror *mirror);

/* Returns the time of the next update, on the clock of now; UINT64_MAX: nothing is mirrored. */
uint64_t mirror_due(const struct mirror *mirror, uint64_t now);

/* Returns the longest time between two updates since the last call, in ns. */
uint64_t mirror_staleness(struct mirror *mirror);

/*
 * Writes a line to the access log, without a flush: a register in memory or configuration space was
 * written. log may be NULL.
 */
void log_write_of(FILE *log, struct platform *p, const struct reg *reg, uint64_t value);

#endif
