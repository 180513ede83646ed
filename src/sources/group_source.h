/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cycles, and cycles stalled by memory, of resctrl groups of tasks (platform/task_groups.h). Groups
 * that exist when the source is opened have rows; groups made later have none.
 */
#ifndef CXLMON_SOURCES_GROUP_SOURCE_H
#define CXLMON_SOURCES_GROUP_SOURCE_H

#include "platform/task_groups.h"
#include "sources/source.h"
#include "table/table.h"

/* Formula of stalled cycles, in percent of a group's cycles. */
extern const struct formula group_stall;

struct source_group {
	/* its path, unique; '?' replaces characters that are not printable ASCII */
	char name[GROUP_NAME_SIZE];
	struct group_counts before, now; /* readings of the two latest samples that had one */
};

struct group_source {
	struct source base;
	struct source_group *groups;
	size_t count;
};

/*
 * Opens the counts of all groups, and reads them once. ERROR_NO_UNIT: the machine counts nothing by
 * group. ERROR_PERMISSION: resctrl is not mounted. -ENOMEM. Called before privileges are dropped.
 */
int group_source_open(struct group_source *groups, struct platform *p, struct error *err);

#endif
