/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events of a unit are counted at the same time. */
#ifndef CXLMON_GROUPING_H
#define CXLMON_GROUPING_H

#include "plan/plan.h"

/* Puts everything that is wanted of a unit on its counters, in as few groups as it takes. */
int plan_group_unit(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		    size_t count, struct error *err);

#endif
