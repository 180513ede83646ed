/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_groups.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "process/cgroup_names.h"

const char *const top_by_names[TOP_BYS + 1] = {"process", "cgroup", "container", "vm", "user"};

void top_group_name(const struct top_row *row, enum top_by by, char name[PROCESS_CGROUP_SIZE])
{
	name[0] = '\0';
	if (by == TOP_BY_CONTAINER)
		cgroup_outermost_name(row->cgroup, cgroup_container_name, name);
	else if (by == TOP_BY_VM)
		cgroup_outermost_name(row->cgroup, cgroup_vm_name, name);
	else
		snprintf(name, PROCESS_CGROUP_SIZE, "%s",
			 by == TOP_BY_CGROUP ? row->cgroup : row->user);
}

void top_group_add(struct top_group *group, const struct top_row *row)
{
	struct top_row *sum = &group->sum;

	sum->cxl_MBps = known_sum(sum->cxl_MBps, row->cxl_MBps);
	sum->dram_MBps = known_sum(sum->dram_MBps, row->dram_MBps);
	sum->share_pct = known_sum(sum->share_pct, row->share_pct);
	sum->cxl = known_sum(sum->cxl, row->cxl);
	sum->dram = known_sum(sum->dram, row->dram);
	sum->cxl_samples += row->cxl_samples;
	sum->partial |= row->partial;
	sum->age_s = isnan(sum->age_s) ? row->age_s : fmax(sum->age_s, row->age_s);
	for (size_t i = 0; i < SCAN_NODES_MOST; i++)
		sum->bytes[i] += row->bytes[i];
	group->processes++;
}

struct top_group *top_group_find(struct top_group *groups, size_t *count, const char *name)
{
	for (size_t i = 0; i < *count; i++)
		if (!strcmp(groups[i].name, name))
			return &groups[i];
	struct top_group *group = &groups[(*count)++];
	*group = (struct top_group){.sum = {.cxl_MBps = NAN,
					    .dram_MBps = NAN,
					    .share_pct = NAN,
					    .p50_ns = NAN,
					    .p99_ns = NAN,
					    .cxl = NAN,
					    .dram = NAN,
					    .age_s = NAN}};
	snprintf(group->name, sizeof(group->name), "%s", name);
	return group;
}

/* of: the group of each row; NULL: none. */
static void set_latencies(const struct top *top, struct top_group *const *of,
			  struct top_group *group)
{
	struct latencies latencies = {.count = 0};

	for (size_t i = 0; i < top->summary.row_count; i++)
		if (of[i] == group)
			top_latencies_sum(&top->latencies, top->rows[i].pid, MEMORY_CXL,
					  &latencies);
	group->sum.p50_ns = latencies_percentile(&latencies, 50);
	group->sum.p99_ns = latencies_percentile(&latencies, 99);
}

static int by_reads(const void *a, const void *b)
{
	const struct top_group *x = a, *y = b;
	const int order = top_row_compare(&x->sum, &y->sum);

	return order ? order : strcmp(x->name, y->name);
}

ssize_t top_groups_make(const struct top *top, enum top_by by, struct top_group *out)
{
	const size_t rows = top->summary.row_count;
	struct top_group **of = calloc(rows + 1, sizeof(struct top_group *));
	char name[PROCESS_CGROUP_SIZE];
	size_t count = 0;

	if (!of)
		return -ENOMEM;
	for (size_t i = 0; i < rows; i++) {
		if (by == TOP_BY_PROCESS) {
			out[count++] = (struct top_group){.processes = 1, .sum = top->rows[i]};
			continue;
		}
		top_group_name(&top->rows[i], by, name);
		if (!*name)
			continue;
		of[i] = top_group_find(out, &count, name);
		top_group_add(of[i], &top->rows[i]);
	}
	for (size_t g = 0; g < count && by != TOP_BY_PROCESS; g++)
		set_latencies(top, of, &out[g]);
	free(of);
	if (count)
		qsort(out, count, sizeof(*out), by_reads);
	return (ssize_t)count;
}
