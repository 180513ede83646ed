/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW_FILE_MODE  0644 /* readable by all: collectors run as other users */
#define RANDOM_LETTERS 6    /* as mkstemp(3) */
#define ATTEMPTS       100  /* if a file has that name */

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

/* A new file. Its name begins with a dot and ends at random, so that collectors ignore it. */
static int create_temporary(const struct file_place *file, char name[NAME_MAX + 1])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345"; /* 32: no bias */
	unsigned char bytes[RANDOM_LETTERS];
	char end[RANDOM_LETTERS + 1] = "";

	for (unsigned i = 0; i < ATTEMPTS; i++) {
		if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
			return -EIO;
		for (size_t n = 0; n < RANDOM_LETTERS; n++)
			end[n] = letters[bytes[n] % (sizeof(letters) - 1)];
		snprintf(name, NAME_MAX + 1, ".%.*s.%s", NAME_MAX - 2 - RANDOM_LETTERS, file->name,
			 end);
		/* these flags are those that the seccomp filter allows */
		const int fd =
			openat(file->directory, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd < 0 ? -errno : fd;
	}
	return -EEXIST;
}

/* The mode for the new file: that of the old one, but never set-user-ID. */
static int choose_mode(const struct file_place *file, mode_t *mode)
{
	struct stat st;

	*mode = NEW_FILE_MODE;
	if (!fstatat(file->directory, file->name, &st, AT_SYMLINK_NOFOLLOW))
		*mode = S_ISREG(st.st_mode) ? st.st_mode & 0777 : NEW_FILE_MODE;
	else if (errno != ENOENT)
		return -errno;
	return 0;
}

int replace_file(const struct file_place *file, const char *text, size_t size)
{
	char temporary[NAME_MAX + 1];
	mode_t mode;
	int rc = choose_mode(file, &mode);

	if (rc)
		return rc;
	const int fd = create_temporary(file, temporary);
	if (fd < 0)
		return fd;
	rc = write_all(fd, text, size);
	if (!rc && fchmod(fd, mode))
		rc = -errno;
	if (close(fd) && !rc)
		rc = -errno;
	if (!rc && renameat(file->directory, temporary, file->directory, file->name))
		rc = -errno;
	if (rc)
		unlinkat(file->directory, temporary, 0);
	return rc;
}

int replace_try(const struct file_place *file)
{
	char temporary[NAME_MAX + 1];
	const int fd = create_temporary(file, temporary);

	if (fd < 0)
		return fd;
	close(fd);
	return unlinkat(file->directory, temporary, 0) ? -errno : 0;
}
