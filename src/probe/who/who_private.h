/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a scan (watch.h). Private to this folder. */
#ifndef CXLMON_PROBE_WHO_WHO_PRIVATE_H
#define CXLMON_PROBE_WHO_WHO_PRIVATE_H

#include "base/number.h"
#include "platform/mbm.h"
#include "probe/who/watch.h"

/* scan.c: scans of all processes. */

/*
 * Time limit of a scan. Each process may take at most half of the remaining time. A scan exceeds
 * the limit only while the kernel walks a single mapping.
 */
#define WHO_SCAN_MOST_NS (10 * NS_PER_S)

/*
 * Frees watch->previous, moves watch->scan there, and scans into watch->scan. -EINTR: a signal
 * came. ERROR_PERMISSION: no process is visible, the kernel has no NUMA support, or no cgroup has
 * memory by node. ERROR_USAGE: a simulated machine has no processes. A scan by groups of resctrl
 * can also return the errors of who_mon_groups_add().
 */
int who_watch_scan(struct who_watch *watch, struct error *err);
/* Frees both scans. */
void who_watch_free(struct who_watch *watch);

/* rows.c: rows of processes, and of groups: cgroups, containers, VMs, users, groups of resctrl. */

/*
 * Adds a row without memory, valid until the next one is added. key and name are copied. There may
 * be rows of the same key until who_rows_compare() merges them. NULL: out of memory.
 */
struct process_row *who_rows_add(struct who_rows *rows, const struct who_nodes *nodes,
				 const char *key, const char *name);
void who_rows_free(struct who_rows *rows);

/* Sets the memory of a new row from the bytes on each node, by the node's number. */
void who_row_set_memory(struct process_row *row, const struct who_nodes *nodes,
			const uint64_t bytes[NUMA_NODES_MOST]);
/* Sets the bytes that a new row has mapped from each device of nodes->dax. */
void who_row_set_dax(struct process_row *row, const struct who_nodes *nodes,
		     const uint64_t *mapped);
/* Adds the memory and mapped bytes of another row. */
void who_row_add(struct process_row *row, const struct who_nodes *nodes,
		 const struct process_row *other);

/*
 * Adds, for each process of watch->scan, a row with its user as the key and its memory;
 * who_rows_compare() then merges the rows of a user. 0 or -ENOMEM.
 */
int who_rows_add_users(struct who_watch *watch);

/* Sorts rows by key, and so processes by pid. */
void who_rows_sort(struct who_rows *rows);
/* Finds a row by key or pid in rows sorted by key; NULL: there is none. */
const struct process_row *who_rows_find(const struct who_rows *rows, char *key);
const struct process_row *who_rows_find_process(const struct who_rows *rows, unsigned pid);

/* Sorts rows by bytes on the watched nodes, most first. */
void who_rows_sort_by_bytes(struct who_rows *rows);

/*
 * Sorts rows (watch->scan.processes or .groups) by key, merges rows of the same key, and sets their
 * changes since the previous scan. previous: its rows, sorted by key.
 *
 * Drops rows without memory on the watched nodes in both scans and without mapped devices. Keeps
 * all groups of resctrl, because they may read memory of others.
 */
void who_rows_compare(const struct who_watch *watch, struct who_rows *rows,
		      const struct who_rows *previous);

/* cgroups.c: cgroups with memory by node. */

#define CGROUPS_MOST 131072 /* most cgroups looked at in a scan */

/*
 * Adds groups to watch->scan, none of them below another. watch->by selects the lowest cgroups with
 * memory, or the outermost containers or VMs. Ends when the platform's clock reaches until (ns);
 * cgroups not reached then are counted in .late. -EINTR: a signal came. ERROR_PERMISSION: no cgroup
 * has memory by node.
 */
int who_cgroups_add(struct who_watch *watch, uint64_t until, struct error *err);

/* mon_groups.c: groups of resctrl, with their memory, counted reads, and bytes by region. */

/*
 * Adds each group of resctrl to watch->scan.groups, with the memory of its processes. Needs
 * watch->scan.processes sorted by key. Reads watch->regions, if set. ERROR_NO_UNIT: there is no
 * resctrl. ERROR_PERMISSION: it is not mounted.
 */
int who_mon_groups_add(struct who_watch *watch, struct error *err);

/*
 * Finds the event with which these groups already count reads of CXL memory; changes no setting.
 * *mbm belongs to the platform; err may be NULL. ERROR_NO_UNIT: no event counts these reads now, or
 * resctrl is missing. ERROR_PERMISSION: resctrl is not mounted.
 */
int who_mon_groups_reads(struct platform *p, const struct mbm **mbm, enum mbm_event *event,
			 struct error *err);

/* Tells if these groups count memory stall cycles. */
bool who_mon_groups_stalls(struct platform *p);

/*
 * Sets .region_MBps of the groups of watch->scan from the two latest readings of watch->regions,
 * taken in this scan and the previous one. Groups of both scans are sorted by key.
 */
void who_group_regions_compare(struct who_watch *watch);

/* cgroup_rmids.c: cgroups with exactly the tasks of one group of resctrl. */

/*
 * Takes a reading of watch->regions, sorts the cgroups of watch->scan by key, and sets .rmid of
 * those that have exactly the tasks of one group of resctrl. If resctrl was unmounted, no .rmid is
 * set, which is not an error.
 */
int who_group_regions_of_cgroups(struct who_watch *watch, struct error *err);

#endif
