/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces a file as a whole: its readers see the old contents or the new, never a part. */
#ifndef CXLMON_REPLACE_H
#define CXLMON_REPLACE_H

#include <stddef.h>

#include "output/file_place.h"

/*
 * Replaces the contents of the file, or creates it, through a temporary file in the same directory;
 * its mode is kept. A symbolic link is replaced itself. 0 or a negative errno, and then the file is
 * unchanged. The new contents may be lost on a power failure.
 */
int replace_file(const struct file_place *file, const char *text, size_t size);

/* Whether files can be created in the directory: creates and removes one. 0 or a negative errno. */
int replace_try(const struct file_place *file);

#endif
