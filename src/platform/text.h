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

/* Of many names, the one most like what a user typed: for "did you mean '...'?" */
struct text_nearest {
	const char *typed;
	const char *name;  /* NULL: none is similar */
	unsigned distance; /* of name; at first, what a similar name must stay below */
};

/* Only names that differ in at most a third of the typed letters count as similar. */
struct text_nearest text_nearest_start(const char *typed);

/* Compares the next name, whatever its case. The first of several equally similar ones is kept. */
void text_nearest_add(struct text_nearest *nearest, const char *name);

#endif
