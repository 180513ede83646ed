/* SPDX-License-Identifier: BSD-3-Clause */
#include "tree.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/rootfs.h"

static void join(char full[ROOTFS_PATH_SIZE], const char *root, const char *path)
{
	if (rootfs_path(full, root, "%s", path))
		errx(1, "%s/%s: path too long", root, path);
}

static void make_directories(char *full)
{
	for (char *slash = full + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(full, 0755) && errno != EEXIST)
			err(1, "%s", full);
		*slash = '/';
	}
}

void tree_parents(const char *root, const char *path)
{
	char full[ROOTFS_PATH_SIZE];

	join(full, root, path);
	make_directories(full);
}

void tree_directory(const char *root, const char *path)
{
	char full[ROOTFS_PATH_SIZE];

	join(full, root, path);
	make_directories(full);
	if (mkdir(full, 0755) && errno != EEXIST)
		err(1, "%s", full);
}

void tree_bytes(const char *root, const char *path, const void *bytes, size_t length)
{
	char full[ROOTFS_PATH_SIZE];

	join(full, root, path);
	make_directories(full);
	int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, bytes, length) != (ssize_t)length || close(fd))
		err(1, "%s", full);
}

void tree_text(const char *root, const char *path, const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		errx(1, "out of memory");
	tree_bytes(root, path, text, (size_t)length);
	free(text);
}

void tree_overwrite(const char *root, const char *path, const char *format, ...)
{
	char full[ROOTFS_PATH_SIZE], *text;
	va_list args;

	va_start(args, format);
	const int length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		errx(1, "out of memory");
	join(full, root, path);
	const int fd = open(full, O_WRONLY | O_CLOEXEC);
	if (fd < 0 ? errno != ENOENT : pwrite(fd, text, (size_t)length, 0) != length)
		err(1, "%s", full);
	if (fd >= 0)
		close(fd);
	free(text);
}

void tree_link(const char *root, const char *path, const char *target)
{
	char full[ROOTFS_PATH_SIZE];

	join(full, root, path);
	make_directories(full);
	if (symlink(target, full))
		err(1, "%s", full);
}

void tree_hard_link(const char *root, const char *path, const char *target)
{
	char full[ROOTFS_PATH_SIZE], from[ROOTFS_PATH_SIZE];

	join(full, root, path);
	join(from, root, target);
	make_directories(full);
	if (link(from, full))
		err(1, "%s", full);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path) && errno != ENOENT ? -1 : 0;
}

void tree_remove(const char *root, const char *path)
{
	char full[ROOTFS_PATH_SIZE];

	join(full, root, path);
	if (nftw(full, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) && errno != ENOENT)
		warn("%s", full);
}
