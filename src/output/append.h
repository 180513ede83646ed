/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues an output file that an earlier run has written. */
#ifndef CXLMON_OUTPUT_APPEND_H
#define CXLMON_OUTPUT_APPEND_H

#include <sys/types.h>

#include "output/sink.h"

/*
 * Sets *end to the offset for the next row: after the last complete line, or 0 in an empty file. fd
 * must be readable. name is the file's name, for messages. Returns 0 or a negative errno
 * (ERROR_FAILED). -EEXIST: the file's beginning differs from the beginning of the sink's output,
 * such as another header of CSV.
 */
int append_find_end(int fd, const char *name, const struct sink *sink, off_t *end,
		    struct error *err);

#endif
