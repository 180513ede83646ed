/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of resctrl: memory of the processes in each, and the reads that it has counted. */
#ifndef CXLMON_PROBE_WHO_MON_GROUPS_H
#define CXLMON_PROBE_WHO_MON_GROUPS_H

#include "platform/mbm.h"
#include "probe/who/watch.h"

/*
 * Adds each group of resctrl, with what processes of watch->scan, sorted by key, have that are in
 * it. ERROR_NO_UNIT, ERROR_PERMISSION: there is no resctrl, or it is not mounted.
 */
int who_mon_groups_add(struct who_watch *watch, struct error *err);

/*
 * Finds the event by which these groups count reads of CXL memory, if there is one: nothing is set.
 * *mbm is the platform's.
 */
int who_mon_groups_reads(struct platform *p, const struct mbm **mbm, enum mbm_event *event,
			 struct error *err);

/* Whether these groups count cycles in which they wait for memory. */
bool who_mon_groups_stalls(const char *root);

#endif
