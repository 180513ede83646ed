/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cycles, and cycles stalled by memory, of resctrl groups of tasks (platform/task_groups.h). Only
 * groups that exist when the source is opened have rows.
 */
#ifndef CXLMON_SOURCES_GROUP_SOURCE_H
#define CXLMON_SOURCES_GROUP_SOURCE_H

#include "platform/task_groups.h"
#include "sources/source.h"
#include "table/table.h"

/* The formula of stalled cycles in percent of a group's cycles. */
extern const struct formula group_stall;

struct source_group {
	/* its path with '?' for other bytes than printable ASCII; "#2" etc. makes it unique */
	char name[GROUP_NAME_SIZE];
	struct group_counts before, now; /* the two latest readings, of different samples */
};

struct group_source {
	struct source base;
	struct source_group *groups;
	size_t count;
};

/*
 * Opens the counts of all groups, and reads them once. Called before privileges are dropped.
 * Returns 0 or a negative errno: -ENOMEM, ERROR_NO_UNIT (the machine counts nothing by group), or
 * ERROR_PERMISSION (resctrl is not mounted).
 */
int group_source_open(struct group_source *groups, struct platform *p, struct error *err);

#endif
