/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/devdax.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "base/text.h"
#include "linux/run/process.h"
#include "platform/memory.h"

#define DRIVER "device_dax"

/* Tells if a device is in devdax mode; in system-ram mode its driver is kmem. */
static bool is_in_devdax_mode(const char *root, const char *name)
{
	char path[ROOTFS_PATH_SIZE], target[ROOTFS_PATH_SIZE];
	ssize_t length = -1;

	if (!rootfs_path(path, root, DAX_BUS "/%s/driver", name))
		length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return false;
	target[length] = '\0';
	return !strcmp(text_last_name(target), DRIVER);
}

static int by_name(const void *a, const void *b)
{
	const struct devdax *x = a, *y = b;

	return strverscmp(x->name, y->name);
}

static int add_device(const char *root, const char *name, struct devdax **out, size_t *count)
{
	unsigned region, number;
	int end = 0;

	if (sscanf(name, "dax%9u.%9u%n", &region, &number, &end) != 2 || name[end] ||
	    !is_in_devdax_mode(root, name))
		return 0;
	if (array_room(out, *count, 1, sizeof(**out)))
		return -ENOMEM;
	struct devdax *device = &(*out)[(*count)++];
	snprintf(device->name, sizeof(device->name), "dax%u.%u", region, number);
	device->node = rootfs_int(root, -1, DAX_BUS "/%s/target_node", name);
	return 0;
}

int devdax_list(const char *root, struct devdax **out, size_t *count)
{
	char path[ROOTFS_PATH_SIZE];
	DIR *dir = rootfs_path(path, root, DAX_BUS) ? NULL : opendir(path);
	int rc = 0;

	*out = NULL;
	*count = 0;
	if (!dir)
		return 0;
	for (struct dirent *entry; !rc && (entry = readdir(dir));)
		rc = add_device(root, entry->d_name, out, count);
	closedir(dir);
	if (*count)
		qsort(*out, *count, sizeof(**out), by_name);
	if (rc) {
		free(*out);
		*out = NULL;
		*count = 0;
	}
	return rc;
}

/* Physical memory. */

static int read_number(const char *root, const char *device, const char *file, uint64_t *out)
{
	char line[32];
	const int rc = rootfs_line(line, sizeof(line), root, DAX_BUS "/%s/%s", device, file);

	*out = rc ? 0 : strtoull(line, NULL, 0);
	return rc;
}

static int add_range(const struct devdax *device, uint64_t first, uint64_t size,
		     struct memory_map *map)
{
	if (!size || first > UINT64_MAX - size)
		return -EINVAL;
	if (array_room(&map->ranges, map->count, 1, sizeof(*map->ranges)))
		return -ENOMEM;
	map->ranges[map->count++] = (struct memory_range){first, first + size, device->node};
	return 0;
}

/* Adds one of a device's several ranges; "end" is the last byte. */
static int add_mapping(const char *root, const struct devdax *device, unsigned number,
		       struct memory_map *map)
{
	uint64_t start, end = 0;
	char file[32];

	snprintf(file, sizeof(file), "mapping%u/start", number);
	int rc = read_number(root, device->name, file, &start);
	snprintf(file, sizeof(file), "mapping%u/end", number);
	if (!rc)
		rc = read_number(root, device->name, file, &end);
	if (!rc && end < start)
		rc = -EINVAL;
	return rc ? rc : add_range(device, start, end - start + 1, map);
}

int devdax_add_ranges(const char *root, const struct devdax *device, struct memory_map *map)
{
	uint64_t first, size;
	unsigned *numbers;
	size_t count;
	int rc = sysfs_indices(&numbers, &count, "mapping", root, DAX_BUS "/%s", device->name);

	for (size_t i = 0; !rc && i < count; i++)
		rc = add_mapping(root, device, numbers[i], map);
	free(numbers);
	if (rc || count)
		return rc;
	/* kernels with only one range */
	rc = read_number(root, device->name, "resource", &first);
	if (!rc)
		rc = read_number(root, device->name, "size", &size);
	return rc ? rc : add_range(device, first, size, map);
}

/* Processes. */

/*
 * Tells if a mapping has the name of a device, "/dev/dax0.0", which is followed by " (deleted)" if
 * the device was disabled.
 */
static bool has_name_of(const struct proc_mapping *mapping, const struct devdax *device)
{
	static const char dev[] = "/dev/";
	const size_t length = strlen(device->name);
	const char *name = mapping->name + sizeof(dev) - 1, *end = name + length;

	return !strncmp(mapping->name, dev, sizeof(dev) - 1) &&
	       !strncmp(name, device->name, length) && (!*end || !strcmp(end, " (deleted)"));
}

/*
 * Tells if a mapping is of a device. If a process has a /dev of its own, as in a container, any
 * file may have that name. Root can see the mapped file: proc(5), /proc/PID/map_files.
 */
static bool is_of(const char *root, unsigned pid, const struct proc_mapping *mapping,
		  const struct devdax *device)
{
	char path[ROOTFS_PATH_SIZE], line[32];
	unsigned major_number, minor_number;
	struct stat file;

	if (!has_name_of(mapping, device))
		return false;
	if (rootfs_path(path, root, "proc/%u/map_files/%" PRIx64 "-%" PRIx64, pid, mapping->start,
			mapping->end) ||
	    stat(path, &file))
		return true;
	if (!S_ISCHR(file.st_mode))
		return false;
	return rootfs_line(line, sizeof(line), root, DAX_BUS "/%s/dev", device->name) ||
	       sscanf(line, "%9u:%9u", &major_number, &minor_number) != 2 ||
	       file.st_rdev == makedev(major_number, minor_number);
}

int devdax_mapped(const char *root, unsigned pid, const struct devdax *devices, size_t count,
		  uint64_t *bytes)
{
	struct proc_mapping mapping;
	char line[256];

	memset(bytes, 0, count * sizeof(*bytes));
	FILE *in = count ? rootfs_stream(root, "proc/%u/maps", pid) : NULL;
	if (!in)
		return count ? -errno : 0;
	while (proc_maps_next(in, line, sizeof(line), &mapping))
		for (size_t i = 0; i < count; i++)
			if (is_of(root, pid, &mapping, &devices[i]))
				bytes[i] += mapping.end - mapping.start;
	const int rc = ferror(in) ? -EIO : 0;
	fclose(in);
	return rc;
}
