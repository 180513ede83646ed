/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/task_groups.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "linux/kernel/clock.h"
#include "linux/memory/resctrl.h"
#include "linux/system/linux_platform.h"

struct listing {
	const char *root;
	const struct mbm *mbm; /* NULL: reads are not wanted */
	enum mbm_event event;
	task_group_visitor *visit;
	void *context;
	unsigned *tasks; /* threads of the current group */
};

/* Reads the tasks of a group; none if it was removed. */
static int read_tasks(struct listing *l, const char *path, size_t *count)
{
	FILE *in = rootfs_stream(l->root, RESCTRL_DIRECTORY "/%s/tasks", path);
	unsigned task;
	int rc = 0;

	*count = 0;
	while (in && !rc && fscanf(in, "%9u", &task) == 1) {
		rc = array_room(&l->tasks, *count, 1, sizeof(*l->tasks));
		if (!rc)
			l->tasks[(*count)++] = task;
	}
	if (in)
		fclose(in);
	return rc;
}

static int pass_group(void *context, const char *path)
{
	struct listing *l = context;
	struct listed_task_group group = {
		.path = path,
		.has_cpus = resctrl_group_has_cpus(l->root, path),
		.rmid = resctrl_group_rmid(l->root, path),
		.read_bytes = l->mbm ? resctrl_group_bytes(l->root, path, l->mbm, l->event) : NAN,
	};
	const int rc = read_tasks(l, path, &group.task_count);

	if (rc)
		return rc;
	group.tasks = l->tasks;
	for (unsigned e = 0; e < GROUP_EVENTS; e++)
		group.counts[e] = telemetry_group_count(l->root, path, e);
	return l->visit(l->context, &group);
}

int resctrl_list(const char *root, const struct mbm *mbm, enum mbm_event event,
		 task_group_visitor *visit, void *context, struct error *err)
{
	struct listing l = {
		.root = root, .mbm = mbm, .event = event, .visit = visit, .context = context};
	const int rc = rootfs_exists(root, RESCTRL_DIRECTORY "/tasks")
			       ? resctrl_groups(root, pass_group, &l)
			       : -ENOENT;

	free(l.tasks);
	return rc < 0 ? resctrl_error(root, rc, err) : rc;
}

/* Implements .list for the platform. */

static int list_groups(struct platform *p, const struct mbm *mbm, enum mbm_event event,
		       task_group_visitor *visit, void *context, struct error *err)
{
	return resctrl_list(linux_of(p)->root, mbm, event, visit, context, err);
}

static bool have_node_rmids(struct platform *p)
{
	return resctrl_has_node_rmids(linux_of(p)->root);
}

static int open_groups(struct platform *p, struct task_groups *out, struct error *err)
{
	struct linux_platform *l = linux_of(p);

	telemetry_close(l->telemetry);
	const int rc = telemetry_open(l->root, &l->telemetry, err);
	if (!rc)
		*out = telemetry_groups(l->telemetry);
	return rc;
}

static void read_group(struct platform *p, size_t group, uint64_t wall_ns, struct group_counts *out)
{
	(void)wall_ns;
	out->at_ns = clock_monotonic();
	telemetry_read(linux_of(p)->telemetry, group, out);
}

const struct task_group_ops linux_task_groups = {
	.open = open_groups,
	.read = read_group,
	.list = list_groups,
	.have_node_rmids = have_node_rmids,
};
