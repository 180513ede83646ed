/* SPDX-License-Identifier: BSD-3-Clause */
/* Small text files of sysfs, procfs and securityfs below a root directory (--root). */
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
 * Opens a file or a directory, close-on-exec and non-blocking, so that a pipe in its place does not
 * block. Returns a descriptor, which the caller closes, or a negative errno.
 */
__attribute__((format(printf, 3, 4))) int rootfs_open(int flags, const char *root,
						      const char *format, ...);

/*
 * Opens a regular file, such as those of procfs, for reading; the caller closes it. NULL: errno is
 * the reason, EINVAL if it is not a regular file.
 */
__attribute__((format(printf, 2, 3))) FILE *rootfs_stream(const char *root, const char *format,
							  ...);

__attribute__((format(printf, 2, 3))) bool rootfs_exists(const char *root, const char *format, ...);

/*
 * Reads up to size - 1 bytes, by one read(), and ends them with a NUL. Returns their number, or a
 * negative errno with an empty text.
 */
__attribute__((format(printf, 4, 5))) int rootfs_read(char *text, size_t size, const char *root,
						      const char *format, ...);

/*
 * Reads the first line, without its newline, by one read(). 0, or a negative errno with an empty
 * line.
 */
__attribute__((format(printf, 4, 5))) int rootfs_line(char *line, size_t size, const char *root,
						      const char *format, ...);

/* Reads a decimal number, which may be negative; fallback if there is none. */
__attribute__((format(printf, 3, 4))) int rootfs_int(const char *root, int fallback,
						     const char *format, ...);

/* Reads a number in a base of strtoull(); 0 if there is none. */
__attribute__((format(printf, 3, 4))) uint64_t rootfs_number(const char *root, int base,
							     const char *format, ...);

/* Numbered names of sysfs entries: cpu12, node3, mem0. */

/* Tells if name is prefix + number ("cpu12"; not "cpufreq"), and sets *number. */
bool sysfs_index(const char *name, const char *prefix, unsigned *number);

/*
 * Lists the numbers of all such entries of a directory below root, ascending; none if the directory
 * does not exist. The caller frees *out. 0 or -ENOMEM.
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

/* Reads a file. -EINVAL (ERROR_USAGE): it cannot be read, or is longer than max bytes. */
int text_file_read(const char *path, size_t max, struct text_file *out, struct error *err);

/* Receives a line, without blanks at its ends, which it may change. */
typedef int text_line_fn(void *context, char *line, struct error *err);

/*
 * Calls take() with each line of a file of at most 1 MiB, except lines that are empty or begin with
 * '#'. Lines may end with CR LF. An error of take() is returned, its text after the file and the
 * line's number; other errors are those of text_file_read().
 */
int text_file_lines(const char *path, text_line_fn *take, void *context, struct error *err);

#endif
