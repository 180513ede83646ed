/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of tasks of the kernel's resctrl, and their counts: memory traffic (mbm.h) and stalls. The
 * kernel counts stalls by telemetry, on Clearwater Forest from Linux 7.0 on. Groups are only read,
 * never changed.
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

/* Telemetry events that are counted by group, in all packages together. */
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
	 * Paths of groups, such as "a", "mon_groups/b" or "a/mon_groups/c". The first is "/", the
	 * default group. Tasks of a/mon_groups/c are also in a. Any bytes except newline.
	 */
	const char *const *names;
	size_t count;
};

/* A group of tasks at the time of the listing. */
struct listed_task_group {
	const char *path;      /* as in struct task_groups; "": the default group */
	const unsigned *tasks; /* ids of threads */
	size_t task_count;
	/*
	 * the group has CPUs, or may have some: it then also counts tasks of the default group that
	 * run on them. False for the default group
	 */
	bool has_cpus;
	int rmid;		     /* id by which processors count the group; -1: unknown */
	double read_bytes;	     /* sum over all caches, by .list's event; NAN: unknown */
	double counts[GROUP_EVENTS]; /* sums over all packages; NAN: unknown */
};

/* Receives a group. *group is valid during the call. A positive value ends the list; else 0. */
typedef int task_group_visitor(void *context, const struct listed_task_group *group);

/* Functions of a platform. An optional one may be NULL. */
struct task_group_ops {
	/*
	 * Finds the present groups, and opens their telemetry counts, so that they can still be
	 * read after rights_drop(). The platform owns *out, which is valid until the next call.
	 *
	 * ERROR_NO_UNIT: the processor does not count telemetry events. ERROR_PERMISSION: resctrl
	 * is not mounted.
	 */
	int (*open)(struct platform *p, struct task_groups *out, struct error *err);
	/*
	 * Reads the telemetry counts of a group, given by its index in the groups of .open. If the
	 * group was removed, its counts are unknown, even if a new group has the same name. wall_ns
	 * and threads: see memory_ops.stats().
	 */
	void (*read)(struct platform *p, size_t group, uint64_t wall_ns, struct group_counts *out);
	/*
	 * Passes the groups to visit, the default group first. .read_bytes of a group is the count
	 * of event in the caches of mbm; NAN if mbm is NULL. Returns 0, the positive value with
	 * which visit ended the list, or a negative errno.
	 *
	 * ERROR_NO_UNIT: the kernel has no resctrl. ERROR_PERMISSION: resctrl is not mounted.
	 * Optional: NULL on a simulated machine.
	 */
	int (*list)(struct platform *p, const struct mbm *mbm, enum mbm_event event,
		    task_group_visitor *visit, void *context, struct error *err);
	/*
	 * Tells if each group has several RMIDs, one for each NUMA node of an L3 cache (Sub-NUMA
	 * Clustering). Optional, like .list.
	 */
	bool (*have_node_rmids)(struct platform *p);
};

#endif
