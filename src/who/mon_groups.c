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
	if (f->mbm)
		group->read_bytes = resctrl_group_bytes(root, path, f->mbm, f->event);
	return 0;
}

int who_mon_groups_reads(const char *root, struct mbm *mbm, enum mbm_event *event,
			 struct error *err)
{
	struct resctrl *resctrl = resctrl_new(root);
	bool set = false;

	*mbm = (struct mbm){.count = 0};
	int rc = resctrl ? resctrl_open(resctrl, mbm, err) : error_no_memory(err);
	resctrl_close(resctrl);
	if (rc)
		return rc;
	if (!mbm_choose(mbm, event, &set, NULL) && !set)
		return 0;
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
	struct mbm mbm;
	struct reason why;

	if (!rootfs_exists(watch->root, RESCTRL_DIRECTORY "/tasks")) {
		resctrl_explain(watch->root, -ENOENT, &why);
		error_set(err, why.status, -ENOENT, "--by=resctrl: %s", why.text);
		error_hint(err, why.command);
		return -ENOENT;
	}
	f.processes = calloc(scan->count + 1, sizeof(*f.processes));
	if (!f.processes)
		return error_no_memory(err);
	for (size_t i = 0; i < scan->count; i++)
		f.processes[i] = &scan->processes[i];
	qsort(f.processes, scan->count, sizeof(*f.processes), by_number);
	if (!who_mon_groups_reads(watch->root, &mbm, &f.event, NULL))
		f.mbm = &mbm;
	const int rc = resctrl_groups(watch->root, add_group, &f);
	mbm_free(&mbm);
	free(f.processes);
	if (rc == -E2BIG)
		return error_set(err, EXIT_FAILED, rc, "--by=resctrl: there are too many groups");
	return rc ? error_no_memory(err) : 0;
}
