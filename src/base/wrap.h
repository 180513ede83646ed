/* SPDX-License-Identifier: BSD-3-Clause */
/* Printing of text whose lines are wrapped between words. Each byte takes one column. */
#ifndef CXLMON_BASE_WRAP_H
#define CXLMON_BASE_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Returns the columns of the terminal fd, for the functions below; 0: fd is not a terminal. */
int wrapped_columns(int fd);

/*
 * Prints text and a newline, in lines of at most width columns; a longer word has a line of its
 * own. The caller has already printed `used` columns of the first line; the next lines are indented
 * by indent columns. If width is below indent + 24, such as 0, text is printed as it is.
 */
void wrapped_print(FILE *out, const char *text, int used, int indent, int width);

/*
 * Prints the first count bytes of text in the same way, but wraps them in any width, and takes
 * newlines as blanks.
 */
void wrapped_words(FILE *out, const char *text, size_t count, int used, int indent, int width);

/*
 * Prints lines, each of which ends with a newline. If width is not 0, a line longer than width is
 * wrapped; its further lines are indented by three columns more than its first.
 */
void wrapped_lines(FILE *out, const char *text, int width);

/*
 * Prints a shell command, indented, and a newline. A command longer than width is printed in
 * several lines, joined by a backslash at the end of each but the last. A command with quotes stays
 * in one line, as does any command if width is 0 or below indent + 24.
 */
void wrapped_command(FILE *out, const char *command, int indent, int width);

/*
 * Returns the length of the longest beginning of text that has whole words and at most `room`
 * characters; 0: the first word is longer. If room is 0, returns the length of text.
 */
int wrapped_cut(const char *text, int room);

#endif
