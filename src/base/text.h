/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for strings from users and files: quoting, numbers, names. */
#ifndef CXLMON_BASE_TEXT_H
#define CXLMON_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NAME_SIZE 256 /* bytes of the longest event name, with NUL */
#define QUOTED_SIZE	120

/* A string in a form that fits in a message. */
struct quoted {
	char text[QUOTED_SIZE];
};

/*
 * Returns a copy of text for a message, without quotes: '?' replaces all but printable ASCII, and
 * "..." replaces the end of a long text.
 */
struct quoted quoted(const char *text);

/*
 * Parses an unsigned 64-bit number, decimal or hexadecimal with 0x. Returns false for any other
 * text, also with signs or blanks, and for larger numbers; *value then means nothing.
 */
bool text_number(const char *text, uint64_t *value);

/*
 * Returns true if text has 1 to EVENT_NAME_SIZE - 1 characters: only letters, digits and _.:-
 */
bool text_is_name(const char *text);

/* Returns the name of a file without its directory: points into path. */
const char *text_last_name(const char *path);

/* Replaces ASCII control characters, such as newlines, by '?' in place. */
void one_line(char *text);

/* Appends to the string in text, a buffer of size bytes; the part that does not fit is cut off. */
__attribute__((format(printf, 3, 4))) void text_append(char *text, size_t size, const char *format,
						       ...);

/* Appends as text_append(), after ", " unless text is empty. */
__attribute__((format(printf, 3, 4))) void text_list(char *text, size_t size, const char *format,
						     ...);

/* Functions for text in which each byte takes one column, such as headings. */

/*
 * Returns the length of the longest beginning of text that fits in so many columns and ends before
 * a separator or at the end of text. If none fits, returns the length before the first separator.
 */
int text_fit(const char *text, const char *separator, int columns);

/*
 * Returns the number of lines of so many columns that text takes, broken only at blanks. A
 * longer word takes a line of its own.
 */
int text_lines(const char *text, int columns);

/* Returns the length of the longest word; words have blanks between them. */
int text_longest_word(const char *text);

/* A growing list of strings, initially all zero. */
struct strings {
	const char **at; /* the strings are not owned */
	size_t count;
};

int strings_add(struct strings *list, const char *text); /* 0 or -ENOMEM */
void strings_free(struct strings *list);		 /* does not free the strings */

/* Removes blanks and tabs at both ends, in place. Returns a pointer into text. */
char *text_trim(char *text);

/* A search for the name most like the typed one, for "did you mean '...'?" */
struct text_nearest {
	const char *typed;
	const char *name; /* the nearest name so far; NULL: none is similar */
	/* edits from .typed to .name; while .name is NULL, the smallest number that is too many */
	unsigned distance;
};

/*
 * Begins a search; typed must stay valid. A name is similar if at most one edit per three typed
 * letters makes them equal: a letter inserted, removed or replaced, or two neighbours swapped. A
 * name that continues at least three typed letters with '_' or '.' is also similar.
 */
struct text_nearest text_nearest_start(const char *typed);

/*
 * Compares the next name, ignoring case, and keeps it if it is similar and nearer than all before.
 * Names are not copied.
 */
void text_nearest_add(struct text_nearest *nearest, const char *name);

/*
 * Copies a name that others have chosen, such as a process's, in a form that every output can take:
 * valid UTF-8 on one line. A question mark replaces each invalid byte, and each character that
 * moves the cursor, is invisible or changes the direction of text. A copy that does not fit is cut
 * off after a whole character. size is at least 1. Returns out.
 */
const char *printable(const char *text, char *out, size_t size);

/*
 * Returns true if size bytes from another process have a NUL, and the string before it is as
 * printable() makes it.
 */
bool text_is_printable(const char *text, size_t size);

/*
 * Returns the columns of a terminal that UTF-8 text takes: wide characters take two, combining
 * accents none, and invalid bytes one each.
 */
int text_columns(const char *text);

/*
 * Returns the width for "%-*s" that pads text to so many columns of a terminal; printf() counts
 * bytes.
 */
int text_padding(const char *text, int columns);

/* Returns the number of bytes at the beginning of UTF-8 text that fit in so many columns. */
size_t text_beginning(const char *text, int columns);

/* Lists of numbers in the kernel's list format: "0", "0,2", "0-3,8-11". */

/* Large enough for any list in sysfs, whose files are at most one page. */
#define NUMLIST_SIZE 4097

/* Returns true if list is well-formed and not empty. */
bool numlist_valid(const char *list);

/* Returns true if list is valid and contains number. */
bool numlist_contains(const char *list, unsigned number);

/*
 * Lists the numbers of a list, ascending, each once; the caller frees *out. -EINVAL: the list is
 * not valid. -ERANGE: some number is not below limit. -ENOMEM: out of memory. After an error, *out
 * is NULL and *count 0.
 */
int numlist_read(const char *list, unsigned limit, unsigned **out, size_t *count);

#endif
