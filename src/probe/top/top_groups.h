/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of processes: cgroups, containers, VMs and users, each with the sum of its processes. */
#ifndef CXLMON_PROBE_TOP_TOP_GROUPS_H
#define CXLMON_PROBE_TOP_TOP_GROUPS_H

#include "probe/top/top.h"

struct top_group {
	char name[PROCESS_CGROUP_SIZE];
	size_t processes;
	struct process_row sum; /* sum of rows; percentiles over all of their reads */
};

/*
 * Compares rows by reads from CXL memory, most first. Rows with equal reads are compared by CXL
 * memory, most first, and then by pid, lowest first. An unknown number is less than any other.
 * Returns a negative number if x comes first.
 */
int top_row_compare(const struct process_row *x, const struct process_row *y);

/*
 * Returns the group of a process. If it is not among the *count groups, adds it: groups must have
 * room. NULL: the process has no group of this kind.
 */
struct top_group *top_group_of(struct top_group *groups, size_t *count,
			       const struct process_row *row, enum row_by by);

/*
 * Adds a row to a group's sum. The sum gets the highest age of its rows. It gets the percentiles of
 * the group from the row, in which top_group_latencies() has set them.
 */
void top_group_add(struct top_group *group, const struct process_row *row);

/*
 * Sets top->summary.by to top->by. Unless it is BY_PROCESS, also sets .reads.group_p50_ns and
 * .group_p99_ns of all rows in groups. Returns 0 or -ENOMEM.
 */
int top_group_latencies(struct top *top);

/*
 * Writes the groups of all rows to out, by top->by, after top_update(). Sorts them as
 * top_row_compare() does. Leaves out rows without a group. If top->by is BY_PROCESS, each row is a
 * group of one, with an empty .name. out has room for top->summary.row_count groups. Returns the
 * number of groups.
 */
size_t top_groups_make(const struct top *top, struct top_group *out);

#endif
