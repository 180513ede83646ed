/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and replaces the file of --output, as root, in a directory that others may be able to write
 * to.
 */
#ifndef CXLMON_OUTPUT_OUTPUT_FILE_H
#define CXLMON_OUTPUT_OUTPUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"

/*
 * A file in a directory that is opened once: it is replaced or opened again there, wherever its
 * path leads later.
 */
struct file_place {
	int directory; /* not owned; -1: none */
	char name[NAME_MAX + 1];
};

/* Uses of an output. */
enum output_use {
	OUTPUT_WRITTEN,
	OUTPUT_CONTINUED, /* written, and a regular file may also be read */
	OUTPUT_REPLACED,  /* replaced as a whole, without opening a regular file, also a new one */
};

/*
 * Opens name for writing, without truncating it; creates it if needed. In a world-writable
 * directory (/tmp) the rules of the kernel's fs.protected_symlinks, _regular and _fifos apply,
 * whatever their settings: a link is only followed, and a file only opened, if it belongs to us,
 * the caller or the directory's owner. Other links, /dev/stdout, /dev/fd/N and pipes work as usual.
 *
 * As root, each directory of the path must belong to root or the caller, and must not be
 * world-writable without the sticky bit: another user could redirect the path. Without root no
 * directory is refused, because users can only harm themselves.
 *
 * In /dev no file is created: it would be the result of a mistyped device name, and hard to find.
 *
 * Returns a descriptor, to be closed, or a negative errno: ERROR_PERMISSION if a rule forbids it,
 * else ERROR_FAILED.
 *
 * place, unless it is NULL, receives the place of a regular file, to be replaced or opened again
 * later. It has a descriptor of the directory that is to be closed; with OUTPUT_REPLACED this is
 * the returned one. For a pipe or a device place->directory is -1.
 */
int output_open(const char *name, const struct sudo_user *caller, enum output_use use,
		struct file_place *place, struct error *err);

/*
 * Opens the file that is now at a place, or a new file, by the same rules. It must be a regular
 * file: no link is followed. name: the output's, for messages.
 */
int output_open_again(const struct file_place *place, const char *name,
		      const struct sudo_user *caller, struct error *err);

/*
 * Checks and locks a file that must not be overwritten: ERROR_FAILED if another run writes to it,
 * or it is not empty. It stays locked until it is closed. command: "record", for messages.
 */
int output_check_empty(int fd, const char *name, const char *command, struct error *err);

/*
 * Replaces the contents of the file, or creates it, through a temporary file in the same directory;
 * its mode is kept (file_process.c). Readers see the old contents or the new, never a part. A
 * symbolic link is itself replaced. 0, or a negative errno: the file is unchanged. The new contents
 * may be lost in a power failure.
 */
int replace_file(const struct file_place *file, const char *text, size_t size);

#endif
