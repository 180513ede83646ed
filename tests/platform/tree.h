/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A directory tree of small files. Paths are below root, and formatted as by printf(); missing
 * directories on the way are made. All functions end the process with a message after a failure,
 * because nothing can then be published.
 */
#ifndef CXLMON_TEST_TREE_H
#define CXLMON_TEST_TREE_H

#include <stddef.h>

__attribute__((format(printf, 2, 3))) void tree_directory(const char *root, const char *path, ...);

/* Writes the text of "PATH=TEXT" to the file, replacing its content. */
__attribute__((format(printf, 2, 3))) void tree_text(const char *root, const char *assignment, ...);
/* Overwrites the beginning of an existing file, "PATH=TEXT", in one call. Makes no file. */
__attribute__((format(printf, 2, 3))) void tree_overwrite(const char *root, const char *assignment,
							  ...);
/* Makes a sparse file of length zeros. */
__attribute__((format(printf, 3, 4))) void tree_zeros(const char *root, size_t length,
						      const char *path, ...);
__attribute__((format(printf, 4, 5))) void tree_bytes(const char *root, const void *bytes,
						      size_t length, const char *path, ...);
/* Makes the link of "PATH=TARGET". */
__attribute__((format(printf, 2, 3))) void tree_link(const char *root, const char *assignment, ...);
/* Makes another name for root/FILE, for "PATH=FILE". */
__attribute__((format(printf, 2, 3))) void tree_hard_link(const char *root, const char *assignment,
							  ...);

/* Removes root/path and everything below it. */
void tree_remove(const char *root, const char *path);

#endif
