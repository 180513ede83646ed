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
 * Adds up those of the same key, compares them with watch->last, drops those without memory on the
 * watched nodes, now and then, and sorts them: the most bytes first.
 */
void who_groups_finish(struct who_watch *watch);

void who_groups_free(struct who_scan *scan);

#endif
