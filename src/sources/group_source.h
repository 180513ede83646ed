/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cycles and stalled cycles of resctrl groups of tasks (platform/task_groups.h). Groups that exist
 * at the start have rows; later ones are counted from the next run on.
 */
#ifndef CXLMON_SOURCES_GROUP_SOURCE_H
#define CXLMON_SOURCES_GROUP_SOURCE_H

#include "platform/task_groups.h"
#include "sources/source.h"
#include "table/table.h"

/* Percent of a group's cycles. */
extern const struct formula group_stall;

struct source_group {
	/* the group's path as shown: printable ASCII, unique */
	char name[GROUP_NAME_SIZE];
	struct group_counts before, now; /* latest two readings */
};

struct group_source {
	struct source base;
	struct source_group *groups;
	size_t count;
};

/* Opens groups as task_group_ops.open does, and reads them. */
int group_source_open(struct group_source *groups, struct platform *p, struct error *err);

#endif
