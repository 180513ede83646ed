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

#endif
