/* SPDX-License-Identifier: BSD-3-Clause */
/* Printing of text whose lines are wrapped between words. Each byte takes one column. */
#ifndef CXLMON_BASE_WRAP_H
#define CXLMON_BASE_WRAP_H

#include <stddef.h>
#include <stdio.h>

/*
 * Returns the columns of the terminal fd, as width for the functions below. If fd is not a terminal
 * or its size is unknown, returns 0.
 */
int wrapped_columns(int fd);

/*
 * Prints text and a newline, in lines of at most width columns. A longer word has a line of its
 * own. The caller has already printed `used` columns of the first line. Further lines are indented
 * by indent columns. Newlines and repeated spaces in text become one space.
 *
 * If width is below indent + 24, prints text unchanged, and a newline.
 */
void wrapped_print(FILE *out, const char *text, int used, int indent, int width);

/* Prints the first count bytes of text as wrapped_print(), but wraps them whatever the width. */
void wrapped_words(FILE *out, const char *text, size_t count, int used, int indent, int width);

/*
 * Prints lines, each of which ends with a newline. If width is not 0, wraps longer lines. The rest
 * of such a line is indented by three columns more than its beginning.
 */
void wrapped_lines(FILE *out, const char *text, int width);

/*
 * Prints a shell command, indented by indent columns, and a newline. If the command exceeds width
 * columns, breaks it between words: each line except the last ends with a backslash, and each line
 * except the first is indented by two columns more.
 *
 * If the command has quotes, or width is below indent + 24, prints it in one line.
 */
void wrapped_command(FILE *out, const char *command, int indent, int width);

/*
 * Returns the length of the longest beginning of text that has whole words and fits in `room`
 * bytes. If the first word does not fit, returns 0. If room is 0, returns the length of text.
 */
int wrapped_cut(const char *text, int room);

#endif
