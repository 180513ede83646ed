/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms the groups of a unit. */
#ifndef CXLMON_GROUPING_H
#define CXLMON_GROUPING_H

#include "plan/plan.h"

/* Assigns all requests of a unit to counters, in as few groups as it can. */
int plan_group_unit(struct plan *plan, struct plan_unit *pu, const struct request *requests,
		    size_t count, struct error *err);

#endif
