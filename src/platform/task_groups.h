/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of tasks, as the kernel's resctrl has them, and what processors count of each: traffic
 * (mbm.h) and, from Linux 7.0 on, on Clearwater Forest, stalls (telemetry). Nothing is set.
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

/* What is counted of a group, in all packages. */
enum group_event {
	GROUP_CYCLES,	      /* unhalted_core_cycles */
	GROUP_STALLED_CYCLES, /* stalls_llc_miss: in which loads that missed the L3 are waited for
			       */
	GROUP_EVENTS
};

struct group_counts {
	uint64_t at_ns;		     /* when they were read: see clock_ops.now */
	double counts[GROUP_EVENTS]; /* NAN: not known */
};

struct task_groups {
	/* by their paths: "/", the default group, comes first; "a", "mon_groups/b",
	 * "a/mon_groups/c". What a/mon_groups/c has is in a, too. Any bytes, but no newline */
	const char *const *names;
	size_t count;
};

/* A group of tasks at the time of the list. */
struct listed_task_group {
	const char *path;      /* as in struct task_groups, except for the default group: "" */
	const unsigned *tasks; /* ids of threads */
	size_t task_count;
	/* whether it has CPUs, or may: it counts tasks of the default group that run on these.
	 * False for that one */
	bool has_cpus;
	int rmid;		     /* id by which processors count the group; -1: unknown */
	double read_bytes;	     /* sum of all caches, by the chosen event; NAN: unknown */
	double counts[GROUP_EVENTS]; /* sums of all packages; NAN: unknown */
};

/* *group is valid during the call. Not 0 ends the list. */
typedef int task_group_visitor(void *context, const struct listed_task_group *group);

/*
 * open finds the groups that exist now, and opens their counts, so that they can still be read
 * after rights_drop(); *out is valid until the next call. ERROR_NO_UNIT: nothing is counted of
 * groups, ERROR_PERMISSION: resctrl is not mounted. read reads those of a group, by its index: all
 * are unknown where it has been removed, even if there is a new one of its name. Threads: as
 * memory_ops.stats().
 */
struct task_group_ops {
	int (*open)(struct platform *p, struct task_groups *out, struct error *err);
	void (*read)(struct platform *p, size_t group, uint64_t wall_ns, struct group_counts *out);
	/*
	 * Lists the groups, the default group first, with bytes of an event of mbm (NULL: without).
	 * Returns the visitor's value. ERROR_NO_UNIT: there is no resctrl; ERROR_PERMISSION: it is
	 * not mounted. NULL: tasks of groups are unknown, as on a simulated machine.
	 */
	int (*list)(struct platform *p, const struct mbm *mbm, enum mbm_event event,
		    task_group_visitor *visit, void *context, struct error *err);
	/*
	 * Whether groups have several RMIDs, as one L3 cache is of several NUMA nodes (Sub-NUMA
	 * Clustering), on each of which tasks have one of their own. NULL: as .list.
	 */
	bool (*have_node_rmids)(struct platform *p);
};

#endif
