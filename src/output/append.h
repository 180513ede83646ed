/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues an output file that an earlier run has written. */
#ifndef CXLMON_OUTPUT_APPEND_H
#define CXLMON_OUTPUT_APPEND_H

#include <sys/types.h>

#include "output/sink.h"

/*
 * Finds the place of the next row: after the last complete line; 0 in an empty file. ERROR_FAILED
 * and -EEXIST: the file does not begin as the sink's format does (CSV: with its header). fd is
 * readable; name is the file's, for messages.
 */
int append_find_end(int fd, const char *name, const struct sink *sink, off_t *end,
		    struct error *err);

#endif
