/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that others have chosen, such as those of processes, as text that every output can have. */
#ifndef CXLMON_PRINTABLE_H
#define CXLMON_PRINTABLE_H

#include <stddef.h>

/*
 * Copies text, cut off at the end of a character. *out is valid UTF-8 on one line: bytes that are
 * not, and characters that move the cursor, hide or turn round what follows, become question marks.
 * size is at least 1. Returns out.
 */
const char *printable(const char *text, char *out, size_t size);

#endif
