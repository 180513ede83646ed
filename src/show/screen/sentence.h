/* SPDX-License-Identifier: BSD-3-Clause */
/* A line that is filled with parts, as far as they fit: the important ones come first. */
#ifndef CXLMON_SHOW_SCREEN_SENTENCE_H
#define CXLMON_SHOW_SCREEN_SENTENCE_H

#define SENTENCE_SIZE 512

/* Initially {.columns = ...}: all that it may take. */
struct sentence {
	char text[SENTENCE_SIZE];
	int columns;
};

/* Leaves out a part that has no room. */
__attribute__((format(printf, 2, 3))) void sentence_add(struct sentence *sentence,
							const char *format, ...);

#endif
