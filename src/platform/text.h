/* SPDX-License-Identifier: BSD-3-Clause */
/* The small words that events are written with, wherever they come from: users, or files. */
#ifndef CXLMON_EVENT_TEXT_H
#define CXLMON_EVENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NAME_SIZE 256 /* with its NUL; no event is called by a longer name */
#define QUOTED_SIZE	120

/* A text that is fit for a message: printable, on one line, cut ("...") where it is long. */
struct quoted {
	char text[QUOTED_SIZE];
};

struct quoted quoted(const char *text);

/* Decimal, or hexadecimal behind 0x; nothing else, and no more than 64 bits. */
bool text_number(const char *text, uint64_t *value);

/* Letters, digits and _.:- alone, shorter than EVENT_NAME_SIZE, and not empty. */
bool text_is_name(const char *text);

/* Takes blanks and tabs off both ends, in place; what is returned lies within text. */
char *text_trim(char *text);

#endif
