/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of tasks, as the kernel's resctrl has them, and what processors count of each (telemetry):
 * from Linux 7.0 on, Clearwater Forest. Nothing is set.
 *
 * Source: the kernel's Documentation/filesystems/resctrl.rst (mon_PERF_PKG_NN).
 */
#ifndef CXLMON_PLATFORM_TASK_GROUPS_H
#define CXLMON_PLATFORM_TASK_GROUPS_H

#include <stddef.h>
#include <stdint.h>

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
};

#endif
