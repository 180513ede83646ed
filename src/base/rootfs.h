/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading of text files, such as those of sysfs. A rootfs_...() function takes a root directory
 * (--root), usually "/", and a printf() format of the path below it.
 */
#ifndef CXLMON_BASE_ROOTFS_H
#define CXLMON_BASE_ROOTFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define ROOTFS_PATH_SIZE 1024

/* Writes root + "/" + the formatted path. Returns 0, or -ENAMETOOLONG if it does not fit. */
__attribute__((format(printf, 3, 4))) int rootfs_path(char path[ROOTFS_PATH_SIZE], const char *root,
						      const char *format, ...);

/*
 * Opens a file or a directory with the given flags of open(2) and O_CLOEXEC, O_NOCTTY, O_NONBLOCK.
 * So the call does not wait if the path is a FIFO. Returns a descriptor, which the caller closes,
 * or a negative errno.
 */
__attribute__((format(printf, 3, 4))) int rootfs_open(int flags, const char *root,
						      const char *format, ...);

/*
 * Opens a regular file for reading; the caller closes the stream. After an error, returns NULL and
 * sets errno: EINVAL if the path is not a regular file.
 */
__attribute__((format(printf, 2, 3))) FILE *rootfs_stream(const char *root, const char *format,
							  ...);

/* Returns true if stat() succeeds on the path. */
__attribute__((format(printf, 2, 3))) bool rootfs_exists(const char *root, const char *format, ...);

/*
 * Reads up to size - 1 bytes by one read(), and appends a NUL. Returns the number of bytes. After
 * an error, returns a negative errno and sets text to "".
 */
__attribute__((format(printf, 4, 5))) int rootfs_read(char *text, size_t size, const char *root,
						      const char *format, ...);

/*
 * Reads up to size - 1 bytes of the first line by one read(), without the newline. Returns 0. After
 * an error, returns a negative errno and sets line to "".
 */
__attribute__((format(printf, 4, 5))) int rootfs_line(char *line, size_t size, const char *root,
						      const char *format, ...);

/*
 * Returns the decimal number in a file, which may be negative. If the file cannot be read, has
 * other text, or the number does not fit in an int, returns fallback.
 */
__attribute__((format(printf, 3, 4))) int rootfs_int(const char *root, int fallback,
						     const char *format, ...);

/*
 * Returns the unsigned number in a file; base is the argument of strtoull(). If the file cannot be
 * read or has other text, returns 0. If the number does not fit, returns UINT64_MAX.
 */
__attribute__((format(printf, 3, 4))) uint64_t rootfs_number(const char *root, int base,
							     const char *format, ...);

/* Numbered names of sysfs entries: cpu12, node3, mem0. */

/*
 * Returns true if name is prefix and a number of 32 bits ("cpu12", not "cpufreq"), and sets
 * *number. After false, *number means nothing.
 */
bool sysfs_index(const char *name, const char *prefix, unsigned *number);

/*
 * Lists the numbers of a directory's entries whose names are prefix and a number, ascending. If the
 * directory cannot be opened, the list is empty. Returns 0 or -ENOMEM. The caller frees *out, also
 * after an error.
 */
__attribute__((format(printf, 5, 6))) int sysfs_indices(unsigned **out, size_t *count,
							const char *prefix, const char *root,
							const char *format, ...);

/* Writes all bytes, by as many calls of write() as necessary. Returns 0 or a negative errno. */
int write_all(int fd, const void *bytes, size_t size);

/* Reading whole text files that the user names. */

struct text_file {
	char *text;  /* NUL-terminated; freed with free() */
	size_t size; /* bytes, without the terminating NUL; the text may contain NULs */
};

/*
 * Reads a file. Returns 0 or -ENOMEM. If the file cannot be read, or is longer than max bytes,
 * returns -EINVAL (ERROR_USAGE). After an error, *out is all zero.
 */
int text_file_read(const char *path, size_t max, struct text_file *out, struct error *err);

/*
 * Receives a line without blanks and tabs at both ends, and may change the line. Returns 0. To end
 * the reading, sets *err and returns its code.
 */
typedef int text_line_fn(void *context, char *line, struct error *err);

/*
 * Calls take() with each line of a file of at most 1 MiB, except lines that are empty or begin with
 * '#'. Lines may end with CR LF. Returns 0, or the first error:
 * - an error of take(), with "FILE:LINE: " before its message
 * - an error of text_file_read()
 * - -EINVAL (ERROR_USAGE): the file contains a NUL
 */
int text_file_lines(const char *path, text_line_fn *take, void *context, struct error *err);

#endif
