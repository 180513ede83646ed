/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files of the kernel that are read often: their lines, words and numbers. */
#ifndef CXLMON_LINUX_KERNEL_KERNEL_TEXT_H
#define CXLMON_LINUX_KERNEL_KERNEL_TEXT_H

#include <stdbool.h>

#define KERNEL_TEXT_MOST 16384 /* /proc/vmstat has some 5 KB, a file of sysfs at most 4 KB */

/* A part of a string: the bytes from .at to just before .end. No NUL follows them. */
struct span {
	const char *at, *end;
};

/*
 * Reads an open file from its beginning into text, and sets *out to the bytes that were read. 0 or
 * a negative errno; -EFBIG: the file has KERNEL_TEXT_MOST bytes or more.
 */
int kernel_text_read(int fd, char text[KERNEL_TEXT_MOST], struct span *out);

/* Returns the number in the first line of an open file; NAN: another text, or fd is negative. */
double kernel_text_number(int fd);

/*
 * Removes the next line from *text, and sets *line to it, without its newline. Returns false if no
 * line with a newline is left.
 */
bool span_line(struct span *text, struct span *line);
/* Removes the next word from *line, and returns it; empty: none is left. Spaces separate words. */
struct span span_word(struct span *line);
/* Tells if a word equals a string. */
bool span_is(struct span word, const char *text);
/* Returns the value of a decimal number below 2^64; NAN: the word is not one. */
double span_number(struct span word);

#endif
