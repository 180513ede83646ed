/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces a file as a whole: its readers see the old contents or the new, never a part. */
#ifndef CXLMON_REPLACE_H
#define CXLMON_REPLACE_H

#include <stddef.h>

/*
 * The absolute path of the existing file that path leads to, without symbolic links. To be freed;
 * or NULL, and errno is set. The seccomp filter refuses getcwd(), so it is called before that.
 */
char *replace_target(const char *path);

/*
 * Replaces the contents of a file, or creates it, through a temporary file in the same directory;
 * its mode is kept. A symbolic link is replaced itself: see replace_target(). 0 or a negative
 * errno, and then the file is unchanged. The new contents may be lost on a power failure.
 */
int replace_file(const char *target, const char *text, size_t size);

#endif
