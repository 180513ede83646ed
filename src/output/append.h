/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues an output file that an earlier run has written. */
#ifndef CXLMON_OUTPUT_APPEND_H
#define CXLMON_OUTPUT_APPEND_H

#include <sys/types.h>

#include "output/sink.h"

/*
 * Where the next row is to be written: after the last complete line; 0 in an empty file. The file
 * must begin with what the sink's format begins with (the header of CSV). Else ERROR_FAILED, and
 * -EEXIST. fd is readable; name is that of the file, in messages.
 */
int append_find_end(int fd, const char *name, const struct sink *sink, off_t *end,
		    struct error *err);

#endif
