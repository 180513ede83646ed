/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/who_private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "platform/mbm.h"
#include "platform/task_groups.h"
#include "probe/who/watch.h"
#include "uncore/rdt/region_counters.h"

/*
 * Adds a group of resctrl. A process belongs to the group of its first thread. A control group
 * includes its monitoring groups, as in resctrl.
 */
static int add_group(void *context, const struct listed_task_group *listed)
{
	struct who_watch *watch = context;
	struct who_scan *scan = &watch->scan;
	char name[ROOTFS_PATH_SIZE];

	printable(*listed->path ? listed->path : "/", name, sizeof(name));
	struct process_row *group = who_rows_add(&scan->groups, watch->nodes, listed->path, name);
	if (!group)
		return -ENOMEM;
	for (size_t i = 0; i < listed->task_count; i++) {
		const struct process_row *process =
			who_rows_find_process(&scan->processes, listed->tasks[i]);

		if (process)
			who_row_add(group, watch->nodes, process);
	}
	group->counted.read_bytes = listed->read_bytes;
	group->counted.rmid = listed->rmid;
	scan->no_rmid += watch->regions && group->counted.rmid < 0;
	group->counted.stalled_cycles = listed->counts[GROUP_STALLED_CYCLES];
	group->counted.cycles = listed->counts[GROUP_CYCLES];
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
			 "no event of resctrl counts only reads of CXL memory, and nothing is set "
			 "here: set %s to 0x%x in all caches (as 0=0x30;1=0x30), which clears the "
			 "counts of all groups",
			 mbm_event_name(MBM_LOCAL), MBM_SLOW_READS);
}

static int note_stalls(void *context, const struct listed_task_group *group)
{
	*(bool *)context = !isnan(group->counts[GROUP_STALLED_CYCLES]);
	return 1;
}

bool who_mon_groups_stalls(struct platform *p)
{
	bool stalls = false;

	if (p->ops->task_groups->list)
		p->ops->task_groups->list(p, NULL, MBM_LOCAL, note_stalls, &stalls, NULL);
	return stalls;
}

int who_mon_groups_add(struct who_watch *watch, struct error *err)
{
	struct platform *p = watch->platform;
	const struct mbm *mbm;
	enum mbm_event event = MBM_LOCAL;

	if (who_mon_groups_reads(p, &mbm, &event, NULL))
		mbm = NULL;
	if (watch->regions)
		region_counters_update(watch->regions, watch->scan.wall_ns);
	return p->ops->task_groups->list(p, mbm, event, add_group, watch, err);
}

/* Tells if a control group, given by its path, includes this monitoring group. */
static bool is_within(const char *group, const char *control)
{
	static const char below[] = "mon_groups/";
	const size_t length = strlen(control);

	if (strncmp(group, control, length) || (length && group[length] != '/'))
		return false;
	return !strncmp(group + length + (length > 0), below, sizeof(below) - 1);
}

/* Adds bytes counted by the group's own RMID. NAN: group or RMID is new, or RMID is unknown. */
static void add_own(const struct who_watch *watch, const struct process_row *group,
		    double bytes[MEMORY_REGIONS])
{
	const struct process_row *before = who_rows_find(&watch->previous.groups, group->key);
	const bool same =
		before && before->counted.rmid == group->counted.rmid && group->counted.rmid >= 0;

	for (unsigned kind = 0; kind < MEMORY_REGIONS; kind++)
		bytes[kind] += same ? region_counters_rmid_bytes(
					      watch->regions, (unsigned)group->counted.rmid, kind)
				    : NAN;
}

static bool lost_group(const struct who_watch *watch, const char *control)
{
	const struct who_rows *previous = &watch->previous.groups;

	for (size_t i = 0; i < previous->count; i++)
		if (is_within(previous->at[i].key, control) &&
		    !who_rows_find(&watch->scan.groups, previous->at[i].key))
			return true;
	return false;
}

/*
 * Adds a control group's monitoring groups, as resctrl does. NAN if one was removed since the
 * previous scan: its bytes are unknown.
 */
static void add_monitoring_groups(const struct who_watch *watch, const char *control,
				  double bytes[MEMORY_REGIONS])
{
	const struct who_rows *groups = &watch->scan.groups;

	for (size_t i = 0; i < groups->count; i++)
		if (is_within(groups->at[i].key, control))
			add_own(watch, &groups->at[i], bytes);
	const bool lost = lost_group(watch, control);
	for (unsigned kind = 0; lost && kind < MEMORY_REGIONS; kind++)
		bytes[kind] = NAN;
}

void who_group_regions_compare(struct who_watch *watch)
{
	const struct who_rows *groups = &watch->scan.groups;
	const double seconds = region_counters_seconds(watch->regions);

	for (size_t i = 0; i < groups->count; i++) {
		struct process_row *row = &groups->at[i];
		double bytes[MEMORY_REGIONS] = {0};

		add_own(watch, row, bytes);
		if (watch->by == BY_RESCTRL)
			add_monitoring_groups(watch, row->key, bytes);
		for (unsigned kind = 0; kind < MEMORY_REGIONS; kind++)
			row->counted.region_MBps[kind] =
				seconds > 0 ? bytes[kind] / 1e6 / seconds : NAN;
	}
}
