/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/who_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "platform/clock.h"
#include "probe/who/cgroup_names.h"

#define MOUNT	    "sys/fs/cgroup"
#define UNIFIED	    MOUNT "/unified" /* beside version 1: systemd's hybrid mode */
#define MEMORY_V1   MOUNT "/memory"
#define HUGETLB_V1  MOUNT "/hugetlb"
#define CONTROLLERS "cgroup.controllers"
#define NUMA_STAT   "memory.numa_stat"

/* A walk through the tree. */
struct walk {
	struct who_watch *watch;
	struct error *err;
	uint64_t until;		     /* ns */
	char path[ROOTFS_PATH_SIZE]; /* of the cgroup that is looked at, below the root directory */
	size_t mount;		     /* length of its part that is not the cgroup's own path */
	size_t path_most;	     /* its greatest length, so that its files can be opened */
	size_t looked_at;
	bool v1;     /* memory is controlled by version 1, whose hierarchies are apart */
	bool huge;   /* the hugetlb controller is there */
	bool late;   /* until has come */
	size_t with; /* cgroups with memory by node */
};

/* "/" is the root's. */
static const char *own_path(const struct walk *w)
{
	return w->path[w->mount] ? w->path + w->mount : "/";
}

/* What there is no need to look below: its memory contains theirs. */
static bool find_name(const struct walk *w, char name[CGROUP_NAME_SIZE])
{
	switch (w->watch->by) {
	case WHO_BY_CONTAINER:
		return cgroup_container_name(own_path(w), name);
	case WHO_BY_VM:
		return cgroup_vm_name(own_path(w), name);
	default:
		return false;
	}
}

static void add_bytes(uint64_t sums[NUMA_NODES_MOST], const uint64_t bytes[NUMA_NODES_MOST])
{
	for (size_t i = 0; i < NUMA_NODES_MOST; i++)
		if (__builtin_add_overflow(sums[i], bytes[i], &sums[i]))
			sums[i] = UINT64_MAX;
}

/*
 * Adds the huge pages of all sizes, where they are counted for this cgroup: version 1 may have none
 * of this path for them.
 */
static int add_huge_pages(const struct walk *w, uint64_t bytes[NUMA_NODES_MOST])
{
	const char *root = w->watch->root;
	char cgroup[ROOTFS_PATH_SIZE], path[ROOTFS_PATH_SIZE];
	uint64_t huge[NUMA_NODES_MOST];

	snprintf(cgroup, sizeof(cgroup), "%s%s", w->v1 ? HUGETLB_V1 : w->path,
		 w->v1 ? w->path + w->mount : "");
	int rc = rootfs_path(path, root, "%s", cgroup);
	DIR *dir = rc ? NULL : opendir(path);
	if (!dir && !rc && w->v1 && errno == ENOENT)
		return 0;
	if (!dir)
		return rc ? rc : -errno;
	for (struct dirent *entry; !rc && (entry = readdir(dir));) {
		if (fnmatch("hugetlb.*.numa_stat", entry->d_name, 0))
			continue;
		rc = hugetlb_stat_read(root, cgroup, entry->d_name, w->v1, huge);
		if (!rc)
			add_bytes(bytes, huge);
	}
	closedir(dir);
	return rc;
}

/* name: NULL where its path is its name. */
static int take_directory(struct walk *w, const char *name)
{
	struct who_scan *scan = &w->watch->scan;
	uint64_t bytes[NUMA_NODES_MOST];
	char path[ROOTFS_PATH_SIZE];
	struct who_row *group;
	int rc = numa_stat_read(w->watch->root, w->path, w->v1, bytes);

	if (!rc && w->huge)
		rc = add_huge_pages(w, bytes);
	switch (rc) {
	case 0:
		scan->read++;
		group = who_rows_add(&scan->groups, w->watch->nodes, own_path(w),
				     name ? name : printable(own_path(w), path, sizeof(path)));
		if (!group)
			return error_no_memory(w->err);
		who_row_set_memory(group, w->watch->nodes, bytes);
		return 0;
	case -EACCES:
	case -EPERM:
		scan->refused++;
		return 0;
	case -ENOENT:
	case -ENODEV: /* it was removed */
		return 0;
	default:
		scan->unclear++;
		return 0;
	}
}

static int look_at(struct walk *w, int above, const char *name, unsigned depth);

/* Those below the cgroup of a directory. */
static int look_below(struct walk *w, DIR *dir, unsigned depth)
{
	const size_t length = strlen(w->path);
	int rc = 0;

	for (struct dirent *entry; !rc && (entry = readdir(dir));) {
		if (entry->d_name[0] == '.' && (!entry->d_name[1] || entry->d_name[1] == '.'))
			continue;
		if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
			continue;
		if (length + 1 + strlen(entry->d_name) > w->path_most) {
			w->watch->scan.beyond++;
			continue;
		}
		snprintf(w->path + length, sizeof(w->path) - length, "/%s", entry->d_name);
		rc = look_at(w, dirfd(dir), entry->d_name, depth + 1);
		w->path[length] = '\0';
	}
	return rc;
}

/* Whether a cgroup may still be looked at; *rc: an error. */
static bool may_look(struct walk *w, unsigned depth, int *rc)
{
	struct who_watch *watch = w->watch;
	struct who_scan *scan = &watch->scan;

	*rc = watch->wake ? who_watch_wait(watch, 0, w->err) : 0;
	if (*rc)
		return false;
	if (depth > CGROUPS_DEPTH_MOST || w->looked_at >= CGROUPS_MOST) {
		scan->beyond++;
		return false;
	}
	w->late |= watch->platform->ops->clock->now(watch->platform) >= w->until;
	scan->late += w->late;
	return !w->late;
}

/* The cgroup of w->path, and those below it. above, name: its directory; no link is followed. */
static int look_at(struct walk *w, int above, const char *name, unsigned depth)
{
	char named[CGROUP_NAME_SIZE];
	int rc;

	const int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		w->watch->scan.refused += errno == EACCES || errno == EPERM;
		return 0;
	}
	DIR *dir = may_look(w, depth, &rc) ? fdopendir(fd) : NULL;
	if (!dir) {
		close(fd);
		return rc;
	}
	w->looked_at++;
	const size_t with = w->with;
	const bool has = rootfs_exists(w->watch->root, "%s/" NUMA_STAT, w->path),
		   is_named = has && find_name(w, named);
	if (!is_named)
		rc = look_below(w, dir, depth);
	closedir(dir);
	const bool is_leaf = with == w->with;
	w->with += has;
	w->watch->scan.seen += has;
	if (rc || !has || !(is_named || (is_leaf && w->watch->by == WHO_BY_CGROUP)))
		return rc;
	return take_directory(w, is_named ? named : NULL);
}

/* Whether version 2 controls memory; if so, and where it is mounted otherwise, w->path. */
static bool find_v2(struct walk *w)
{
	char list[512];
	const char *root = w->watch->root;
	const bool all = !rootfs_line(list, sizeof(list), root, MOUNT "/" CONTROLLERS);

	if (!all && rootfs_line(list, sizeof(list), root, UNIFIED "/" CONTROLLERS))
		return false;
	strcpy(w->path, all ? MOUNT : UNIFIED);
	w->huge = strstr(list, "hugetlb");
	return strstr(list, "memory");
}

/* Where memory is controlled, w->path. A cgroup of version 2 may be called memory, too. */
static int find_mount(struct walk *w, struct error *err)
{
	const char *root = w->watch->root;

	if (!find_v2(w)) {
		w->v1 = rootfs_exists(root, MEMORY_V1) &&
			!rootfs_exists(root, MEMORY_V1 "/" CONTROLLERS);
		if (w->v1 && !rootfs_exists(root, MEMORY_V1 "/" NUMA_STAT))
			return error_set(err, ERROR_PERMISSION, -ENOTSUP,
					 "memory is controlled by cgroup v1, without a file "
					 "memory.numa_stat: this kernel has no NUMA support "
					 "(CONFIG_NUMA)");
		if (!w->v1)
			return error_set(err, ERROR_PERMISSION, -ENOTSUP,
					 *w->path ? "cgroup v2 has no memory controller (was the "
						    "kernel booted with cgroup_disable=memory?)"
						  : "no cgroups are mounted on /" MOUNT);
		w->huge = rootfs_exists(root, HUGETLB_V1);
		strcpy(w->path, MEMORY_V1);
	}
	w->mount = strlen(w->path);
	w->watch->scan.lacking = !w->v1	   ? CGROUP_ALL
				 : w->huge ? CGROUP_NO_KERNEL
					   : CGROUP_NO_KERNEL_OR_HUGE;
	return 0;
}

static int check_support(const struct walk *w, struct error *err)
{
	const struct who_scan *scan = &w->watch->scan;

	if (w->with || scan->refused + scan->late + scan->beyond)
		return 0;
	return error_set(
		err, ERROR_PERMISSION, -ENOTSUP,
		"no cgroup has a file memory.numa_stat: it is of Linux 5.10 or later, with "
		"CONFIG_NUMA, where cgroup.subtree_control has memory");
}

int who_cgroups_add(struct who_watch *watch, uint64_t until, struct error *err)
{
	struct walk w = {.watch = watch, .err = err, .until = until};
	char path[ROOTFS_PATH_SIZE], file[ROOTFS_PATH_SIZE];
	int rc = find_mount(&w, err);

	if (!rc && (rootfs_path(path, watch->root, "%s", w.path) ||
		    rootfs_path(file, watch->root, "%s/" NUMA_STAT, w.path)))
		rc = error_set(err, ERROR_FAILED, -ENAMETOOLONG, "%s: too long", watch->root);
	if (rc)
		return rc;
	w.path_most = strlen(w.path) + sizeof(file) - 1 - strlen(file);
	rc = look_at(&w, AT_FDCWD, path, 0);
	return rc ? rc : check_support(&w, err);
}

/* Whether a cgroup is a row's, or is within one: then path ends with it, and name is the row's. */
static bool find_group(enum who_by by, char path[ROOTFS_PATH_SIZE], char name[ROOTFS_PATH_SIZE])
{
	bool (*const find_of)(const char *, char *) =
		by == WHO_BY_CONTAINER ? cgroup_container_name : cgroup_vm_name;

	if (by == WHO_BY_CGROUP) {
		printable(path, name, ROOTFS_PATH_SIZE);
		return true;
	}
	/* the outermost one */
	for (char *end = path; *end;) {
		end += 1 + strcspn(end + 1, "/");
		const char next = *end;

		*end = '\0';
		if (find_of(path, name))
			return true;
		*end = next;
	}
	return false;
}

int who_cgroups_sum_up(struct who_watch *watch)
{
	struct platform *p = watch->platform;
	struct who_scan *scan = &watch->scan;
	char path[ROOTFS_PATH_SIZE], name[ROOTFS_PATH_SIZE];

	for (size_t i = 0; i < scan->processes.count; i++) {
		const struct who_row *process = &scan->processes.at[i];

		if (!p->ops->processes->cgroup(p, process->pid, path) ||
		    !find_group(watch->by, path, name))
			continue;
		struct who_row *group = who_rows_add(&scan->groups, watch->nodes, path, name);
		if (!group)
			return -ENOMEM;
		who_row_add(group, watch->nodes, process);
	}
	return 0;
}
