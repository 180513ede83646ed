/* SPDX-License-Identifier: BSD-3-Clause */
/* What plan.c, grouping.c and programming.c share. Private to the plan. */
#ifndef CXLMON_PLAN_PARTS_H
#define CXLMON_PLAN_PARTS_H

#include "plan/plan.h"

/* Puts everything that is wanted of a unit on its counters, in as few groups as it takes. */
int plan_group_unit(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		    size_t count, struct error *err);

/* Bit 0 of a unit's control and of the socket's freeze register */
#define PLAN_FREEZE UINT64_C(1)

#endif
