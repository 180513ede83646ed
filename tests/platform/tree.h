/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory tree of small files, made and removed again. */
#ifndef CXLMON_TEST_TREE_H
#define CXLMON_TEST_TREE_H

#include <stddef.h>

/* All end the process with a message where they fail: nothing can be published then. */

/* Makes the directories that lead to root/path. */
void tree_parents(const char *root, const char *path);
void tree_directory(const char *root, const char *path);
/* Writes text to root/path, replacing what was there. */
__attribute__((format(printf, 3, 4))) void tree_text(const char *root, const char *path,
						     const char *format, ...);
/* Overwrites its beginning, at once; a test may have removed the file. */
__attribute__((format(printf, 3, 4))) void tree_overwrite(const char *root, const char *path,
							  const char *format, ...);
void tree_bytes(const char *root, const char *path, const void *bytes, size_t length);
void tree_link(const char *root, const char *path, const char *target);
/* A second name for root/target. */
void tree_hard_link(const char *root, const char *path, const char *target);

/* Removes root/path and all below it. */
void tree_remove(const char *root, const char *path);

#endif
