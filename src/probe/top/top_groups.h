/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of processes: cgroups, containers, VMs and users, each with the sum of its processes. */
#ifndef CXLMON_PROBE_TOP_TOP_GROUPS_H
#define CXLMON_PROBE_TOP_TOP_GROUPS_H

#include "probe/top/top.h"

struct top_group {
	char name[PROCESS_CGROUP_SIZE];
	size_t processes;
	struct process_row sum; /* sum of rows: see top_group_add() */
};

/*
 * Returns the group of a process. If it is not among the *count groups, adds it: groups must have
 * room. NULL: the process has no group of this kind.
 */
struct top_group *top_group_of(struct top_group *groups, size_t *count,
			       const struct process_row *row, enum row_by by);

/*
 * Adds a row to a group, and counts it in .processes. These members of .sum are set; others stay
 * unknown or 0:
 * - .memory, .reads.share_pct, .reads.cxl.samples, and MBps of .reads.cxl and .reads.dram: sums
 * - .age_s: the highest age of the rows
 * - p50_ns and p99_ns of .reads.cxl: the row's .reads.group_p50_ns and .group_p99_ns, which
 *   top_group_latencies() has computed over the CXL reads of all rows in the group
 */
void top_group_add(struct top_group *group, const struct process_row *row);

/*
 * Sets top->summary.by to top->by. Unless it is BY_PROCESS, also sets .reads.group_p50_ns and
 * .group_p99_ns of all rows in groups. Returns 0 or -ENOMEM.
 */
int top_group_latencies(struct top *top);

#endif
