/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/perf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "base/text.h"
#include "linux/kernel/limits.h"
#include "linux/system/linux_platform.h"
#include "platform/perf.h"

#define DEVICES "sys/bus/event_source/devices"

#define RELEASE_SIZE 65 /* as in struct utsname */

#define TEXT_SIZE NUMLIST_SIZE /* more than any file of sysfs has */

/* Reads up to the end of the file. -EFBIG: it is too long for a file of sysfs. */
static int read_whole(int fd, char text[TEXT_SIZE])
{
	size_t used = 0;
	ssize_t got;

	while ((got = read(fd, text + used, TEXT_SIZE - used)) > 0) {
		used += (size_t)got;
		if (used == TEXT_SIZE)
			return -EFBIG;
	}
	if (got < 0)
		return -errno;
	text[used] = '\0';
	if (strlen(text) != used)
		return -EINVAL;
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

/* Reads a file, with O_NONBLOCK: a pipe in its place must not block. */
static int read_text(int directory, const char *name, char text[TEXT_SIZE])
{
	const int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -errno;
	int rc = fstat(fd, &st) ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (!rc)
		rc = read_whole(fd, text);
	close(fd);
	return rc;
}

/* Opens a directory. NULL: errno is set. */
static DIR *open_directory(int parent, const char *name)
{
	const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static int copy_name(const char *name, char out[PERF_NAME_SIZE])
{
	const size_t length = strlen(name);

	if (length >= PERF_NAME_SIZE)
		return -ENAMETOOLONG;
	memcpy(out, name, length + 1);
	return 0;
}

static int read_type(int directory, struct perf_pmu *pmu)
{
	char text[TEXT_SIZE];
	uint64_t type;
	int rc = read_text(directory, "type", text);

	if (!rc && (!text_number(text, &type) || type > UINT32_MAX))
		rc = -EINVAL;
	if (!rc)
		pmu->type = (uint32_t)type;
	return rc;
}

/*
 * Reads the PMU's CPUs. An empty list is an error: a die's CPUs are all offline, and without a list
 * events would be opened on every CPU.
 */
static int read_cpus(int directory, struct perf_pmu *pmu)
{
	char text[TEXT_SIZE];
	int rc = read_text(directory, "cpumask", text);

	if (rc == -ENOENT)
		return 0;
	if (!rc && !*text)
		return -ENODEV;
	return rc ? rc : numlist_read(text, AFFINITY_CPUS, &pmu->cpus, &pmu->cpu_count);
}

static int append_format(int directory, const char *name, struct perf_pmu *pmu)
{
	struct perf_format format = {.word = 0};
	char text[TEXT_SIZE];
	int rc = copy_name(name, format.name);

	if (!rc)
		rc = read_text(directory, name, text);
	if (!rc && !perf_parse_format(text, &format))
		rc = -EINVAL;
	if (rc)
		return rc;
	rc = array_room(&pmu->formats, pmu->format_count, 1, sizeof(*pmu->formats));
	if (!rc)
		pmu->formats[pmu->format_count++] = format;
	return rc;
}

static int append_alias(int directory, const char *name, struct perf_pmu *pmu)
{
	struct perf_alias alias = {.config = {0}};
	char text[TEXT_SIZE];
	int rc = copy_name(name, alias.name);

	if (!rc)
		rc = read_text(directory, name, text);
	if (!rc)
		rc = perf_parse_alias(pmu, text, &alias);
	if (rc)
		return rc;
	rc = array_room(&pmu->aliases, pmu->alias_count, 1, sizeof(*pmu->aliases));
	if (!rc)
		pmu->aliases[pmu->alias_count++] = alias;
	return rc;
}

/*
 * Calls append() with each file of a folder; files that it refuses are left out. -ENOENT: no such
 * folder.
 */
static int read_folder(int directory, const char *folder, const char *what,
		       int (*append)(int directory, const char *name, struct perf_pmu *pmu),
		       const struct log *log, struct perf_pmu *pmu)
{
	DIR *dir = open_directory(directory, folder);
	int rc = 0;

	if (!dir)
		return -errno;
	for (struct dirent *entry; rc != -ENOMEM && (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		rc = append(dirfd(dir), entry->d_name, pmu);
		if (rc)
			log_write(log, LEVEL_DETAIL, "PMU '%s': %s '%s' is left out: %s",
				  quoted(pmu->name).text, what, quoted(entry->d_name).text,
				  strerror(-rc));
	}
	closedir(dir);
	return rc == -ENOMEM ? rc : 0;
}

/* Compares structs that begin with their name. */
static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Reads the formats. The kernel's own software events have none. */
static int read_formats(int directory, const struct log *log, struct perf_pmu *pmu)
{
	int rc = read_folder(directory, "format", "format", append_format, log, pmu);

	if (pmu->format_count)
		qsort(pmu->formats, pmu->format_count, sizeof(*pmu->formats), by_name);
	return rc == -ENOENT ? 0 : rc;
}

static bool begins_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* Reads the named events, only for PMUs whose events are used: others have many. */
static int read_aliases(int directory, const struct log *log, struct perf_pmu *pmu)
{
	const bool read = begins_with(pmu->name, PERF_CXL_PREFIX) ||
			  begins_with(pmu->name, PERF_NVIDIA_PREFIX);
	int rc = read ? read_folder(directory, "events", "event", append_alias, log, pmu) : 0;

	if (pmu->alias_count)
		qsort(pmu->aliases, pmu->alias_count, sizeof(*pmu->aliases), by_name);
	return rc == -ENOMEM ? rc : 0;
}

/* Reads a PMU. *file: the file that cannot be used, if any. */
static int read_pmu(int directory, const struct log *log, struct perf_pmu *pmu, const char **file)
{
	int rc = read_type(directory, pmu);

	*file = "type";
	if (rc)
		return rc;
	*file = "cpumask";
	rc = read_cpus(directory, pmu);
	if (rc)
		return rc;
	*file = "format";
	rc = read_formats(directory, log, pmu);
	if (rc)
		return rc;
	*file = "events";
	return read_aliases(directory, log, pmu);
}

static int append_pmu(int devices, const char *name, const struct log *log, struct perf_pmus *out)
{
	const int directory = openat(devices, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct perf_pmu pmu = {.type = 0};
	int rc = directory < 0 ? -errno : copy_name(name, pmu.name);
	const char *file = "";

	if (!rc)
		rc = read_pmu(directory, log, &pmu, &file);
	if (directory >= 0)
		close(directory);
	if (!rc)
		rc = array_room(&out->items, out->count, 1, sizeof(*out->items));
	if (rc) {
		log_write(log, LEVEL_DETAIL, "PMU '%s' is left out: %s%s%s", quoted(name).text,
			  file, *file ? ": " : "", strerror(-rc));
		perf_pmu_free(&pmu);
		return rc;
	}
	out->items[out->count++] = pmu;
	return 0;
}

int linux_perf_pmus(struct platform *p, struct perf_pmus *out, struct error *err)
{
	const char *root = linux_of(p)->root;
	char path[ROOTFS_PATH_SIZE], release[RELEASE_SIZE];
	int rc = rootfs_path(path, root, DEVICES);

	rootfs_line(release, sizeof(release), root, "proc/sys/kernel/osrelease");
	*out = (struct perf_pmus){.kernel = perf_parse_kernel(release)};
	if (rc)
		return error_set(err, ERROR_USAGE, rc, "%s: path too long", root);
	DIR *dir = open_directory(AT_FDCWD, path);
	if (!dir)
		return errno == ENOENT ? 0
				       : error_set(err, ERROR_FAILED, -errno, "%s: %s", path,
						   strerror(errno));
	for (struct dirent *entry; rc != -ENOMEM && (entry = readdir(dir));)
		if (entry->d_name[0] != '.')
			rc = append_pmu(dirfd(dir), entry->d_name, &p->log, out);
	closedir(dir);
	if (rc == -ENOMEM) {
		perf_pmus_free(out);
		return error_no_memory(err);
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_name);
	return 0;
}
