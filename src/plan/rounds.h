/* SPDX-License-Identifier: BSD-3-Clause */
/* Assigns events to the counters of one unit. */
#ifndef CXLMON_PLAN_ROUNDS_H
#define CXLMON_PLAN_ROUNDS_H

#include "plan/plan.h"

/*
 * allowed[i]: bit c is set if event i can be counted on counter c. Finds an assignment if there is
 * one, on low counters first, or (last_first) on high ones, and writes it to counter[i]. -ENOSPC:
 * there is none; *unassigned is an event without a counter (counter[] is then unspecified).
 */
int schedule_events(const uint32_t *allowed, size_t count, bool last_first, unsigned *counter,
		    size_t *unassigned);

/*
 * Assigns all requests of a unit to counters, in few rounds, greedily: the groups with most
 * events come first, then by number, and a round takes each further group that still fits. Counters
 * are not in the order of events, as one may be moved to make room for another.
 */
int plan_unit_rounds(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		     struct error *err);

#endif
