/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and replaces the file of --output. Other users, who may be able to write to its directory,
 * cannot redirect the output of root to other files.
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
 * directory, even if its path leads elsewhere later.
 */
struct file_place {
	int directory; /* descriptor; -1: none */
	char name[NAME_MAX + 1];
};

/* Use of an output, which decides how it is opened. */
enum output_use {
	OUTPUT_WRITTEN,	  /* only written */
	OUTPUT_CONTINUED, /* written; a regular file is opened for reading, too */
	/* replaced as a whole; a regular file is checked, but not kept open, and not created */
	OUTPUT_REPLACED,
};

/*
 * Opens the file name for writing, without truncating it. Creates it if it does not exist, except
 * for OUTPUT_REPLACED and in /dev, where it would be the result of a mistyped device name. caller
 * is the user who called sudo. err must not be NULL.
 *
 * In a world-writable directory (/tmp), the rules of the kernel's fs.protected_symlinks, _regular
 * and _fifos apply, whatever their settings: a link is only followed, and a file only opened, if it
 * belongs to this process's user, the caller or the directory's owner. Other links, /dev/stdout,
 * /dev/fd/N and pipes work as usual.
 *
 * As root, each directory of the path must belong to root or the caller. It must not be
 * world-writable without the sticky bit: another user could redirect the path. Without root no
 * directory is refused, because users can only harm themselves.
 *
 * Returns a descriptor, which the caller closes, or a negative errno: ERROR_PERMISSION (-EACCES,
 * -ENODEV) if a rule forbids it, else ERROR_FAILED.
 *
 * Unless place is NULL, sets *place to the place of a regular file, for later replacement or
 * opening. The caller closes place->directory; for a pipe or a device it is -1.
 *
 * For OUTPUT_REPLACED, place must not be NULL. If the file is regular, the returned descriptor is
 * place->directory, which the caller closes once.
 */
int output_open(const char *name, const struct sudo_user *caller, enum output_use use,
		struct file_place *place, struct error *err);

/*
 * Opens the file that is now at a place, or creates it, by the rules of output_open(). It must be a
 * regular file: no link is followed. name is the output's, for messages. Returns as output_open().
 */
int output_open_again(const struct file_place *place, const char *name,
		      const struct sudo_user *caller, struct error *err);

/*
 * Locks a regular file until it is closed, and checks that it is empty. Pipes and devices always
 * pass. command is the name of the subcommand, such as "record", for messages. Returns 0 or
 * (ERROR_FAILED):
 *
 * - -EWOULDBLOCK: another run has locked the file
 * - -EEXIST: the file is not empty
 */
int output_check_empty(int fd, const char *name, const char *command, struct error *err);

/* Sets ERROR_FAILED, "NAME: cannot be written: ...", for a negative errno, and returns it. */
int output_cannot_write(const char *name, int code, struct error *err);

/*
 * Replaces the contents of the file, or creates it, through a temporary file in the same directory.
 * The mode is kept. Readers see the old contents or the new, never a part. A symbolic link is
 * itself replaced. Returns 0 or, if the file is unchanged, a negative errno. A power failure may
 * lose the new contents.
 */
int replace_file(const struct file_place *file, const char *text, size_t size);

#endif
