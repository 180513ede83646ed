/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/memory/resctrl.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "linux/kernel/kernel_text.h"
#include "linux/kernel/limits.h"

#define PACKAGES   "mon_PERF_PKG_"
#define COUNT_PATH RESCTRL_DIRECTORY "/%s/mon_data/" PACKAGES "%02u/%s"

static const char *const event_names[GROUP_EVENTS] = {
	[GROUP_CYCLES] = "unhalted_core_cycles",
	[GROUP_STALLED_CYCLES] = "stalls_llc_miss",
};

struct telemetry {
	const char *root; /* while it is opened */
	char **names;
	size_t count;
	unsigned *packages;
	size_t package_count;
	int *files; /* by group, event and package; -1: not open */
};

/* Lists the packages in which a group is counted. -ENODEV: none. */
static int find_packages(const char *root, const char *group, unsigned **packages, size_t *count)
{
	const int rc = sysfs_indices(packages, count, PACKAGES, root,
				     RESCTRL_DIRECTORY "/%s/mon_data", group);

	return rc || *count ? rc : -ENODEV;
}

static int open_count(const char *root, const char *group, unsigned package, enum group_event event)
{
	int fd = rootfs_open(O_RDONLY, root, COUNT_PATH, group, package, event_names[event]);

	if (fd == -EMFILE && file_limit_raise())
		fd = rootfs_open(O_RDONLY, root, COUNT_PATH, group, package, event_names[event]);
	return fd;
}

double telemetry_group_count(const char *root, const char *group, enum group_event event)
{
	unsigned *packages = NULL;
	size_t count = 0;
	double sum = find_packages(root, group, &packages, &count) ? NAN : 0;

	for (size_t i = 0; i < count; i++) {
		const int fd = open_count(root, group, packages[i], event);

		sum += kernel_text_number(fd);
		if (fd >= 0)
			close(fd);
	}
	free(packages);
	return sum;
}

/* Adds a group. The default group, whose path is empty, is called "/". */
static int add_group(void *context, const char *group)
{
	struct telemetry *t = context;
	char *name = strdup(*group ? group : "/");

	if (!name || array_room(&t->names, t->count, 1, sizeof(*t->names))) {
		free(name);
		return -ENOMEM;
	}
	t->names[t->count++] = name;
	return 0;
}

static const char *path_of(const struct telemetry *t, size_t group)
{
	return group ? t->names[group] : "";
}

static int *files_of(const struct telemetry *t, size_t group, enum group_event event)
{
	return &t->files[(group * GROUP_EVENTS + event) * t->package_count];
}

/* Opens the counts of a group; if it was removed meanwhile, all are unknown. */
static int open_group(struct telemetry *t, size_t group)
{
	for (unsigned e = 0; e < GROUP_EVENTS; e++)
		for (size_t i = 0; i < t->package_count; i++) {
			const int fd = open_count(t->root, path_of(t, group), t->packages[i], e);

			files_of(t, group, e)[i] = fd < 0 ? -1 : fd;
			if (fd == -ENOENT && !group)
				return -ENODEV;
			if (fd < 0 && fd != -ENOENT)
				return fd;
		}
	return 0;
}

static int open_groups(struct telemetry *t)
{
	int rc = resctrl_groups(t->root, add_group, t);

	if (rc)
		return rc;
	const size_t files = t->count * GROUP_EVENTS * t->package_count;
	t->files = malloc(files * sizeof(*t->files));
	if (!t->files)
		return -ENOMEM;
	for (size_t i = 0; i < files; i++)
		t->files[i] = -1;
	for (size_t g = 0; !rc && g < t->count; g++)
		rc = open_group(t, g);
	return rc;
}

/* Explains why groups cannot be opened. */
static int explain_file(const char *root, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_no_memory(err);
	if (code == -EMFILE)
		return error_set(err, ERROR_PERMISSION, code,
				 "resctrl: counts of all groups take more files than this process "
				 "may open: expected a higher ulimit -n");
	if (code != -ENODEV || !rootfs_exists(root, RESCTRL_DIRECTORY "/info"))
		return resctrl_error(root, code, err);
	return error_set(err, ERROR_NO_UNIT, code,
			 "resctrl: no events of groups are counted: there is no mon_data/" PACKAGES
			 "*/%s (from Linux 7.0 on, Clearwater Forest)",
			 event_names[GROUP_STALLED_CYCLES]);
}

int telemetry_open(const char *root, struct telemetry **out, struct error *err)
{
	struct telemetry *t = calloc(1, sizeof(*t));

	*out = NULL;
	if (!t)
		return error_no_memory(err);
	t->root = root;
	int rc = find_packages(root, "", &t->packages, &t->package_count);
	if (!rc)
		rc = open_groups(t);
	t->root = NULL;
	if (!rc) {
		*out = t;
		return 0;
	}
	telemetry_close(t);
	return explain_file(root, rc, err);
}

struct task_groups telemetry_groups(const struct telemetry *t)
{
	return (struct task_groups){(const char *const *)t->names, t->count};
}

void telemetry_read(const struct telemetry *t, size_t group, struct group_counts *out)
{
	for (unsigned e = 0; e < GROUP_EVENTS; e++) {
		out->counts[e] = 0;
		for (size_t i = 0; i < t->package_count; i++)
			out->counts[e] += kernel_text_number(files_of(t, group, e)[i]);
	}
}

void telemetry_close(struct telemetry *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->files && i < t->count * GROUP_EVENTS * t->package_count; i++)
		if (t->files[i] >= 0)
			close(t->files[i]);
	for (size_t g = 0; g < t->count; g++)
		free(t->names[g]);
	free(t->names);
	free(t->packages);
	free(t->files);
	free(t);
}
