/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for strings from users and files: quoting, numbers, names. */
#ifndef CXLMON_BASE_TEXT_H
#define CXLMON_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NAME_SIZE 256 /* longest event name, with NUL */
#define QUOTED_SIZE	120

/* A string for a message: printable characters on one line, shortened with "..." if it is long. */
struct quoted {
	char text[QUOTED_SIZE];
};

struct quoted quoted(const char *text);

/* Parses an unsigned 64-bit number, decimal or hexadecimal with 0x. False: anything else. */
bool text_number(const char *text, uint64_t *value);

/*
 * Tells if text is not empty, shorter than EVENT_NAME_SIZE, and has only letters, digits and _.:-
 */
bool text_is_name(const char *text);

/* Returns the name of a file without its directory: points into path. */
const char *text_last_name(const char *path);

/* Replaces control characters, such as newlines, by question marks: a message stays on its line. */
void one_line(char *text);

/* Appends to text, in a buffer of size bytes; the part that does not fit is cut off. */
__attribute__((format(printf, 3, 4))) void text_append(char *text, size_t size, const char *format,
						       ...);

/* Appends as text_append(), after ", " unless text is empty. */
__attribute__((format(printf, 3, 4))) void text_list(char *text, size_t size, const char *format,
						     ...);

/*
 * Returns the bytes at the beginning of text that fit in so many columns, in whole parts with this
 * separator between them; all of the first part if it is longer.
 */
int text_fit(const char *text, const char *separator, int columns);

/* Returns the number of lines that text takes in whole words. */
int text_lines(const char *text, int columns);

int text_longest_word(const char *text);

/* Strings that may be given more than once. All zero: none. */
struct strings {
	const char **at; /* not owned */
	size_t count;
};

int strings_add(struct strings *list, const char *text); /* 0 or -ENOMEM */
void strings_free(struct strings *list);		 /* does not free the strings */

/* Removes blanks and tabs at both ends, in place. Returns a pointer into text. */
char *text_trim(char *text);

/* Finds the name most like a user's: for "did you mean '...'?" */
struct text_nearest {
	const char *typed;
	const char *name;  /* NULL: none is similar */
	unsigned distance; /* distance of typed to .name; at first, the limit below which a name is
			      similar */
};

/*
 * Begins a search. Only names that differ in at most a third of the typed letters, or continue them
 * with '_' or '.', count as similar.
 */
struct text_nearest text_nearest_start(const char *typed);

/* Compares the next name, whatever its case. The first of several equally similar ones is kept. */
void text_nearest_add(struct text_nearest *nearest, const char *name);

/*
 * Converts a name that others have chosen, such as a process's, to a string for every output:
 * copies text, cut off at the end of a character. *out is valid UTF-8 on one line. Invalid bytes,
 * and characters that move the cursor, hide or turn round later ones, become question marks. size
 * is at least 1. Returns out.
 */
const char *printable(const char *text, char *out, size_t size);

/* Tells if size bytes from another process are a string that printable() made. */
bool text_is_printable(const char *text, size_t size);

/*
 * Returns the columns of a terminal that text takes: wide characters take two, combining accents
 * none.
 */
int text_columns(const char *text);

/*
 * Returns the width for "%-*s" that pads text to so many columns of a terminal; printf() counts
 * bytes.
 */
int text_padding(const char *text, int columns);

/* Returns the bytes at the beginning of text that fit in so many columns. */
size_t text_beginning(const char *text, int columns);

/* Lists of numbers in the kernel's list format: "0", "0,2", "0-3,8-11". */

/* Large enough for any list in sysfs, whose files are at most one page. */
#define NUMLIST_SIZE 4097

/* Tells if list is well-formed and not empty. */
bool numlist_valid(const char *list);

/* Tells if number is in the list; false if the list is not valid. */
bool numlist_contains(const char *list, unsigned number);

/*
 * Lists the numbers of a list, ascending, each once. -EINVAL: the list is not valid. -ERANGE: it
 * has a number that is not below limit. The caller frees *out.
 */
int numlist_read(const char *list, unsigned limit, unsigned **out, size_t *count);

#endif
