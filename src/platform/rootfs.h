/* SPDX-License-Identifier: BSD-3-Clause */
/* Small text files of sysfs, procfs and securityfs below a root directory (--root). */
#ifndef CXLMON_ROOTFS_H
#define CXLMON_ROOTFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "platform/error.h"

#define ROOTFS_PATH_SIZE 1024

/* Writes root + "/" + the formatted path. 0, or -ENAMETOOLONG if it does not fit. */
__attribute__((format(printf, 3, 4))) int rootfs_path(char path[ROOTFS_PATH_SIZE], const char *root,
						      const char *format, ...);

/*
 * Opens a regular file, such as those of procfs, for reading; the caller closes it. NULL: errno
 * says why, EINVAL for what is no regular file: a pipe in the place of one is not waited for.
 */
__attribute__((format(printf, 2, 3))) FILE *rootfs_stream(const char *root, const char *format,
							  ...);

bool rootfs_exists(const char *root, const char *path);

/*
 * Reads up to size - 1 bytes, by one read(), and ends them with a NUL. Returns how many, or a
 * negative errno.
 */
int rootfs_read(const char *root, const char *path, char *text, size_t size);

/* Reads the first line without its newline, cut off at size - 1 bytes. 0 or a negative errno. */
int rootfs_line(const char *root, const char *path, char *line, size_t size);

/* Reads a decimal number, which may be negative; fallback if there is none. */
__attribute__((format(printf, 3, 4))) int rootfs_int(const char *root, int fallback,
						     const char *format, ...);

/* Numbered names of sysfs entries: cpu12, node3, mem0. */

/* Whether name is prefix + number ("cpu12"; not "cpufreq"); *number is set. */
bool sysfs_index(const char *name, const char *prefix, unsigned *number);

/*
 * The numbers of all such entries of a directory below root, ascending; none if the directory does
 * not exist. *out is freed by the caller. 0 or -ENOMEM.
 */
int sysfs_indices(const char *root, const char *directory, const char *prefix, unsigned **out,
		  size_t *count);

/* The lowest of them; -1: none. */
__attribute__((format(printf, 3, 4))) int sysfs_first_index(const char *root, const char *prefix,
							    const char *format, ...);

/* Reading whole text files that the user names. */

struct text_file {
	char *text;  /* NUL-terminated; freed with free() */
	size_t size; /* bytes, without the terminating NUL; the text may contain NULs */
};

/* -EINVAL (EXIT_USAGE): cannot be read, or longer than max bytes. */
int text_file_read(const char *path, size_t max, struct text_file *out, struct error *err);

/* Takes a line, without blanks at its ends; it may change it. */
typedef int text_line_fn(void *context, char *line, struct error *err);

/*
 * Calls take() with each line of a file of 1 MiB at most, but those that are empty or begin with
 * '#'. Lines may end with CR LF. An error of take() is returned, its text after the file and the
 * line's number; otherwise as text_file_read().
 */
int text_file_lines(const char *path, text_line_fn *take, void *context, struct error *err);

#endif
