/* SPDX-License-Identifier: BSD-3-Clause */
/* Text wrapped between words. */
#ifndef CXLMON_BASE_WRAP_H
#define CXLMON_BASE_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Returns the columns of a terminal; 0: not a terminal, and lines are not wrapped. */
int wrapped_columns(int fd);

/*
 * Prints text and a newline. The first line has `used` columns already; the next lines are
 * indented. No line has more than width columns, unless a single word has. If width is 0 or too
 * narrow, prints one line.
 */
void wrapped_print(FILE *out, const char *text, int used, int indent, int width);

/* Prints the words of the first characters of text likewise, in any width. */
void wrapped_words(FILE *out, const char *text, size_t count, int used, int indent, int width);

/*
 * Prints lines. Those that are longer than width, unless that is 0, are wrapped; what follows is
 * indented by three characters more.
 */
void wrapped_lines(FILE *out, const char *text, int width);

/*
 * Prints a command for a shell, which joins the lines of a long one: all but the last end with a
 * backslash. A command with quotes stays in one line, as does any if width is 0.
 */
void wrapped_command(FILE *out, const char *command, int indent, int width);

/* Returns how many characters of text are whole words that fit; room 0: all of them. */
int wrapped_cut(const char *text, int room);

#endif
