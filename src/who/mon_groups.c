/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The groups of resctrl, which are there already: memory of the processes in each, and reads that
 * it has counted. As there, a control group has what its monitoring groups have, too.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "linux/resctrl.h"
#include "platform/rootfs.h"
#include "platform/text.h"
#include "who/groups.h"

struct finding {
	struct who_watch *watch;
	const struct who_process **processes; /* by number */
	bool counted;			      /* reads are: */
	const struct mbm *mbm;
	enum mbm_event event;
};

static int by_number(const void *a, const void *b)
{
	const struct who_process *const *x = a, *const *y = b;

	return ((*x)->pid > (*y)->pid) - ((*x)->pid < (*y)->pid);
}

static void add_process(const struct finding *f, unsigned pid, struct who_group *group)
{
	const struct who_scan *scan = &f->watch->scan;
	const struct who_process wanted = {.pid = pid}, *key = &wanted;
	const struct who_process **found =
		scan->count ? bsearch(&key, f->processes, scan->count, sizeof(key), by_number)
			    : NULL;

	if (!found)
		return;
	group->use.total += (*found)->use.total;
	group->use.sum.bytes += (*found)->use.sum.bytes;
	group->use.partial |= (*found)->use.partial;
	for (size_t n = 0; n < f->watch->nodes->count; n++)
		group->memory[n].bytes += who_memory(scan, *found, n)->bytes;
}

/* A process is of the group of its first thread. */
static int add_group(void *context, const char *path)
{
	const struct finding *f = context;
	const char *root = f->watch->root;
	char name[ROOTFS_PATH_SIZE];
	struct who_group *group;
	unsigned task;

	printable(*path ? path : "/", name, sizeof(name));
	if (who_groups_add(f->watch, path, name, &group))
		return -ENOMEM;
	FILE *tasks = rootfs_stream(root, RESCTRL_DIRECTORY "/%s%stasks", path, *path ? "/" : "");
	while (tasks && fscanf(tasks, "%9u", &task) == 1)
		add_process(f, task, group);
	if (tasks)
		fclose(tasks);
	if (f->counted)
		group->read_bytes = resctrl_group_bytes(root, path, f->mbm, f->event);
	return 0;
}

int who_mon_groups_reads(struct platform *p, const struct mbm **mbm, enum mbm_event *event,
			 struct error *err)
{
	bool set;
	const int rc = p->ops->mbm_open(p, mbm, err);

	if (rc || (!mbm_choose(*mbm, event, &set, NULL) && !set))
		return rc;
	return error_set(err, EXIT_NO_UNIT, -ENODATA,
			 "no event of resctrl counts reads of CXL memory alone, and nothing is set "
			 "here: set %s to 0x%x in all caches (as 0=0x30;1=0x30), which clears the "
			 "counts of all groups",
			 mbm_event_name(MBM_LOCAL), MBM_SLOW_READS);
}

int who_mon_groups_add(struct who_watch *watch, struct error *err)
{
	const struct who_scan *scan = &watch->scan;
	struct finding f = {.watch = watch};

	if (!rootfs_exists(watch->root, RESCTRL_DIRECTORY "/tasks"))
		return resctrl_error(watch->root, -ENOENT, err);
	f.processes = calloc(scan->count + 1, sizeof(*f.processes));
	if (!f.processes)
		return error_no_memory(err);
	for (size_t i = 0; i < scan->count; i++)
		f.processes[i] = &scan->processes[i];
	qsort(f.processes, scan->count, sizeof(*f.processes), by_number);
	f.counted = !who_mon_groups_reads(watch->platform, &f.mbm, &f.event, NULL);
	const int rc = resctrl_groups(watch->root, add_group, &f);
	free(f.processes);
	return rc ? resctrl_error(watch->root, rc, err) : 0;
}
