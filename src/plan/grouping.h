/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms the groups of a unit. */
#ifndef CXLMON_GROUPING_H
#define CXLMON_GROUPING_H

#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"

/* Assigns events to the counters of one unit. */

#define SCHEDULE_MAX_COUNTERS 32

/*
 * allowed[i]: bit c is set if event i can be counted on counter c. Finds an assignment if there is
 * one, and writes it to counter[i]. -ENOSPC: there is none; *unassigned is an event without a
 * counter (counter[] is then unspecified).
 */
int schedule_events(const uint32_t *allowed, size_t count, unsigned *counter, size_t *unassigned);

/* Assigns all requests of a unit to counters, in as few groups as it can. */
int plan_group_unit(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		    size_t count, struct error *err);

#endif
