/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of tasks of the kernel's resctrl, and their counts: memory traffic (mbm.h) and, on
 * Clearwater Forest from Linux 7.0 on, stalls (telemetry). Groups are only read, never changed.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (mon_PERF_PKG_NN).
 */
#ifndef CXLMON_PLATFORM_TASK_GROUPS_H
#define CXLMON_PLATFORM_TASK_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/mbm.h"

struct error;
struct platform;

/* Events that are counted by group, in all packages. */
enum group_event {
	GROUP_CYCLES,	      /* unhalted_core_cycles */
	GROUP_STALLED_CYCLES, /* stalls_llc_miss: cycles that wait for loads that missed the L3 */
	GROUP_EVENTS
};

struct group_counts {
	uint64_t at_ns;		     /* time of the reading: see clock_ops.now */
	double counts[GROUP_EVENTS]; /* NAN: unknown */
};

struct task_groups {
	/*
	 * Paths of groups: "/", the default group, comes first; "a", "mon_groups/b",
	 * "a/mon_groups/c". Tasks of a/mon_groups/c are also in a. Any bytes except newline.
	 */
	const char *const *names;
	size_t count;
};

/* A group of tasks at the time of the listing. */
struct listed_task_group {
	const char *path;      /* as in struct task_groups, except for the default group: "" */
	const unsigned *tasks; /* ids of threads */
	size_t task_count;
	/*
	 * The group has CPUs, or may have: it then also counts tasks of the default group that run
	 * on them. False for the default group.
	 */
	bool has_cpus;
	int rmid;		     /* id by which processors count the group; -1: unknown */
	double read_bytes;	     /* sum over all caches, by the chosen event; NAN: unknown */
	double counts[GROUP_EVENTS]; /* sums over all packages; NAN: unknown */
};

/* Receives a group, which is valid during the call. A value other than 0 ends the list. */
typedef int task_group_visitor(void *context, const struct listed_task_group *group);

/* Functions for groups of tasks. */
struct task_group_ops {
	/*
	 * Finds the present groups, and opens their counts (enum group_event), so that they can
	 * still be read after rights_drop(). *out is valid until the next call. ERROR_NO_UNIT: the
	 * processor does not count these events. ERROR_PERMISSION: resctrl is not mounted.
	 */
	int (*open)(struct platform *p, struct task_groups *out, struct error *err);
	/*
	 * Reads the counts of a group, by its index in the groups of .open. All are unknown if it
	 * has been removed, even if a new group has its name. wall_ns and threads are as in
	 * memory_ops.stats().
	 */
	void (*read)(struct platform *p, size_t group, uint64_t wall_ns, struct group_counts *out);
	/*
	 * Passes the groups to visit, the default group first. .read_bytes is the count of event in
	 * the caches of mbm; mbm is NULL: unknown. Returns 0, a value with which visit has ended
	 * the list, or a negative errno. ERROR_NO_UNIT: there is no resctrl; ERROR_PERMISSION: it
	 * is not mounted. NULL: tasks of groups are unknown, as on a simulated machine.
	 */
	int (*list)(struct platform *p, const struct mbm *mbm, enum mbm_event event,
		    task_group_visitor *visit, void *context, struct error *err);
	/*
	 * Tells if groups have several RMIDs, because an L3 cache has several NUMA nodes (Sub-NUMA
	 * Clustering), and tasks have one RMID on each node. NULL: as .list.
	 */
	bool (*have_node_rmids)(struct platform *p);
};

#endif
