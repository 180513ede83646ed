/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW_FILE_MODE 0644 /* for all to read, as collectors run as others */

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		const ssize_t written = write(fd, text, size);

		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			text += written;
			size -= (size_t)written;
		}
	}
	return 0;
}

/* What path leads to, and the mode that it has; one that isn't there is made by that name. */
static int resolve(const char *path, char target[PATH_MAX], mode_t *mode)
{
	struct stat st;

	*mode = NEW_FILE_MODE;
	if (realpath(path, target) && !stat(target, &st)) {
		*mode = st.st_mode & 07777;
		return 0;
	}
	if (errno != ENOENT)
		return -errno;
	return snprintf(target, PATH_MAX, "%s%s", strchr(path, '/') ? "" : "./", path) < PATH_MAX
		       ? 0
		       : -ENAMETOOLONG;
}

/* The name begins with a dot and ends with chance, so that no collector takes it for a file. */
static int temporary_name(const char *target, char name[PATH_MAX])
{
	const int directory = (int)(strrchr(target, '/') - target);
	const int length = snprintf(name, PATH_MAX, "%.*s/.%s.XXXXXX", directory, target,
				    target + directory + 1);

	return length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

int replace_file(const char *path, const char *text, size_t size)
{
	char target[PATH_MAX], temporary[PATH_MAX];
	mode_t mode;
	int rc = resolve(path, target, &mode);

	if (!rc)
		rc = temporary_name(target, temporary);
	if (rc)
		return rc;
	int fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	rc = write_all(fd, text, size);
	if (!rc && fchmod(fd, mode))
		rc = -errno;
	if (close(fd) && !rc)
		rc = -errno;
	if (!rc && rename(temporary, target))
		rc = -errno;
	if (rc)
		unlink(temporary);
	return rc;
}
