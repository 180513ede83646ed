/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A directory tree of small files, made and removed again. Paths are below a root, and formatted;
 * the directories that lead there are made. All functions end the process with a message where they
 * fail: nothing can be published then.
 */
#ifndef CXLMON_TEST_TREE_H
#define CXLMON_TEST_TREE_H

#include <stddef.h>

__attribute__((format(printf, 2, 3))) void tree_directory(const char *root, const char *path, ...);

/* "PATH=TEXT": writes the text to the file, replacing what was there. */
__attribute__((format(printf, 2, 3))) void tree_text(const char *root, const char *assignment, ...);
/* The same, but overwrites its beginning, at once; makes nothing: a test may have removed the file.
 */
__attribute__((format(printf, 2, 3))) void tree_overwrite(const char *root, const char *assignment,
							  ...);
/* So many zeros, which take no room. */
__attribute__((format(printf, 3, 4))) void tree_zeros(const char *root, size_t length,
						      const char *path, ...);
__attribute__((format(printf, 4, 5))) void tree_bytes(const char *root, const void *bytes,
						      size_t length, const char *path, ...);
/* "PATH=TARGET" */
__attribute__((format(printf, 2, 3))) void tree_link(const char *root, const char *assignment, ...);
/* "PATH=FILE": a second name for root/FILE. */
__attribute__((format(printf, 2, 3))) void tree_hard_link(const char *root, const char *assignment,
							  ...);

/* Removes root/path and all below it. */
void tree_remove(const char *root, const char *path);

#endif
