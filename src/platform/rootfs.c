/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/rootfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/array.h"

__attribute__((format(printf, 3, 0))) static int write_path(char path[ROOTFS_PATH_SIZE],
							    const char *root, const char *format,
							    va_list args)
{
	const int head = snprintf(path, ROOTFS_PATH_SIZE, "%s%s", root,
				  root[0] && root[strlen(root) - 1] == '/' ? "" : "/");

	if (head < 0 || head >= ROOTFS_PATH_SIZE)
		return -ENAMETOOLONG;
	const int tail = vsnprintf(path + head, (size_t)(ROOTFS_PATH_SIZE - head), format, args);
	return tail < 0 || tail >= ROOTFS_PATH_SIZE - head ? -ENAMETOOLONG : 0;
}

int rootfs_path(char path[ROOTFS_PATH_SIZE], const char *root, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int rc = write_path(path, root, format, args);
	va_end(args);
	return rc;
}

FILE *rootfs_stream(const char *root, const char *format, ...)
{
	char path[ROOTFS_PATH_SIZE];
	struct stat st;
	va_list args;

	va_start(args, format);
	int rc = write_path(path, root, format, args);
	va_end(args);
	errno = -rc;
	const int fd = rc ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	rc = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
	FILE *stream = rc ? NULL : fdopen(fd, "r");
	if (stream)
		return stream;
	rc = rc ? rc : errno;
	close(fd);
	errno = rc;
	return NULL;
}

bool rootfs_exists(const char *root, const char *path)
{
	char full[ROOTFS_PATH_SIZE];
	struct stat st;

	/* not by access(), which leaves a user's capabilities out */
	return !rootfs_path(full, root, "%s", path) && !stat(full, &st);
}

static int read_file(const char path[ROOTFS_PATH_SIZE], char *text, size_t size)
{
	/* a pipe in the place of a file must not make it wait */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	const ssize_t got = read(fd, text, size - 1);
	const int rc = got < 0 ? -errno : (int)got;
	close(fd);
	text[rc < 0 ? 0 : rc] = '\0';
	return rc;
}

int rootfs_read(const char *root, const char *path, char *text, size_t size)
{
	char full[ROOTFS_PATH_SIZE];
	const int rc = rootfs_path(full, root, "%s", path);

	return rc ? rc : read_file(full, text, size);
}

int rootfs_line(const char *root, const char *path, char *line, size_t size)
{
	const int rc = rootfs_read(root, path, line, size);

	if (rc < 0)
		return rc;
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

int rootfs_int(const char *root, int fallback, const char *format, ...)
{
	char path[ROOTFS_PATH_SIZE], line[32], *end;
	va_list args;

	va_start(args, format);
	const int rc = write_path(path, root, format, args);
	va_end(args);
	if (rc || read_file(path, line, sizeof(line)) < 0)
		return fallback;
	line[strcspn(line, "\n")] = '\0';
	errno = 0;
	long value = strtol(line, &end, 10);
	if (errno || end == line || *end || value < INT_MIN || value > INT_MAX)
		return fallback;
	return (int)value;
}

bool sysfs_index(const char *name, const char *prefix, unsigned *number)
{
	const size_t length = strlen(prefix);
	int used = 0;

	return !strncmp(name, prefix, length) && name[length] >= '0' && name[length] <= '9' &&
	       sscanf(name + length, "%u%n", number, &used) == 1 && !name[length + (size_t)used];
}

static int compare(const void *a, const void *b)
{
	const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

static int list_numbers(const char path[ROOTFS_PATH_SIZE], const char *prefix, unsigned **out,
			size_t *count)
{
	DIR *dir = opendir(path);
	unsigned number;
	int rc = 0;

	*out = NULL;
	*count = 0;
	if (!dir)
		return 0;
	for (struct dirent *entry; !rc && (entry = readdir(dir));) {
		if (!sysfs_index(entry->d_name, prefix, &number))
			continue;
		rc = array_room(out, *count, 1, sizeof(**out));
		if (!rc)
			(*out)[(*count)++] = number;
	}
	closedir(dir);
	if (*count)
		qsort(*out, *count, sizeof(**out), compare);
	return rc;
}

int sysfs_indices(const char *root, const char *directory, const char *prefix, unsigned **out,
		  size_t *count)
{
	char path[ROOTFS_PATH_SIZE];

	*out = NULL;
	*count = 0;
	return rootfs_path(path, root, "%s", directory) ? 0
							: list_numbers(path, prefix, out, count);
}

int sysfs_first_index(const char *root, const char *prefix, const char *format, ...)
{
	char path[ROOTFS_PATH_SIZE];
	unsigned *numbers = NULL;
	size_t count;
	int first = -1;
	va_list args;

	va_start(args, format);
	const int rc = write_path(path, root, format, args);
	va_end(args);
	if (!rc && !list_numbers(path, prefix, &numbers, &count) && count)
		first = (int)numbers[0];
	free(numbers);
	return first;
}
