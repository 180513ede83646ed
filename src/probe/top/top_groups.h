/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of processes: cgroups, containers, VMs and users, each with the sum of its rows. */
#ifndef CXLMON_PROBE_TOP_TOP_GROUPS_H
#define CXLMON_PROBE_TOP_TOP_GROUPS_H

#include "probe/top/top.h"

/* "process", in lower case; ended by a NULL. */
extern const char *const top_by_names[TOP_BYS + 1];

struct top_group {
	char name[PROCESS_CGROUP_SIZE];
	size_t processes;
	struct top_row sum; /* without a name and latencies */
};

/* Below 0: x has read more from CXL memory, or has more there. */
int top_row_compare(const struct top_row *x, const struct top_row *y);

/* The name of a process's group; "": it is in none. */
void top_group_name(const struct top_row *row, enum top_by by, char name[PROCESS_CGROUP_SIZE]);

/* The group of this name, which may be a new one: there must be room for it. */
struct top_group *top_group_find(struct top_group *groups, size_t *count, const char *name);

void top_group_add(struct top_group *group, const struct top_row *row);

/* Sets .group_p50_ns and .group_p99_ns of all rows, by top->by. 0 or -ENOMEM. */
int top_group_latencies(struct top *top);

/*
 * Fills groups of all rows after an update, by top->by, with the percentiles of all of their reads,
 * in the order of rows; by process, each row is a group of one, without a group's name. out has
 * room for summary.row_count of them. Returns how many.
 */
size_t top_groups_make(const struct top *top, struct top_group *out);

#endif
