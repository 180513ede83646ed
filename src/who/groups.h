/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of a scan: cgroups, containers, VMs, users. */
#ifndef CXLMON_WHO_GROUPS_H
#define CXLMON_WHO_GROUPS_H

#include "who/scan.h"

/*
 * Adds a group to watch->scan, without memory: *out, until the next is added. Those of the same key
 * become one in who_groups_finish(). -ENOMEM.
 */
int who_groups_add(struct who_watch *watch, const char *key, const char *name,
		   struct who_group **out);

/* Adds a group for each process of watch->scan: its user. -ENOMEM. */
int who_groups_add_users(struct who_watch *watch);

/*
 * Adds each group of resctrl, with what processes of watch->scan have that are in it. EXIT_NO_UNIT,
 * EXIT_PERMISSION: there is no resctrl, or it is not mounted.
 */
int who_mon_groups_add(struct who_watch *watch, struct error *err);

/*
 * Finds the event by which these groups count reads of CXL memory, if there is one: nothing is set.
 * *mbm is the platform's.
 */
int who_mon_groups_reads(struct platform *p, const struct mbm **mbm, enum mbm_event *event,
			 struct error *err);

/*
 * Adds up those of the same key, compares them with watch->last, drops those without memory on the
 * watched nodes, now and then, but for groups of resctrl, and sorts them: the most bytes first.
 */
void who_groups_finish(struct who_watch *watch);

void who_groups_free(struct who_scan *scan);

#endif
