/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for strings from users and files: quoting, numbers, names. */
#ifndef CXLMON_BASE_TEXT_H
#define CXLMON_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NAME_SIZE 256 /* bytes of the longest event name, with NUL */
#define QUOTED_SIZE	120 /* bytes of struct quoted */

/* A string in a form that fits in a message. */
struct quoted {
	char text[QUOTED_SIZE];
};

/*
 * Returns a copy of text for a message; adds no quotation marks. '?' replaces all but printable
 * ASCII. "..." replaces the end of a text that does not fit.
 */
struct quoted quoted(const char *text);

/*
 * Parses an unsigned 64-bit number: decimal, or hexadecimal with 0x. Returns false for any other
 * text, for a sign or a blank, and for larger numbers. After false, *value means nothing.
 */
bool text_number(const char *text, uint64_t *value);

/*
 * Returns true if text has 1 to EVENT_NAME_SIZE - 1 characters: only letters, digits and _.:-
 */
bool text_is_name(const char *text);

/* Returns a pointer into path: the file's name without its directory. */
const char *text_last_name(const char *path);

/* Replaces ASCII control characters, such as newlines, by '?', in place. */
void one_line(char *text);

/* Appends to the string in text, a buffer of size bytes. Cuts off the part that does not fit. */
__attribute__((format(printf, 3, 4))) void text_append(char *text, size_t size, const char *format,
						       ...);

/* Appends ", ", unless text is empty, and then appends as text_append(). */
__attribute__((format(printf, 3, 4))) void text_list(char *text, size_t size, const char *format,
						     ...);

/* Appends a word to a list such as "a, b or c". last: no other word follows. */
void text_choice(char *text, size_t size, const char *word, bool last);

/* Lists of words with commas between them, such as names of metric groups. */

/* Returns true if two lists begin with the same word. A word is a list, too. */
bool text_same_word(const char *a, const char *b);

/* Returns the list after its first word, a pointer into list; "": there are no more words. */
const char *text_next_word(const char *list);

/* Returns true if a list has a word. */
bool text_has_word(const char *list, const char *word);

/* Functions for text in which each byte takes one column, such as headings. */

/*
 * Returns the length of the longest beginning of text that has at most `columns` bytes and ends
 * before a separator or at the end of text. If no such beginning exists, returns the length up to
 * the first separator, or without a separator the whole length. A separator at the beginning of
 * text does not count.
 */
int text_fit(const char *text, const char *separator, int columns);

/*
 * Returns the number of lines that text takes in `columns` columns. Lines are broken only at
 * spaces. A longer word takes a line of its own.
 */
int text_lines(const char *text, int columns);

/* Returns the length of the longest word; words have spaces between them. */
int text_longest_word(const char *text);

/* A growing list of strings, initially all zero. */
struct strings {
	const char **at; /* the array is owned, the strings are not */
	size_t count;
};

/* Appends the pointer. Returns 0 or -ENOMEM. */
int strings_add(struct strings *list, const char *text);
/* Frees the array, and leaves an empty list. */
void strings_free(struct strings *list);

/* Removes blanks and tabs at both ends, in place. Returns a pointer into text. */
char *text_trim(char *text);

/* A search for the name most like the typed one, for "did you mean '...'?" */
struct text_nearest {
	const char *typed; /* not owned */
	const char *name;  /* nearest name so far, not owned; NULL: none is similar */
	unsigned distance; /* a name replaces .name if it needs fewer edits than this */
};

/*
 * Begins a search; typed must stay valid. An edit inserts, removes or replaces a letter, or swaps
 * two neighbours. A name is similar if one of these holds:
 * - typed becomes the name by at most one edit for every three typed letters
 * - typed has at least three letters, and the name begins with typed and then '_' or '.', which
 *   counts as one edit
 */
struct text_nearest text_nearest_start(const char *typed);

/*
 * Compares the next name, ignoring case. Keeps the pointer to it if the name is similar, and needs
 * fewer edits than all names before.
 */
void text_nearest_add(struct text_nearest *nearest, const char *name);

/*
 * Copies text that may be hostile, such as a process's name, to out as valid UTF-8 on one line. '?'
 * replaces each invalid byte, and each character that moves the cursor, is invisible or changes the
 * direction of text. If the copy does not fit in size bytes, it is cut off after a whole character.
 * size is at least 1. Returns out.
 */
const char *printable(const char *text, char *out, size_t size);

/* Returns the bytes of the first character of text; 0: printable() would replace it. */
size_t text_printable_bytes(const char *text);

/* Returns true if text has a NUL in its size bytes, and printable() would leave it unchanged. */
bool text_is_printable(const char *text, size_t size);

/*
 * Returns the columns of a terminal that UTF-8 text takes. A wide character takes two columns, a
 * combining accent none, and an invalid byte one.
 */
int text_columns(const char *text);

/* Returns the width, in bytes, with which "%-*s" pads text to `columns` of a terminal. */
int text_padding(const char *text, int columns);

/* Returns the number of bytes at the beginning of UTF-8 text that fit in `columns`. */
size_t text_beginning(const char *text, int columns);

/* Lists of numbers in the kernel's list format: "0", "0,2", "0-3,8-11". */

/* Bytes for any list in sysfs: a file has at most one page (4096 bytes), and a NUL follows. */
#define NUMLIST_SIZE 4097

/* Returns true if list has this format and is not empty. */
bool numlist_valid(const char *list);

/* Returns true if list is valid and contains number. */
bool numlist_contains(const char *list, unsigned number);

/*
 * Reads the numbers of a list into an array, ascending, each once. Returns 0, or:
 * - -EINVAL: the list is invalid
 * - -ERANGE: a number is not below limit
 * - -ENOMEM
 *
 * The caller frees *out. After an error, *out is NULL and *count 0.
 */
int numlist_read(const char *list, unsigned limit, unsigned **out, size_t *count);

#endif
