/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cgroups.h"

#include <errno.h>
#include <stdio.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "platform/clock.h"
#include "probe/who/who_private.h"
#include "process/row_set.h"

struct search {
	struct who_watch *watch;
	struct error *err;
	uint64_t until; /* end of the walk, ns on the platform's clock */
};

static bool has_name(void *context, const char *path)
{
	const struct search *s = context;
	char name[CGROUP_NAME_SIZE];

	return row_by_namer(s->watch->by)(path, name);
}

static int go_on(void *context)
{
	const struct search *s = context;
	struct platform *p = s->watch->platform;
	const int rc = s->watch->wake ? who_watch_wait(s->watch, 0, s->err) : 0;

	return !rc && p->ops->clock->now(p) >= s->until ? -ETIME : rc;
}

static int add_cgroup(void *context, const struct listed_cgroup *cgroup)
{
	const struct search *s = context;
	struct who_watch *watch = s->watch;
	char name[ROOTFS_PATH_SIZE];

	if (!cgroup_contains(watch->cgroup, cgroup->path))
		return 0;
	if (watch->by == BY_CGROUP)
		printable(cgroup->path, name, sizeof(name));
	else
		row_by_namer(watch->by)(cgroup->path, name);
	struct process_row *group =
		who_rows_add(&watch->scan.groups, watch->nodes, cgroup->path, name);
	if (!group)
		return error_no_memory(s->err);
	who_row_set_memory(group, watch->nodes, cgroup->bytes);
	return 0;
}

int who_cgroups_add(struct who_watch *watch, uint64_t until, struct error *err)
{
	struct platform *p = watch->platform;
	struct who_scan *scan = &watch->scan;
	struct search s = {watch, err, until};
	const struct cgroup_visitor visitor = {
		.most = CGROUPS_MOST,
		.stops_at = watch->by == BY_CGROUP ? NULL : has_name,
		.go_on = go_on,
		.visit = add_cgroup,
		.context = &s,
	};
	struct cgroups_walked walked;
	const int rc = p->ops->cgroups->walk(p, &visitor, &walked, err);

	scan->seen = walked.seen;
	scan->read = walked.visited;
	scan->refused = walked.refused;
	scan->unclear = walked.unclear;
	scan->late = walked.late;
	scan->beyond = walked.beyond;
	scan->cgroup_v1 = walked.v1;
	scan->no_huge = walked.no_huge;
	return rc;
}
