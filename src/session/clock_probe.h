/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds units that are listed and respond, but count nothing: their clocks stand still while those
 * of others of their type in their socket run. Done before a view is made for good, as such units
 * must have no share of what several units count in turn.
 */
#ifndef CXLMON_SESSION_CLOCK_PROBE_H
#define CXLMON_SESSION_CLOCK_PROBE_H

#include "plan/plan.h"
#include "poller/poller.h"

/*
 * Which units of a plan are to be looked at: CHAs of a processor that may not have all that are
 * listed; and those that the kernel counts, whose driver may have failed to initialise them, if no
 * counter is left that shows their clock in the run. Requests of the clock of each, as many as
 * *count; NULL: out of memory. Freed by the caller.
 */
struct request *clock_probe_requests(const struct plan *plan, size_t *count);

/*
 * The poller, of a plan of such requests, must have been started, and goes on. Sets unit.still, and
 * adds to *still how many there are. Takes some ns, or 61 ms where a clock stands still.
 */
int clock_probe_find(struct poller *poller, const struct plan *plan, size_t *still,
		     struct error *err);

#endif
