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

/* Returns root/PATH, freed by the caller. For "PATH=TEXT", *text is the text. */
static char *join(const char *root, const char *format, va_list args, char **text)
{
	char *path, *full;

	if (vasprintf(&path, format, args) < 0 || asprintf(&full, "%s/%s", root, path) < 0)
		errx(1, "out of memory");
	free(path);
	*text = strchr(full + strlen(root), '=');
	if (*text)
		*(*text)++ = '\0';
	return full;
}

/* Returns the same path, and makes the directories that lead there. */
static char *make(const char *root, const char *format, va_list args, char **text)
{
	char *full = join(root, format, args, text);

	for (char *slash = full + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(full, 0755) && errno != EEXIST)
			err(1, "%s", full);
		*slash = '/';
	}
	return full;
}

void tree_directory(const char *root, const char *path, ...)
{
	char *full, *text;
	va_list args;

	va_start(args, path);
	full = make(root, path, args, &text);
	va_end(args);
	if (mkdir(full, 0755) && errno != EEXIST)
		err(1, "%s", full);
	free(full);
}

void tree_text(const char *root, const char *assignment, ...)
{
	char *full, *text;
	va_list args;

	va_start(args, assignment);
	full = make(root, assignment, args, &text);
	va_end(args);
	FILE *file = fopen(full, "we");
	if (!file || fputs(text, file) < 0 || fclose(file))
		err(1, "%s", full);
	free(full);
}

void tree_overwrite(const char *root, const char *assignment, ...)
{
	char *full, *text;
	va_list args;

	va_start(args, assignment);
	full = join(root, assignment, args, &text);
	va_end(args);
	const size_t length = strlen(text);
	const int fd = open(full, O_WRONLY | O_CLOEXEC);
	if (fd < 0 ? errno != ENOENT : pwrite(fd, text, length, 0) != (ssize_t)length)
		err(1, "%s", full);
	if (fd >= 0)
		close(fd);
	free(full);
}

static void write_bytes(char *full, const void *bytes, size_t written, size_t length)
{
	const int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, bytes, written) != (ssize_t)written ||
	    ftruncate(fd, (off_t)length) || close(fd))
		err(1, "%s", full);
	free(full);
}

void tree_zeros(const char *root, size_t length, const char *path, ...)
{
	char *full, *text;
	va_list args;

	va_start(args, path);
	full = make(root, path, args, &text);
	va_end(args);
	write_bytes(full, "", 0, length);
}

void tree_bytes(const char *root, const void *bytes, size_t length, const char *path, ...)
{
	char *full, *text;
	va_list args;

	va_start(args, path);
	full = make(root, path, args, &text);
	va_end(args);
	write_bytes(full, bytes, length, length);
}

void tree_link(const char *root, const char *assignment, ...)
{
	char *full, *target;
	va_list args;

	va_start(args, assignment);
	full = make(root, assignment, args, &target);
	va_end(args);
	if (symlink(target, full))
		err(1, "%s", full);
	free(full);
}

void tree_hard_link(const char *root, const char *assignment, ...)
{
	char *full, *file, *from;
	va_list args;

	va_start(args, assignment);
	full = make(root, assignment, args, &file);
	va_end(args);
	if (asprintf(&from, "%s/%s", root, file) < 0 || link(from, full))
		err(1, "%s", full);
	free(from);
	free(full);
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
	char *full;

	if (asprintf(&full, "%s/%s", root, path) < 0)
		errx(1, "out of memory");
	if (nftw(full, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) && errno != ENOENT)
		warn("%s", full);
	free(full);
}
