/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/group_regions.h"

#include <math.h>
#include <string.h>

#include "probe/who/rows.h"
#include "uncore/rdt/region_counters.h"

/* Whether a control group, by its path, has what this monitoring group has, too. */
static bool is_within(const char *group, const char *control)
{
	static const char below[] = "mon_groups/";
	const size_t length = strlen(control);

	if (strncmp(group, control, length) || (length && group[length] != '/'))
		return false;
	return !strncmp(group + length + (length > 0), below, sizeof(below) - 1);
}

/* By the group's own RMID, which another group may have had before. */
static void add_own(const struct who_watch *watch, const struct who_row *group,
		    double bytes[MEMORY_REGIONS])
{
	const struct who_row *before = who_rows_find(&watch->last.groups, group->key);
	const bool same = before && before->rmid == group->rmid && group->rmid >= 0;

	for (unsigned kind = 0; kind < MEMORY_REGIONS; kind++)
		bytes[kind] += same ? region_counters_rmid_bytes(watch->regions,
								 (unsigned)group->rmid, kind)
				    : NAN;
}

static bool lost_group(const struct who_watch *watch, const char *control)
{
	const struct who_rows *last = &watch->last.groups;

	for (size_t i = 0; i < last->count; i++)
		if (is_within(last->at[i].key, control) &&
		    !who_rows_find(&watch->scan.groups, last->at[i].key))
			return true;
	return false;
}

/* As resctrl has it. What one has counted that was removed since isn't known. */
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
		struct who_row *row = &groups->at[i];
		double bytes[MEMORY_REGIONS] = {0};

		add_own(watch, row, bytes);
		if (watch->by == WHO_BY_RESCTRL)
			add_monitoring_groups(watch, row->key, bytes);
		for (unsigned kind = 0; kind < MEMORY_REGIONS; kind++)
			row->region_MBps[kind] = seconds > 0 ? bytes[kind] / 1e6 / seconds : NAN;
	}
}
