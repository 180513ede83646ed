/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is counted of groups of tasks of resctrl (platform/task_groups.h), for rows of groups. Those
 * that exist at the start have one: the others are counted from the next run on.
 */
#ifndef CXLMON_VIEW_GROUP_SOURCES_H
#define CXLMON_VIEW_GROUP_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/task_groups.h"
#include "table/table.h"

struct error;
struct formula;
struct inputs;
struct platform;

/* Percent of a group's cycles. */
extern const struct formula group_stall;

struct group_source {
	/* The group's path, as it is shown: printable ASCII, and of no other group */
	char name[GROUP_NAME_SIZE];
	struct group_counts before, now; /* of the two latest readings */
};

struct group_sources {
	struct platform *platform; /* not owned; NULL: none are open */
	struct group_source *groups;
	size_t count;
	uint64_t due_ns; /* wall-clock time of the next reading */
	bool fresh;	 /* they were read for this sample */
};

/* As task_group_ops.open, and reads them. Also with an error, free it. */
int group_sources_open(struct group_sources *g, struct platform *p, struct error *err);
void group_sources_free(struct group_sources *g);

/* For a sample of that wall-clock time. Not due: nothing is read, and nothing known. */
void group_sources_read(struct group_sources *g, uint64_t wall_ns, bool due);

/*
 * Sets the inputs of group_stall, of a group by its index. False: they are not known, as where the
 * group was removed or a counter has gone backwards, and *out stays as it is.
 */
bool group_sources_inputs(const struct group_sources *g, size_t group, struct inputs *out);

#endif
