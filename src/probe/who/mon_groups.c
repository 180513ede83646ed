/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/mon_groups.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "linux/memory/resctrl.h"
#include "linux/memory/telemetry.h"
#include "platform/mbm.h"
#include "probe/who/rows.h"
#include "probe/who/watch.h"
#include "uncore/rdt/region_counters.h"

struct group_search {
	struct who_watch *watch;
	bool counted; /* reads are: */
	const struct mbm *mbm;
	enum mbm_event event;
};

/*
 * A process is of the group of its first thread. As in resctrl, a control group has what its
 * monitoring groups have, too.
 */
static int add_group(void *context, const char *path)
{
	const struct group_search *f = context;
	const char *root = f->watch->root;
	const struct who_nodes *nodes = f->watch->nodes;
	struct who_scan *scan = &f->watch->scan;
	char name[ROOTFS_PATH_SIZE];
	unsigned task;

	printable(*path ? path : "/", name, sizeof(name));
	struct who_row *group = who_rows_add(&scan->groups, nodes, path, name);
	if (!group)
		return -ENOMEM;
	FILE *tasks = rootfs_stream(root, RESCTRL_DIRECTORY "/%s%stasks", path, *path ? "/" : "");
	while (tasks && fscanf(tasks, "%9u", &task) == 1) {
		const struct who_row *process = who_rows_find_process(&scan->processes, task);

		if (process)
			who_row_add(group, nodes, process);
	}
	if (tasks)
		fclose(tasks);
	if (f->counted)
		group->read_bytes = resctrl_group_bytes(root, path, f->mbm, f->event);
	group->rmid = resctrl_group_rmid(root, path);
	scan->no_rmid += f->watch->regions && group->rmid < 0;
	group->stalled_cycles = telemetry_group_count(root, path, GROUP_STALLED_CYCLES);
	group->cycles = telemetry_group_count(root, path, GROUP_CYCLES);
	return 0;
}

int who_mon_groups_reads(struct platform *p, const struct mbm **mbm, enum mbm_event *event,
			 struct error *err)
{
	bool set;
	const int rc = p->ops->mbm->open(p, mbm, err);

	if (rc || (!mbm_choose(*mbm, event, &set, NULL) && !set))
		return rc;
	return error_set(err, ERROR_NO_UNIT, -ENODATA,
			 "no event of resctrl counts reads of CXL memory alone, and nothing is set "
			 "here: set %s to 0x%x in all caches (as 0=0x30;1=0x30), which clears the "
			 "counts of all groups",
			 mbm_event_name(MBM_LOCAL), MBM_SLOW_READS);
}

bool who_mon_groups_stalls(const char *root)
{
	return !isnan(telemetry_group_count(root, "", GROUP_STALLED_CYCLES));
}

int who_mon_groups_add(struct who_watch *watch, struct error *err)
{
	struct group_search f = {.watch = watch};

	if (!rootfs_exists(watch->root, RESCTRL_DIRECTORY "/tasks"))
		return resctrl_error(watch->root, -ENOENT, err);
	f.counted = !who_mon_groups_reads(watch->platform, &f.mbm, &f.event, NULL);
	if (watch->regions)
		region_counters_read(watch->regions, watch->scan.wall_ns);
	const int rc = resctrl_groups(watch->root, add_group, &f);
	return rc ? resctrl_error(watch->root, rc, err) : 0;
}
