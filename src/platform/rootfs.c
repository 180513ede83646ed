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

int rootfs_path(char path[ROOTFS_PATH_SIZE], const char *root, const char *format, ...)
{
	int head = snprintf(path, ROOTFS_PATH_SIZE, "%s%s", root,
			    root[0] && root[strlen(root) - 1] == '/' ? "" : "/");
	if (head < 0 || head >= ROOTFS_PATH_SIZE)
		return -ENAMETOOLONG;

	va_list args;
	va_start(args, format);
	int tail = vsnprintf(path + head, (size_t)(ROOTFS_PATH_SIZE - head), format, args);
	va_end(args);
	return tail < 0 || tail >= ROOTFS_PATH_SIZE - head ? -ENAMETOOLONG : 0;
}

FILE *rootfs_stream(const char path[ROOTFS_PATH_SIZE])
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return NULL;
	int rc = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
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

int rootfs_read(const char *root, const char *path, char *text, size_t size)
{
	char full[ROOTFS_PATH_SIZE];
	int rc = rootfs_path(full, root, "%s", path);
	if (rc)
		return rc;

	/* a pipe in the place of a file must not make it wait */
	int fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	ssize_t got = read(fd, text, size - 1);
	rc = got < 0 ? -errno : (int)got;
	close(fd);
	text[rc < 0 ? 0 : rc] = '\0';
	return rc;
}

int rootfs_line(const char *root, const char *path, char *line, size_t size)
{
	const int rc = rootfs_read(root, path, line, size);

	if (rc < 0)
		return rc;
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

int rootfs_int(const char *root, const char *path, int fallback)
{
	char line[32];
	char *end;

	if (rootfs_line(root, path, line, sizeof(line)))
		return fallback;
	errno = 0;
	long value = strtol(line, &end, 10);
	if (errno || end == line || *end || value < INT_MIN || value > INT_MAX)
		return fallback;
	return (int)value;
}

bool numbered_name(const char *name, const char *prefix, unsigned *number)
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

int numbered_list(const char *root, const char *directory, const char *prefix, unsigned **out,
		  size_t *count)
{
	char path[ROOTFS_PATH_SIZE];
	DIR *dir = rootfs_path(path, root, "%s", directory) ? NULL : opendir(path);
	unsigned number;
	int rc = 0;

	*out = NULL;
	*count = 0;
	if (!dir)
		return 0;
	for (struct dirent *entry; !rc && (entry = readdir(dir));) {
		if (!numbered_name(entry->d_name, prefix, &number))
			continue;
		unsigned *grown = reallocarray(*out, *count + 1, sizeof(*grown));
		if (grown) {
			*out = grown;
			grown[(*count)++] = number;
		} else {
			rc = -ENOMEM;
		}
	}
	closedir(dir);
	if (*count)
		qsort(*out, *count, sizeof(**out), compare);
	return rc;
}

int numbered_first(const char *root, const char *directory, const char *prefix)
{
	unsigned *numbers;
	size_t count;
	int first = -1;

	if (!numbered_list(root, directory, prefix, &numbers, &count) && count)
		first = (int)numbers[0];
	free(numbers);
	return first;
}
