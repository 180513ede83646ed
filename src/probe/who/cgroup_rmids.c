/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "platform/process.h"
#include "platform/task_groups.h"
#include "probe/who/who_private.h"
#include "uncore/rdt/region_counters.h"

/* Values in place of the number of a row or group. */
#define NONE	SIZE_MAX
#define SEVERAL (SIZE_MAX - 1)

struct task {
	unsigned tid;
	size_t group;
};

struct group {
	int rmid;
	size_t row; /* row whose tasks it counts; SEVERAL: also tasks of other rows, or of no row */
};

struct task_search {
	struct who_watch *watch;
	struct task *tasks;
	size_t task_count;
	struct group *groups;
	size_t group_count;
	size_t *groups_of_rows; /* group with the tasks of each row */
};

static int add_group(void *context, const struct listed_task_group *listed)
{
	struct task_search *f = context;

	f->watch->scan.no_rmid += listed->rmid < 0;
	if (array_room(&f->groups, f->group_count, 1, sizeof(*f->groups)) ||
	    array_room(&f->tasks, f->task_count, listed->task_count, sizeof(*f->tasks)))
		return -ENOMEM;
	for (size_t i = 0; i < listed->task_count; i++)
		f->tasks[f->task_count++] = (struct task){listed->tasks[i], f->group_count};
	f->groups[f->group_count++] =
		(struct group){listed->rmid, listed->has_cpus ? SEVERAL : NONE};
	/* the first group, the default one, does not count its tasks on these CPUs */
	if (listed->has_cpus)
		f->groups[0].row = SEVERAL;
	return 0;
}

/*
 * Orders tasks by tid, then by group. The last group of a task counts it: a monitoring group
 * follows its control group.
 */
static int by_tid(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid > y->tid ? 1 : -1;
	return (x->group > y->group) - (x->group < y->group);
}

/* Returns the row of a cgroup, or else of the closest one above it. */
static size_t row_of(const struct who_rows *rows, char path[ROOTFS_PATH_SIZE])
{
	const struct process_row *row = who_rows_find(rows, path);
	char root[] = "/", *end;

	while (!row && (end = strrchr(path, '/'))) {
		*end = '\0';
		row = who_rows_find(rows, *path ? path : root);
	}
	return row ? (size_t)(row - rows->at) : NONE;
}

static void note_rmid(size_t *known, size_t found)
{
	*known = *known == NONE || *known == found ? found : SEVERAL;
}

static void place_task(struct task_search *f, const struct task *task)
{
	struct platform *p = f->watch->platform;
	char path[ROOTFS_PATH_SIZE];

	/* the task may have ended */
	if (!p->ops->processes->cgroup(p, task->tid, path))
		return;
	const size_t row = row_of(&f->watch->scan.groups, path);
	note_rmid(&f->groups[task->group].row, row == NONE ? SEVERAL : row);
	if (row != NONE)
		note_rmid(&f->groups_of_rows[row], task->group);
}

static int place_tasks(struct task_search *f)
{
	struct who_rows *rows = &f->watch->scan.groups;

	f->groups_of_rows = calloc(rows->count + 1, sizeof(*f->groups_of_rows));
	if (!f->groups_of_rows)
		return -ENOMEM;
	for (size_t r = 0; r < rows->count; r++)
		f->groups_of_rows[r] = NONE;
	who_rows_sort(rows);
	if (f->task_count)
		qsort(f->tasks, f->task_count, sizeof(*f->tasks), by_tid);
	for (size_t i = 0; i < f->task_count; i++)
		if (i + 1 == f->task_count || f->tasks[i + 1].tid != f->tasks[i].tid)
			place_task(f, &f->tasks[i]);
	for (size_t r = 0; r < rows->count; r++) {
		const size_t group = f->groups_of_rows[r];

		if (group < SEVERAL && f->groups[group].row == r)
			rows->at[r].counted.rmid = f->groups[group].rmid;
	}
	return 0;
}

int who_group_regions_of_cgroups(struct who_watch *watch, struct error *err)
{
	struct platform *p = watch->platform;
	struct task_search f = {.watch = watch};

	region_counters_update(watch->regions, watch->scan.wall_ns);
	int rc = p->ops->task_groups->list(p, NULL, MBM_LOCAL, add_group, &f, err);
	if (!rc && place_tasks(&f))
		rc = error_no_memory(err);
	if (rc == -ENOENT) /* resctrl was unmounted */
		rc = 0;
	free(f.tasks);
	free(f.groups);
	free(f.groups_of_rows);
	return rc;
}
