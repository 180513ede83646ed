/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a scan (watch.h). Private to this folder. */
#ifndef CXLMON_PROBE_WHO_WHO_PRIVATE_H
#define CXLMON_PROBE_WHO_WHO_PRIVATE_H

#include "base/number.h"
#include "platform/mbm.h"
#include "probe/who/watch.h"

/* scan.c: scans of all processes. */

/*
 * Time limit of a scan. Each process may take at most half of the remaining time. The limit takes
 * effect between two mappings.
 */
#define WHO_SCAN_MOST_NS (10 * NS_PER_S)

/*
 * Frees watch->previous, moves watch->scan there, and scans into watch->scan. Returns 0 or a
 * negative errno:
 * - an error of who_mon_groups_add(), if rows are resctrl groups
 * - -EINTR: a signal of watch->wake came
 * - ERROR_PERMISSION: no process is visible, the kernel has no NUMA support, or no cgroup has
 *   memory by node
 * - ERROR_USAGE: a simulated machine has no processes
 */
int who_watch_scan(struct who_watch *watch, struct error *err);
/* Frees both scans. */
void who_watch_free(struct who_watch *watch);

/* rows.c: rows of processes, and of groups: cgroups, containers, VMs, users, resctrl groups. */

/*
 * Adds a row without memory, valid until the next one is added. Copies key and name. Other rows may
 * have the same key, until who_rows_compare() merges them. NULL: out of memory.
 */
struct process_row *who_rows_add(struct who_rows *rows, const struct who_nodes *nodes,
				 const char *key, const char *name);
void who_rows_free(struct who_rows *rows);

/* Sets the memory of a new row. bytes: bytes on each node, by its number. */
void who_row_set_memory(struct process_row *row, const struct who_nodes *nodes,
			const uint64_t bytes[NUMA_NODES_MOST]);
/* Sets the bytes that a new row has mapped from each device of nodes->dax. */
void who_row_set_dax(struct process_row *row, const struct who_nodes *nodes,
		     const uint64_t *mapped);
/* Adds the memory and mapped bytes of another row to a row. */
void who_row_add(struct process_row *row, const struct who_nodes *nodes,
		 const struct process_row *other);

/*
 * Adds a row to watch->scan.groups for each scanned process, with its memory; its key is the user.
 * who_rows_compare() then merges the rows of a user. Returns 0 or -ENOMEM.
 */
int who_rows_add_users(struct who_watch *watch);

/* Sorts rows by key; rows of processes are then also sorted by pid. */
void who_rows_sort(struct who_rows *rows);
/* Find a row by key or pid, among rows sorted by key; NULL: no row has it. */
const struct process_row *who_rows_find(const struct who_rows *rows, char *key);
const struct process_row *who_rows_find_process(const struct who_rows *rows, unsigned pid);

/* Sorts rows by bytes on the watched nodes, most first. */
void who_rows_sort_by_bytes(struct who_rows *rows);

/*
 * Sorts rows by key, merges rows of the same key, and sets their changes since the previous scan.
 * rows: watch->scan.processes or .groups. previous: such rows of the previous scan, sorted by key.
 *
 * Drops rows that have no mapped devices, and had no memory on the watched nodes in either scan.
 * Keeps all resctrl groups, because they may read other processes' memory.
 */
void who_rows_compare(const struct who_watch *watch, struct who_rows *rows,
		      const struct who_rows *previous);

/* cgroups.c: cgroups with memory by node. */

#define CGROUPS_MOST 131072 /* most cgroups looked at in a scan */

/*
 * Adds cgroups to watch->scan.groups, none of them below another:
 * - if rows are cgroups: the lowest cgroups with memory by node
 * - if rows are containers or VMs: the outermost containers or VMs
 *
 * If the platform's clock reaches until (ns), ends early: .late is the number of cgroups that were
 * not reached. Returns 0 or a negative errno:
 * - -EINTR: a signal of watch->wake came
 * - ERROR_PERMISSION: no cgroup has memory by node
 */
int who_cgroups_add(struct who_watch *watch, uint64_t until, struct error *err);

/* mon_groups.c: resctrl groups, with their memory, counted reads, and bytes by region. */

/*
 * Adds each resctrl group to watch->scan.groups, with the memory of its processes.
 * watch->scan.processes must be sorted by key. If watch->regions is set, takes a reading of it.
 * Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: the kernel has no resctrl
 * - ERROR_PERMISSION: resctrl is not mounted
 */
int who_mon_groups_add(struct who_watch *watch, struct error *err);

/*
 * Finds the event by which resctrl groups count reads of CXL memory at present; changes no setting.
 * *mbm belongs to the platform. err may be NULL. Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: no event counts these reads at present, or the kernel has no resctrl
 * - ERROR_PERMISSION: resctrl is not mounted
 */
int who_mon_groups_reads(struct platform *p, const struct mbm **mbm, enum mbm_event *event,
			 struct error *err);

/* Tells if resctrl groups count memory stall cycles. */
bool who_mon_groups_stalls(struct platform *p);

/*
 * Sets .region_MBps of watch->scan.groups, from readings of watch->regions in this scan and in the
 * previous one. Groups of both scans must be sorted by key.
 */
void who_group_regions_compare(struct who_watch *watch);

/* cgroup_rmids.c: cgroups with exactly the tasks of one resctrl group. */

/*
 * Takes a reading of watch->regions, and sorts the cgroups in watch->scan.groups by key. Sets .rmid
 * of each cgroup that has exactly the tasks of one resctrl group. If resctrl was unmounted, sets no
 * .rmid. Returns 0 or a negative errno.
 */
int who_group_regions_of_cgroups(struct who_watch *watch, struct error *err);

#endif
