/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of processes: cgroups, containers, VMs and users, each with the sum of its rows. */
#ifndef CXLMON_PROBE_TOP_TOP_GROUPS_H
#define CXLMON_PROBE_TOP_TOP_GROUPS_H

#include "probe/top/top.h"

struct top_group {
	char name[PROCESS_CGROUP_SIZE];
	size_t processes;
	struct process_row sum; /* sum of rows, and percentiles over all of their reads */
};

/*
 * Compares rows by reads from CXL memory, then by CXL memory (unknown is least), then by pid.
 * Negative: x comes first, because it has more or, if both have as much, the lower pid.
 */
int top_row_compare(const struct process_row *x, const struct process_row *y);

/*
 * Returns the group of a process, which may be new: the array must have room for it. NULL: the
 * process has none.
 */
struct top_group *top_group_of(struct top_group *groups, size_t *count,
			       const struct process_row *row, enum row_by by);

/*
 * Adds a row to a group's sum. The sum's age is the highest of its rows. Its percentiles are copies
 * of the row's .reads.group_p50_ns and .reads.group_p99_ns, which top_group_latencies() has set.
 */
void top_group_add(struct top_group *group, const struct process_row *row);

/*
 * Sets .reads.group_p50_ns and .reads.group_p99_ns of all rows in groups of top->by, unless that is
 * BY_PROCESS. Sets top->summary.by to top->by. 0 or -ENOMEM.
 */
int top_group_latencies(struct top *top);

/*
 * Fills out with the groups of all rows after top_update(), by top->by, in the order of
 * top_row_compare(). Rows without a group are left out. By process, each row is a group of one,
 * whose .name is empty. out has room for summary.row_count groups. Returns their number.
 */
size_t top_groups_make(const struct top *top, struct top_group *out);

#endif
