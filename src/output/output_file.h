/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and replaces the file of --output, as root, in a directory that others may be able to
 * write to.
 */
#ifndef CXLMON_OUTPUT_OUTPUT_FILE_H
#define CXLMON_OUTPUT_OUTPUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"

/*
 * A file by its directory, which is opened once: wherever the path leads later, the file is
 * replaced or opened again there.
 */
struct file_place {
	int directory; /* not owned; -1: none */
	char name[NAME_MAX + 1];
};

/* What an output is opened for. */
enum output_use {
	OUTPUT_WRITTEN,
	OUTPUT_CONTINUED, /* the same; a regular file may be read, too */
	OUTPUT_REPLACED,  /* as a whole: a regular file, also a new one, is found and not opened */
};

/*
 * Opens name for writing, without truncating it; creates it if needed. In a world-writable
 * directory (/tmp) the rules of the kernel's fs.protected_symlinks, _regular and _fifos apply,
 * whatever their settings: a link is only followed, and a file only opened, if it belongs to us,
 * the caller or the directory's owner. Other links, /dev/stdout, /dev/fd/N and pipes work as usual.
 *
 * As root, each directory of the path must belong to root or the caller, and must not be
 * world-writable without the sticky bit: another user could lead the path elsewhere. A user's own
 * rights are no more than that user's, so that others may use any directory.
 *
 * In /dev no file is created, which somebody who has mistyped a device's name would not find again.
 *
 * Returns a descriptor, to be closed, or a negative errno: ERROR_PERMISSION if a rule forbids it,
 * else ERROR_FAILED.
 *
 * place, unless it is NULL: of a regular file, where it was found, to be replaced or opened again
 * later, with a descriptor of its directory that is to be closed; of OUTPUT_REPLACED, the one that
 * is returned. Else (a pipe, a device) place->directory is -1.
 */
int output_open(const char *name, const struct sudo_user *caller, enum output_use use,
		struct file_place *place, struct error *err);

/*
 * Opens the file that is at that place now, or a new one, by the same rules. It must be a regular
 * file: no link is followed. name: of the output, in messages.
 */
int output_open_again(const struct file_place *place, const char *name,
		      const struct sudo_user *caller, struct error *err);

/*
 * A file that must not be overwritten: ERROR_FAILED if another run writes to it, or it is not
 * empty. It stays locked until it is closed. command: "record", for messages.
 */
int output_check_empty(int fd, const char *name, const char *command, struct error *err);

/*
 * file_process.c: replaces the contents of the file, or creates it, through a temporary file in the
 * same directory; its mode is kept: readers see the old contents or the new, never a part. A
 * symbolic link is replaced itself. 0 or a negative errno, and then the file is unchanged. The new
 * contents may be lost on a power failure.
 */
int replace_file(const struct file_place *file, const char *text, size_t size);

#endif
