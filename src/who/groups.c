/* SPDX-License-Identifier: BSD-3-Clause */
#include "who/groups.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_group(struct who_group *group)
{
	free(group->key);
	free(group->name);
	free(group->memory);
}

void who_groups_free(struct who_scan *scan)
{
	for (size_t i = 0; i < scan->group_count; i++)
		free_group(&scan->groups[i]);
	free(scan->groups);
	scan->groups = NULL;
	scan->group_count = scan->group_room = 0;
}

int who_groups_add(struct who_watch *watch, const char *key, const char *name,
		   struct who_group **out)
{
	struct who_scan *scan = &watch->scan;

	if (scan->group_count == scan->group_room) {
		const size_t room = scan->group_room ? 2 * scan->group_room : 16;
		struct who_group *groups = reallocarray(scan->groups, room, sizeof(*groups));

		if (!groups)
			return -ENOMEM;
		scan->groups = groups;
		scan->group_room = room;
	}
	struct who_group group = {
		.key = strdup(key),
		.name = strdup(name),
		.memory = calloc(watch->nodes->count, sizeof(*group.memory)),
		.read_bytes = NAN,
	};
	if (!group.key || !group.name || !group.memory) {
		free_group(&group);
		return -ENOMEM;
	}
	*out = &scan->groups[scan->group_count++];
	**out = group;
	return 0;
}

int who_groups_add_users(struct who_watch *watch)
{
	const struct who_scan *scan = &watch->scan;
	struct who_group *group;
	char key[16];

	for (size_t i = 0; i < scan->count; i++) {
		const struct who_process *process = &scan->processes[i];

		snprintf(key, sizeof(key), "%u", (unsigned)process->uid);
		if (who_groups_add(watch, key, process->user, &group))
			return -ENOMEM;
		group->use = process->use;
		for (size_t n = 0; n < watch->nodes->count; n++)
			group->memory[n].bytes = who_memory(scan, process, n)->bytes;
	}
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct who_group *x = a, *y = b;

	return strcmp(x->key, y->key);
}

static int by_bytes(const void *a, const void *b)
{
	const struct who_group *x = a, *y = b;

	if (x->use.sum.bytes != y->use.sum.bytes)
		return x->use.sum.bytes < y->use.sum.bytes ? 1 : -1;
	return by_key(a, b);
}

static void sort(struct who_scan *scan, int (*compare)(const void *, const void *))
{
	if (scan->group_count)
		qsort(scan->groups, scan->group_count, sizeof(*scan->groups), compare);
}

/* Adds other to group, and frees it. */
static void merge(struct who_group *group, struct who_group *other, size_t nodes)
{
	group->use.total += other->use.total;
	group->use.sum.bytes += other->use.sum.bytes;
	group->use.partial |= other->use.partial;
	for (size_t n = 0; n < nodes; n++)
		group->memory[n].bytes += other->memory[n].bytes;
	free_group(other);
}

/* Of groups that are sorted by key. */
static void merge_same(struct who_scan *scan, size_t nodes)
{
	size_t kept = 0;

	for (size_t i = 0; i < scan->group_count; i++) {
		if (kept && !by_key(&scan->groups[kept - 1], &scan->groups[i]))
			merge(&scan->groups[kept - 1], &scan->groups[i], nodes);
		else
			scan->groups[kept++] = scan->groups[i];
	}
	scan->group_count = kept;
}

static bool saw_all(const struct who_scan *scan)
{
	return scan->taken && !(scan->refused + scan->unclear + scan->late + scan->beyond);
}

/*
 * What is left out changes a user's sum, but not that of a cgroup: it is known whether that was
 * read.
 */
static bool can_compare(const struct who_watch *watch, const struct who_group *before,
			const struct who_group *group)
{
	if (group->use.partial || (before && before->use.partial))
		return false;
	if (!who_by_cgroups(watch->by))
		return saw_all(&watch->last) && saw_all(&watch->scan);
	return before ? watch->last.taken : saw_all(&watch->last);
}

static void compare_with(const struct who_watch *watch, const struct who_group *before,
			 struct who_group *group)
{
	const bool known = can_compare(watch, before, group);

	group->read_MBps =
		!before || group->read_bytes < before->read_bytes
			? NAN
			: (group->read_bytes - before->read_bytes) / 1e6 / watch->scan.interval_s;
	group->use.sum.growth =
		known ? (double)group->use.sum.bytes - (before ? (double)before->use.sum.bytes : 0)
		      : NAN;
	for (size_t n = 0; n < watch->nodes->count; n++) {
		struct who_memory *memory = &group->memory[n];

		memory->growth = known ? (double)memory->bytes -
						 (before ? (double)before->memory[n].bytes : 0)
				       : NAN;
	}
}

/*
 * Each with itself in the last scan. Those without memory, now and then, are dropped; but not
 * groups of resctrl, which may read that of others.
 */
static void compare_all(struct who_watch *watch)
{
	struct who_scan *scan = &watch->scan, *last = &watch->last;
	size_t kept = 0;

	sort(last, by_key);
	for (size_t i = 0; i < scan->group_count; i++) {
		struct who_group *group = &scan->groups[i];
		const struct who_group *before =
			last->group_count ? bsearch(group, last->groups, last->group_count,
						    sizeof(*group), by_key)
					  : NULL;

		if (watch->by != WHO_BY_RESCTRL && !group->use.sum.bytes &&
		    !(before && before->use.sum.bytes)) {
			free_group(group);
			continue;
		}
		compare_with(watch, before, group);
		scan->groups[kept++] = *group;
	}
	scan->group_count = kept;
}

void who_groups_finish(struct who_watch *watch)
{
	sort(&watch->scan, by_key);
	merge_same(&watch->scan, watch->nodes->count);
	compare_all(watch);
	sort(&watch->scan, by_bytes);
}
