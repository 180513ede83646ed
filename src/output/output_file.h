/* SPDX-License-Identifier: BSD-3-Clause */
/* The file behind --output. It is opened as root, while others may write to its directory. */
#ifndef CXLMON_OUTPUT_FILE_H
#define CXLMON_OUTPUT_FILE_H

#include "linux/sudo_user.h"
#include "platform/error.h"

/*
 * Opens name for writing, and creates it where it isn't there; what is in it stays. In a directory
 * that everybody may write to (/tmp) the rules are those of the kernel's fs.protected_symlinks,
 * _regular and _fifos, whatever these are set to: a link is not followed, and a file not taken,
 * that belongs to anybody but us, the caller or the directory's owner. Links elsewhere,
 * /dev/stdout, /dev/fd/N and pipes are what they always are.
 *
 * A descriptor (to be closed), or a negative errno: EXIT_PERMISSION where one of these rules
 * forbids it, else EXIT_FAILED.
 */
int output_open(const char *name, const struct sudo_user *caller, struct error *err);

#endif
