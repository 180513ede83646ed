/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rootfs.h"
#include "base/share.h"
#include "linux/system/linux_platform.h"
#include "linux/system/numa_maps.h"

#define MOUNT	    "sys/fs/cgroup"
#define UNIFIED	    MOUNT "/unified" /* next to version 1: systemd's hybrid mode */
#define MEMORY_V1   MOUNT "/memory"
#define HUGETLB_V1  MOUNT "/hugetlb"
#define CONTROLLERS "cgroup.controllers"
#define NUMA_STAT   "memory.numa_stat"

/* A walk through the tree. */
struct walk {
	const char *root;
	const struct cgroup_visitor *visitor;
	struct cgroups_walked *out;
	char path[ROOTFS_PATH_SIZE]; /* directory of the current cgroup, below .root */
	size_t mount;		     /* bytes of .path before the cgroup's own path */
	size_t path_most;	     /* bytes of the longest .path whose files can be opened */
	struct share share;	     /* cgroups by owner */
	struct linux_subuids *subuids;
	bool v1;   /* version 1 controls memory; each of its controllers has its own tree */
	bool huge; /* the hugetlb controller exists */
};

/* The path of the current cgroup; "/" for the root cgroup. */
static const char *own_path(const struct walk *w)
{
	return w->path[w->mount] ? w->path + w->mount : "/";
}

static void add_bytes(uint64_t sums[NUMA_NODES_MOST], const uint64_t bytes[NUMA_NODES_MOST])
{
	for (size_t i = 0; i < NUMA_NODES_MOST; i++)
		if (__builtin_add_overflow(sums[i], bytes[i], &sums[i]))
			sums[i] = UINT64_MAX;
}

/*
 * Adds the huge pages of all sizes, if they are counted for this cgroup: in version 1, hugetlb has
 * a tree of its own, which may lack the path.
 */
static int add_huge_pages(struct walk *w, uint64_t bytes[NUMA_NODES_MOST])
{
	char cgroup[ROOTFS_PATH_SIZE], path[ROOTFS_PATH_SIZE];
	uint64_t huge[NUMA_NODES_MOST];
	bool counted = w->v1;

	snprintf(cgroup, sizeof(cgroup), "%s%s", w->v1 ? HUGETLB_V1 : w->path,
		 w->v1 ? w->path + w->mount : "");
	int rc = rootfs_path(path, w->root, "%s", cgroup);
	DIR *dir = rc ? NULL : opendir(path);
	if (!dir && !rc && w->v1 && errno == ENOENT)
		return 0;
	if (!dir)
		return rc ? rc : -errno;
	for (struct dirent *entry; !rc && (entry = readdir(dir));) {
		if (fnmatch("hugetlb.*.numa_stat", entry->d_name, 0))
			continue;
		counted = true;
		rc = hugetlb_stat_read(w->root, cgroup, entry->d_name, w->v1, huge);
		if (!rc)
			add_bytes(bytes, huge);
	}
	closedir(dir);
	w->out->no_huge |= !counted;
	return rc;
}

static int visit_cgroup(struct walk *w)
{
	uint64_t bytes[NUMA_NODES_MOST];
	int rc = numa_stat_read(w->root, w->path, w->v1, bytes);

	if (!rc && w->huge)
		rc = add_huge_pages(w, bytes);
	switch (rc) {
	case 0:
		w->out->visited++;
		return w->visitor->visit(w->visitor->context,
					 &(struct listed_cgroup){own_path(w), bytes});
	case -EACCES:
	case -EPERM:
		w->out->refused++;
		return 0;
	case -ENOENT:
	case -ENODEV: /* the cgroup was removed */
		return 0;
	default:
		w->out->unclear++;
		return 0;
	}
}

static int look_at(struct walk *w, int above, const char *name, unsigned depth);

/* Looks at the cgroups below the current one, whose directory is open. */
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
			w->out->beyond++;
			continue;
		}
		snprintf(w->path + length, sizeof(w->path) - length, "/%s", entry->d_name);
		rc = look_at(w, dirfd(dir), entry->d_name, depth + 1);
		w->path[length] = '\0';
	}
	return rc;
}

/*
 * Counts a cgroup for the owner of its directory, who may have made it in a user namespace. False:
 * the owner has too many.
 */
static bool take_share(struct walk *w, int directory)
{
	struct stat st;

	return !fstat(directory, &st) &&
	       share_take(&w->share, linux_subuid_owner(w->subuids, w->root, st.st_uid), 1);
}

/* Tells if a cgroup may still be looked at. *rc: the error that ends the walk, or 0. */
static bool may_look(struct walk *w, int directory, unsigned depth, int *rc)
{
	const int late = w->visitor->go_on(w->visitor->context);

	*rc = late == -ETIME ? 0 : late;
	if (*rc)
		return false;
	if (late)
		w->out->late++;
	else if (depth > CGROUPS_DEPTH_MOST || !take_share(w, directory))
		w->out->beyond++;
	else
		return true;
	return false;
}

/* Looks at the cgroup of w->path and those below it. name: its directory in the directory above. */
static int look_at(struct walk *w, int above, const char *name, unsigned depth)
{
	const struct cgroup_visitor *visitor = w->visitor;
	int rc;

	const int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		w->out->refused += errno == EACCES || errno == EPERM;
		return 0;
	}
	DIR *dir = may_look(w, fd, depth, &rc) ? fdopendir(fd) : NULL;
	if (!dir) {
		close(fd);
		return rc;
	}
	const size_t seen = w->out->seen;
	const bool has = rootfs_exists(w->root, "%s/" NUMA_STAT, w->path),
		   stops = has && visitor->stops_at &&
			   visitor->stops_at(visitor->context, own_path(w));
	if (!stops)
		rc = look_below(w, dir, depth);
	closedir(dir);
	const bool is_leaf = seen == w->out->seen;
	w->out->seen += has;
	return !rc && has && (stops || (is_leaf && !visitor->stops_at)) ? visit_cgroup(w) : rc;
}

/* Tells if version 2 controls memory. Sets w->path if version 2 is mounted. */
static bool find_v2(struct walk *w)
{
	char list[512];
	const char *root = w->root;
	const bool all = !rootfs_line(list, sizeof(list), root, MOUNT "/" CONTROLLERS);

	if (!all && rootfs_line(list, sizeof(list), root, UNIFIED "/" CONTROLLERS))
		return false;
	strcpy(w->path, all ? MOUNT : UNIFIED);
	w->huge = strstr(list, "hugetlb");
	return strstr(list, "memory");
}

/* Sets w->path to the tree that controls memory. A version 2 cgroup may have the name memory. */
static int find_mount(struct walk *w, struct error *err)
{
	const char *root = w->root;

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
	w->out->v1 = w->v1;
	w->out->no_huge = !w->huge;
	return 0;
}

/* Tells if the machine has, or may have, huge pages of any size: proc_meminfo(5). */
static bool has_huge_pages(const char *root)
{
	static const char key[] = "\nHugetlb:";
	char text[8192];

	if (rootfs_read(text, sizeof(text), root, "proc/meminfo") < 0)
		return true;
	const char *line = strstr(text, key);
	return line && strtoull(line + strlen(key), NULL, 10);
}

static int check_support(const struct walk *w, struct error *err)
{
	if (w->out->seen + w->out->refused + w->out->late + w->out->beyond)
		return 0;
	return error_set(err, ERROR_PERMISSION, -ENOTSUP,
			 "no cgroup has a file memory.numa_stat: it needs Linux 5.10 or later with "
			 "CONFIG_NUMA, and memory in cgroup.subtree_control");
}

static int walk_cgroups(struct platform *p, const struct cgroup_visitor *visitor,
			struct cgroups_walked *out, struct error *err)
{
	struct walk w = {.root = linux_of(p)->root,
			 .visitor = visitor,
			 .out = out,
			 .subuids = &linux_of(p)->subuids};
	char path[ROOTFS_PATH_SIZE], file[ROOTFS_PATH_SIZE];

	*out = (struct cgroups_walked){.seen = 0};
	int rc = find_mount(&w, err);
	if (!rc && (rootfs_path(path, w.root, "%s", w.path) ||
		    rootfs_path(file, w.root, "%s/" NUMA_STAT, w.path)))
		rc = error_set(err, ERROR_FAILED, -ENAMETOOLONG, "%s: too long", w.root);
	if (rc)
		return rc;
	if (share_init(&w.share, visitor->most))
		return error_no_memory(err);
	w.path_most = strlen(w.path) + sizeof(file) - 1 - strlen(file);
	rc = look_at(&w, AT_FDCWD, path, 0);
	share_free(&w.share);
	out->no_huge = out->no_huge && has_huge_pages(w.root);
	return rc ? rc : check_support(&w, err);
}

const struct cgroup_ops linux_cgroups = {.walk = walk_cgroups};
