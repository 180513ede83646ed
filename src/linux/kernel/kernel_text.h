/* SPDX-License-Identifier: BSD-3-Clause */
/* Text files of the kernel that are read often: their lines, words and numbers. */
#ifndef CXLMON_LINUX_KERNEL_KERNEL_TEXT_H
#define CXLMON_LINUX_KERNEL_KERNEL_TEXT_H

#include <stdbool.h>

#define KERNEL_TEXT_MOST 16384 /* /proc/vmstat has some 5 KB, an attribute of sysfs at most 4 */

/* A part of a string. */
struct span {
	const char *at, *end;
};

/*
 * Reads an open file from its beginning, a page at a time, as /proc provides it. 0, or a negative
 * errno; -EFBIG: the file is longer than KERNEL_TEXT_MOST.
 */
int kernel_text_read(int fd, char text[KERNEL_TEXT_MOST], struct span *out);

/* Takes the next line, which ends with a newline. Returns false if there is none. */
bool span_line(struct span *text, struct span *line);
/* Takes the next word of a line; empty at its end. */
struct span span_word(struct span *line);
bool span_is(struct span word, const char *text);
/* Returns a decimal number below 2^64; NAN: the word is not one. */
double span_number(struct span word);

#endif
