/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a scan, for files of this folder. */
#ifndef CXLMON_PROBE_WHO_WHO_PRIVATE_H
#define CXLMON_PROBE_WHO_WHO_PRIVATE_H

#include "base/number.h"
#include "platform/mbm.h"
#include "probe/who/watch.h"

/* scan.c: scans of all processes. */

/*
 * Time limit of a scan. Each process may take half of the remaining time. Only the walk of a
 * single mapping in the kernel can exceed it.
 */
#define WHO_SCAN_MOST_NS (10 * NS_PER_S)

/*
 * Takes the next scan into watch->scan; the previous one is freed by the next. -EINTR: a signal
 * came. ERROR_PERMISSION: no process is visible, the kernel has no NUMA support, or no cgroup has
 * memory by node.
 */
int who_watch_scan(struct who_watch *watch, struct error *err);
void who_watch_free(struct who_watch *watch);

/* rows.c: rows of processes, and of groups: cgroups, containers, VMs, users, groups of resctrl. */

/*
 * Adds a row without memory, valid until the next one is added. who_rows_compare() merges rows of
 * the same key. NULL: no memory.
 */
struct who_row *who_rows_add(struct who_rows *rows, const struct who_nodes *nodes, const char *key,
			     const char *name);
void who_rows_free(struct who_rows *rows);

/* Set a row's memory from the bytes on all nodes, and the bytes mapped of each device. */
void who_row_set_memory(struct who_row *row, const struct who_nodes *nodes,
			const uint64_t bytes[NUMA_NODES_MOST]);
void who_row_set_dax(struct who_row *row, const struct who_nodes *nodes, const uint64_t *mapped);
/* Adds the memory of another row. */
void who_row_add(struct who_row *row, const struct who_nodes *nodes, const struct who_row *other);

/* Adds the user of each process of watch->scan as a group. -ENOMEM. */
int who_rows_add_users(struct who_watch *watch);

/* Sorts rows by key, processes by pid. The rows can then be found by key or pid; NULL: none. */
void who_rows_sort(struct who_rows *rows);
const struct who_row *who_rows_find(const struct who_rows *rows, char *key);
const struct who_row *who_rows_find_process(const struct who_rows *rows, unsigned pid);

/* Sorts rows by bytes on the watched nodes, most first. */
void who_rows_sort_by_bytes(struct who_rows *rows);

/*
 * Sorts rows of watch->scan by key, merges rows of the same key, and compares them with the last
 * scan's, which are sorted already. Drops rows without memory on the watched nodes in both scans
 * and without watched devices, except groups of resctrl, which may read memory of others.
 */
void who_rows_compare(const struct who_watch *watch, struct who_rows *rows,
		      const struct who_rows *last);

#define CGROUPS_MOST 131072 /* limit of cgroups walked in a scan */

/*
 * cgroups.c: cgroups with memory by node, none below another: the lowest cgroups with memory, or
 * the outermost containers or VMs.
 *
 * Adds a group to watch->scan for each of watch->by, until the platform's clock reaches until.
 * -EINTR: a signal came. ERROR_PERMISSION: no cgroup has memory by node.
 */
int who_cgroups_add(struct who_watch *watch, uint64_t until, struct error *err);

/* mon_groups.c: groups of resctrl: their memory, and reads and bytes by region that they count. */

/*
 * Adds each group of resctrl, with the memory of its processes in watch->scan, which is sorted by
 * key. ERROR_NO_UNIT, ERROR_PERMISSION: resctrl is missing, or it is not mounted.
 */
int who_mon_groups_add(struct who_watch *watch, struct error *err);

/*
 * Finds the event by which these groups count reads of CXL memory, without setting one. *mbm
 * belongs to the platform.
 */
int who_mon_groups_reads(struct platform *p, const struct mbm **mbm, enum mbm_event *event,
			 struct error *err);

/* Tells if these groups count memory stall cycles. */
bool who_mon_groups_stalls(struct platform *p);

/*
 * Sets .region_MBps of the groups of watch->scan from the last two readings of watch->regions,
 * taken with this scan and the last. Groups of both are sorted by key.
 */
void who_group_regions_compare(struct who_watch *watch);

/* cgroup_rmids.c: cgroups with exactly the tasks of one group of resctrl. */

/*
 * Sets .rmid of cgroups in watch->scan that have exactly the tasks of one group of resctrl, and
 * takes a reading of watch->regions.
 */
int who_group_regions_of_cgroups(struct who_watch *watch, struct error *err);

#endif
