/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds units that are listed and respond, but count nothing: their clocks stand still while those
 * of others of their type in their socket run. Done before a view is made for good, as such units
 * must have no share of what several units count in turn.
 */
#ifndef CXLMON_CLOCK_PROBE_H
#define CXLMON_CLOCK_PROBE_H

#include "metrics/view.h"
#include "poller/poller.h"

/*
 * Requests of the clock of each CHA that the view counts on, as many as *count; NULL: none, or,
 * with -ENOMEM in *rc, no memory. Freed by the caller.
 */
struct request *clock_probe_requests(const struct view *view, const struct model *model,
				     size_t *count, int *rc);

/*
 * The poller, of a plan of such requests, must have been started, and goes on. Sets unit.still, and
 * adds to *still how many there are. Takes some ns, or 61 ms where a clock stands still.
 */
int clock_probe_find(struct poller *poller, const struct plan *plan, size_t *still,
		     struct error *err);

#endif
