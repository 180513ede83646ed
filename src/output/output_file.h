/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the file of --output, as root, in a directory that others may be able to write to. */
#ifndef CXLMON_OUTPUT_FILE_H
#define CXLMON_OUTPUT_FILE_H

#include "linux/sudo_user.h"
#include "output/replace.h"
#include "platform/error.h"

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
 * Returns a descriptor, to be closed, or a negative errno: EXIT_PERMISSION if a rule forbids it,
 * else EXIT_FAILED.
 */
int output_open(const char *name, const struct sudo_user *caller, struct error *err);

/*
 * The same for an output that is replaced as a whole. If name is a regular file, or does not exist
 * yet, nothing is created: *file can be replaced, and the descriptor is that of its directory.
 * Else (a pipe, a device) file->directory is -1, and the descriptor is opened for writing.
 */
int output_open_replaced(const char *name, const struct sudo_user *caller,
			 struct replaced_file *file, struct error *err);

#endif
