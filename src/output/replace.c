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

#define NEW_FILE_MODE 0644 /* readable by all: collectors run as other users */

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

char *replace_target(const char *path)
{
	return realpath(path, NULL);
}

/* The name begins with a dot and ends with random characters, so that collectors ignore it. */
static int temporary_name(const char *target, char name[PATH_MAX])
{
	const char *slash = strrchr(target, '/'), *base = slash ? slash + 1 : target;
	const int length =
		snprintf(name, PATH_MAX, "%.*s.%s.XXXXXX", (int)(base - target), target, base);

	return length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* The mode for the new file: that of the old one. */
static int choose_mode(const char *target, mode_t *mode)
{
	struct stat st;

	*mode = NEW_FILE_MODE;
	if (!stat(target, &st))
		*mode = st.st_mode & 07777;
	else if (errno != ENOENT)
		return -errno;
	return 0;
}

int replace_file(const char *target, const char *text, size_t size)
{
	char temporary[PATH_MAX];
	mode_t mode;
	int rc = choose_mode(target, &mode);

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
