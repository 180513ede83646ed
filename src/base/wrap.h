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
 * by indent columns. Newlines and repeated spaces in text become one space. If width is below
 * indent + 24, such as 0, text is printed as it is.
 */
void wrapped_print(FILE *out, const char *text, int used, int indent, int width);

/*
 * Prints the first count bytes of text as wrapped_print() does, but wraps them even if width is
 * small.
 */
void wrapped_words(FILE *out, const char *text, size_t count, int used, int indent, int width);

/*
 * Prints lines, each of which ends with a newline. If width is not 0, a line longer than width is
 * wrapped; its further lines are indented by three columns more than its first.
 */
void wrapped_lines(FILE *out, const char *text, int width);

/*
 * Prints a shell command, indented by indent columns, and a newline. A command that exceeds width
 * columns is printed in several lines, with a backslash at the end of each except the last; all
 * except the first are indented by two columns more. A command with quotes stays in one line, as
 * does any command if width is below indent + 24, such as 0.
 */
void wrapped_command(FILE *out, const char *command, int indent, int width);

/*
 * Returns the length of the longest beginning of text that has whole words and at most `room`
 * bytes; 0: the first word is longer. If room is 0, returns the length of text.
 */
int wrapped_cut(const char *text, int room);

#endif
