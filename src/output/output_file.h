/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and replaces the file of --output, as root, in a directory that others may be able to write
 * to: they cannot redirect the output to other files.
 */
#ifndef CXLMON_OUTPUT_OUTPUT_FILE_H
#define CXLMON_OUTPUT_OUTPUT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"

/*
 * A file by its open directory and its name there. It is replaced or opened again in this
 * directory, wherever its path leads later.
 */
struct file_place {
	int directory; /* descriptor; -1: none */
	char name[NAME_MAX + 1];
};

/* Use of an output, which decides how it is opened. */
enum output_use {
	OUTPUT_WRITTEN,	  /* only written */
	OUTPUT_CONTINUED, /* written, and a regular file may also be read */
	/* replaced as a whole: a regular file is checked, but neither kept open nor created */
	OUTPUT_REPLACED,
};

/*
 * Opens the file name for writing, without truncating it. Creates it if it does not exist, except
 * for OUTPUT_REPLACED. caller is the user who called sudo. In a world-writable directory (/tmp) the
 * rules of the kernel's fs.protected_symlinks, _regular and _fifos apply, whatever their settings:
 * a link is only followed, and a file only opened, if it belongs to this process's user, the caller
 * or the directory's owner. Other links, /dev/stdout, /dev/fd/N and pipes work as usual.
 *
 * As root, each directory of the path must belong to root or the caller, and must not be
 * world-writable without the sticky bit: another user could redirect the path. Without root no
 * directory is refused, because users can only harm themselves.
 *
 * In /dev no file is created: it would be the result of a mistyped device name, and hard to find.
 *
 * Returns a descriptor, to be closed, or a negative errno: ERROR_PERMISSION (-EACCES, -ENODEV) if a
 * rule forbids it, else ERROR_FAILED. err must not be NULL.
 *
 * place, unless it is NULL, receives the place of a regular file, to be replaced or opened again
 * later. The caller closes place->directory; with OUTPUT_REPLACED it is the returned descriptor.
 * For a pipe or a device place->directory is -1.
 */
int output_open(const char *name, const struct sudo_user *caller, enum output_use use,
		struct file_place *place, struct error *err);

/*
 * Opens the file that is now at a place, or creates it, by the same rules. It must be a regular
 * file: no link is followed. name is the output's, for messages. Returns as output_open() does.
 */
int output_open_again(const struct file_place *place, const char *name,
		      const struct sudo_user *caller, struct error *err);

/*
 * Locks a regular file that must not be overwritten, until it is closed. ERROR_FAILED: another run
 * has locked it (-EWOULDBLOCK), or it is not empty (-EEXIST). Pipes and devices always pass.
 * command: name of the subcommand, "record", for messages.
 */
int output_check_empty(int fd, const char *name, const char *command, struct error *err);

/*
 * Replaces the contents of the file, or creates it, through a temporary file in the same directory;
 * its mode is kept (file_process.c). Readers see the old contents or the new, never a part. A
 * symbolic link is itself replaced. Returns 0, or a negative errno: the file is unchanged. The new
 * contents may be lost in a power failure.
 */
int replace_file(const struct file_place *file, const char *text, size_t size);

#endif
