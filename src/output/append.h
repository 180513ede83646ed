/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues an output file that an earlier run has written. */
#ifndef CXLMON_OUTPUT_APPEND_H
#define CXLMON_OUTPUT_APPEND_H

#include <sys/types.h>

#include "output/sink.h"

/*
 * Finds the offset for the next row: after the last complete line, or 0 in an empty file. fd must
 * be readable; name is the file's, for messages. Errors are ERROR_FAILED: -EEXIST if the file does
 * not begin as the sink's output would (CSV: with the same header), else the errno of a failed
 * read.
 */
int append_find_end(int fd, const char *name, const struct sink *sink, off_t *end,
		    struct error *err);

#endif
