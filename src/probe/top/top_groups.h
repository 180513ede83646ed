/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of processes: cgroups, containers, VMs and users, each with the sum of its rows. */
#ifndef CXLMON_PROBE_TOP_TOP_GROUPS_H
#define CXLMON_PROBE_TOP_TOP_GROUPS_H

#include "probe/top/top.h"

enum top_by { TOP_BY_PROCESS, TOP_BY_CGROUP, TOP_BY_CONTAINER, TOP_BY_VM, TOP_BY_USER, TOP_BYS };

/* "process", in lower case; ended by a NULL. */
extern const char *const top_by_names[TOP_BYS + 1];

struct top_group {
	char name[PROCESS_CGROUP_SIZE];
	size_t processes;
	struct top_row sum; /* without a name; latencies have no sum: see top_groups_make() */
};

/* The name of a process's group; "": it is in none. */
void top_group_name(const struct top_row *row, enum top_by by, char name[PROCESS_CGROUP_SIZE]);

/* The group of this name, which may be a new one: there must be room for it. */
struct top_group *top_group_find(struct top_group *groups, size_t *count, const char *name);

void top_group_add(struct top_group *group, const struct top_row *row);

/*
 * Fills groups of all rows after an update, with the percentiles of all of their reads, in the
 * order of rows; by process, each row is a group of one, without a group's name. out has room for
 * summary.row_count of them. Returns how many, or -ENOMEM.
 */
ssize_t top_groups_make(const struct top *top, enum top_by by, struct top_group *out);

#endif
