/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in lines that end between words. */
#ifndef CXLMON_WRAPPED_H
#define CXLMON_WRAPPED_H

#include <stdio.h>

/* Columns of the terminal at standard output; 0: it is none, and lines are as long as they are. */
int wrapped_width(void);

/*
 * Prints text, and a newline. The line has `used` columns already; those that follow are indented.
 * None has more than width columns, unless a single word has. Where width is 0, or too narrow for
 * that, it is one line.
 */
void wrapped_print(FILE *out, const char *text, int used, int indent, int width);

/* How many characters of text are whole words that fit; all of them if room is 0. */
int wrapped_cut(const char *text, int room);

#endif
