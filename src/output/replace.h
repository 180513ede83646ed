/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is replaced as a whole: whoever reads it finds the old text or the new, never a part.
 */
#ifndef CXLMON_REPLACE_H
#define CXLMON_REPLACE_H

#include <stddef.h>

/*
 * Replaces what a file holds, or makes it, through a temporary file beside it; its mode stays.
 * Where path is a symbolic link, the file it leads to is replaced. 0 or a negative errno, and then
 * the file is as it was. It is not made to outlast a power failure.
 */
int replace_file(const char *path, const char *text, size_t size);

#endif
