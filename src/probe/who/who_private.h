/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a scan, for files of this folder. */
#ifndef CXLMON_PROBE_WHO_WHO_PRIVATE_H
#define CXLMON_PROBE_WHO_WHO_PRIVATE_H

#include "base/number.h"
#include "platform/mbm.h"
#include "probe/who/watch.h"

/* scan.c: scans of all processes. */

/*
 * No scan takes longer, nor any process more than half of what is left when its turn comes; but for
 * the one mapping that the kernel is walking then.
 */
#define WHO_SCAN_MOST_NS (10 * NS_PER_S)

/*
 * Takes the next scan, watch->scan; the one before is freed with the next. -EINTR: a signal came.
 * ERROR_PERMISSION: there is no process to see, or the kernel has no NUMA support, or no
 * cgroup has memory by node.
 */
int who_watch_scan(struct who_watch *watch, struct error *err);
void who_watch_free(struct who_watch *watch);

/* rows.c: rows of processes, and of groups: cgroups, containers, VMs, users, groups of resctrl. */

/*
 * Adds a row without memory; valid until the next is added. Those of the same key become one in
 * who_rows_compare(). NULL: no memory.
 */
struct who_row *who_rows_add(struct who_rows *rows, const struct who_nodes *nodes, const char *key,
			     const char *name);
void who_rows_free(struct who_rows *rows);

/* Sets its memory to these bytes of all nodes, and what it has mapped of each device. */
void who_row_set_memory(struct who_row *row, const struct who_nodes *nodes,
			const uint64_t bytes[NUMA_NODES_MOST]);
void who_row_set_dax(struct who_row *row, const struct who_nodes *nodes, const uint64_t *mapped);
/* Adds the memory of another row. */
void who_row_add(struct who_row *row, const struct who_nodes *nodes, const struct who_row *other);

/* Adds a group for each process of watch->scan: its user. -ENOMEM. */
int who_rows_add_users(struct who_watch *watch);

/* By key: processes ascending. Then a row may be found. NULL: there is none. */
void who_rows_sort(struct who_rows *rows);
const struct who_row *who_rows_find(const struct who_rows *rows, char *key);
const struct who_row *who_rows_find_process(const struct who_rows *rows, unsigned pid);

/* The most bytes on the watched nodes first. */
void who_rows_sort_by_bytes(struct who_rows *rows);

/*
 * Sorts rows of watch->scan by key, adds up those of the same key, compares them with those of the
 * last scan, which are sorted so, and drops those without memory on the watched nodes, now and
 * then, or of their devices; but not groups of resctrl, which may read that of others.
 */
void who_rows_compare(const struct who_watch *watch, struct who_rows *rows,
		      const struct who_rows *last);

#define CGROUPS_MOST 131072 /* cgroups to look at in a scan */

/*
 * cgroups.c: cgroups with memory by node, none below another: those with memory and none such below
 * them; or containers or VMs, the outermost.
 *
 * Adds a group to watch->scan for each of watch->by, until the platform's clock reaches until.
 * -EINTR: a signal came. ERROR_PERMISSION: no cgroup has memory by node.
 */
int who_cgroups_add(struct who_watch *watch, uint64_t until, struct error *err);

/* mon_groups.c: groups of resctrl: their memory, and reads and bytes by region that they count. */

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
bool who_mon_groups_stalls(struct platform *p);

/*
 * Sets .region_MBps of the groups of watch->scan, between the latest two readings of
 * watch->regions, which were taken with this scan and the last. Groups of both are sorted by key.
 */
void who_group_regions_compare(struct who_watch *watch);

/* cgroup_rmids.c: cgroups that have the tasks of one group of resctrl. */

/*
 * Of cgroups: sets .rmid of those of watch->scan whose tasks are those of one group of resctrl, and
 * takes a reading of watch->regions.
 */
int who_group_regions_of_cgroups(struct who_watch *watch, struct error *err);

#endif
