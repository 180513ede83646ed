/* SPDX-License-Identifier: BSD-3-Clause */
/* Compresses texts for clients that accept gzip. */
#ifndef CXLMON_GZIP_H
#define CXLMON_GZIP_H

#include <stddef.h>

/* The text as a gzip file (RFC 1952), freed by the caller; NULL: out of memory. */
char *gzip_text(const char *text, size_t size, size_t *out_size);

#endif
