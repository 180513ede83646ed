/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_list.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "process/cgroup_names.h"

/* Finds the name of a process's group; "": none. */
static void name_group(const struct process_row *row, enum row_by by,
		       char name[PROCESS_CGROUP_SIZE])
{
	name[0] = '\0';
	if (row_by_namer(by))
		cgroup_outermost_name(row->is.cgroup, row_by_namer(by), name);
	else
		snprintf(name, PROCESS_CGROUP_SIZE, "%s",
			 by == BY_CGROUP ? row->is.cgroup : row->is.user);
}

void top_group_add(struct top_group *group, const struct process_row *row)
{
	struct process_row *sum = &group->sum;

	sum->reads.cxl.MBps = known_sum(sum->reads.cxl.MBps, row->reads.cxl.MBps);
	sum->reads.dram.MBps = known_sum(sum->reads.dram.MBps, row->reads.dram.MBps);
	sum->reads.share_pct = known_sum(sum->reads.share_pct, row->reads.share_pct);
	sum->memory.cxl = known_sum(sum->memory.cxl, row->memory.cxl);
	sum->memory.dram = known_sum(sum->memory.dram, row->memory.dram);
	sum->reads.cxl.samples += row->reads.cxl.samples;
	sum->reads.cxl.p50_ns = row->reads.group_p50_ns;
	sum->reads.cxl.p99_ns = row->reads.group_p99_ns;
	sum->memory.partial |= row->memory.partial;
	sum->age_s = isnan(sum->age_s) ? row->age_s : fmax(sum->age_s, row->age_s);
	for (size_t i = 0; i < SCAN_NODES_MOST; i++)
		sum->memory.bytes[i] += row->memory.bytes[i];
	group->processes++;
}

struct top_group *top_group_of(struct top_group *groups, size_t *count,
			       const struct process_row *row, enum row_by by)
{
	char name[PROCESS_CGROUP_SIZE];

	name_group(row, by, name);
	for (size_t i = 0; i < *count; i++)
		if (!strcmp(groups[i].name, name))
			return &groups[i];
	if (!*name)
		return NULL;
	struct top_group *group = &groups[(*count)++];
	*group = (struct top_group){.sum = process_row_unknown};
	snprintf(group->name, sizeof(group->name), "%s", name);
	return group;
}

/* Sets the group's latencies in its rows. of: group of each row; NULL: none. */
static void set_latencies(struct top *top, struct top_group *const *of,
			  const struct top_group *group)
{
	struct latencies latencies = {.count = 0};

	for (size_t i = 0; i < top->summary.row_count; i++)
		if (of[i] == group)
			top_latencies_sum(&top->latencies, top->rows[i].is.pid, MEMORY_CXL,
					  &latencies);
	const double p50 = latencies_percentile(&latencies, 50);
	const double p99 = latencies_percentile(&latencies, 99);
	for (size_t i = 0; i < top->summary.row_count; i++)
		if (of[i] == group) {
			top->rows[i].reads.group_p50_ns = p50;
			top->rows[i].reads.group_p99_ns = p99;
		}
}

int top_group_latencies(struct top *top)
{
	const size_t rows = top->summary.row_count;
	size_t count = 0;

	top->summary.by = top->by;
	if (top->by == BY_PROCESS)
		return 0;
	struct top_group *groups = calloc(rows + 1, sizeof(*groups));
	struct top_group **of = calloc(rows + 1, sizeof(struct top_group *));
	for (size_t i = 0; groups && of && i < rows; i++)
		of[i] = top_group_of(groups, &count, &top->rows[i], top->by);
	for (size_t g = 0; g < count; g++)
		set_latencies(top, of, &groups[g]);
	const int rc = groups && of ? 0 : -ENOMEM;
	free(groups);
	free(of);
	return rc;
}
