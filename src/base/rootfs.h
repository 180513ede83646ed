/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading of small text files of sysfs, procfs and securityfs. Each function takes a root directory
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

/* Writes root + "/" + the formatted path. 0, or -ENAMETOOLONG if it does not fit. */
__attribute__((format(printf, 3, 4))) int rootfs_path(char path[ROOTFS_PATH_SIZE], const char *root,
						      const char *format, ...);

/*
 * Opens a file or a directory with these flags of open(2), close-on-exec and non-blocking, so that
 * a pipe in its place does not block. Returns a descriptor, which the caller closes, or a negative
 * errno.
 */
__attribute__((format(printf, 3, 4))) int rootfs_open(int flags, const char *root,
						      const char *format, ...);

/*
 * Opens a regular file, such as those of procfs, for reading; the caller closes it. NULL: errno is
 * the reason, EINVAL if it is not a regular file.
 */
__attribute__((format(printf, 2, 3))) FILE *rootfs_stream(const char *root, const char *format,
							  ...);

/* Returns true if stat() succeeds on the path. */
__attribute__((format(printf, 2, 3))) bool rootfs_exists(const char *root, const char *format, ...);

/*
 * Reads up to size - 1 bytes, by one read(), and ends them with a NUL. Returns their number, or a
 * negative errno with an empty text.
 */
__attribute__((format(printf, 4, 5))) int rootfs_read(char *text, size_t size, const char *root,
						      const char *format, ...);

/*
 * Reads up to size - 1 bytes of the first line, without its newline, by one read(). Returns 0, or a
 * negative errno with an empty line.
 */
__attribute__((format(printf, 4, 5))) int rootfs_line(char *line, size_t size, const char *root,
						      const char *format, ...);

/*
 * Reads a decimal number, which may be negative. Returns fallback if the file cannot be read, has
 * other text, or its number does not fit in an int.
 */
__attribute__((format(printf, 3, 4))) int rootfs_int(const char *root, int fallback,
						     const char *format, ...);

/*
 * Reads a number in a base of strtoull(). Returns 0 if the file cannot be read or has other text.
 */
__attribute__((format(printf, 3, 4))) uint64_t rootfs_number(const char *root, int base,
							     const char *format, ...);

/* Numbered names of sysfs entries: cpu12, node3, mem0. */

/* Returns true if name is prefix and a number ("cpu12", not "cpufreq"), and sets *number to it. */
bool sysfs_index(const char *name, const char *prefix, unsigned *number);

/*
 * Lists the numbers of all entries of a directory whose names are prefix and a number, ascending;
 * none if the directory cannot be opened. Returns 0 or -ENOMEM. The caller frees *out, also after
 * an error.
 */
__attribute__((format(printf, 5, 6))) int sysfs_indices(unsigned **out, size_t *count,
							const char *prefix, const char *root,
							const char *format, ...);

/* Writes all bytes, by as many calls as necessary. 0 or a negative errno. */
int write_all(int fd, const void *bytes, size_t size);

/* Reading whole text files that the user names. */

struct text_file {
	char *text;  /* NUL-terminated; freed with free() */
	size_t size; /* bytes, without the terminating NUL; the text may contain NULs */
};

/*
 * Reads a file. -EINVAL (ERROR_USAGE): it cannot be read, or is longer than max bytes. -ENOMEM: out
 * of memory. After an error, *out is all zero.
 */
int text_file_read(const char *path, size_t max, struct text_file *out, struct error *err);

/*
 * Receives a line, trimmed by text_trim(), which it may change. Returns 0, or an error that ends
 * the reading.
 */
typedef int text_line_fn(void *context, char *line, struct error *err);

/*
 * Calls take() with each line of a file of at most 1 MiB, except lines that are empty or begin with
 * '#'. Lines may end with CR LF. Returns an error of take(), with "FILE:LINE: " before its message;
 * or an error of text_file_read(), here also -EINVAL for a file that contains a NUL.
 */
int text_file_lines(const char *path, text_line_fn *take, void *context, struct error *err);

#endif
