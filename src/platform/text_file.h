/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading whole text files that the user names. */
#ifndef CXLMON_TEXT_FILE_H
#define CXLMON_TEXT_FILE_H

#include <stddef.h>

#include "platform/error.h"

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
