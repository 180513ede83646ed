/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes counts of readings, one after the other: of a plain one they are what its registers hold
 * more than those of the reading before. It touches no register, and asks nobody: another thread
 * than the one that reads can do it.
 */
#ifndef CXLMON_DELTAS_H
#define CXLMON_DELTAS_H

#include "plan/plan.h"
#include "poller/sample.h"

struct deltas;

struct reading_size deltas_size(const struct plan *plan);

/*
 * The plan is not owned, must outlive it, and may be turned meanwhile. NULL: out of memory. The
 * first reading after poller_start() is not plain.
 */
struct deltas *deltas_new(const struct plan *plan);
void deltas_free(struct deltas *deltas); /* NULL does nothing */

/*
 * Fills in the counts of a reading. Every reading that was not postponed has to pass here once, in
 * the order in which they were taken.
 */
void deltas_count(struct deltas *deltas, struct reading *reading);

#endif
