/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files that users name, read whole. */
#ifndef CXLMON_TEXT_FILE_H
#define CXLMON_TEXT_FILE_H

#include <stddef.h>

#include "platform/error.h"

struct text_file {
	char *text;  /* NUL behind its end; freed by free() */
	size_t size; /* bytes, which may be NULs too */
};

/* -EINVAL (EXIT_USAGE) where it can't be read, or has more than most bytes. */
int text_file_read(const char *path, size_t max, struct text_file *out, struct error *err);

#endif
