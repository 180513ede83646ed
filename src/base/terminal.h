/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of a terminal, and the environment variables that allow colours on it. */
#ifndef CXLMON_BASE_TERMINAL_H
#define CXLMON_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

/* Returns the size of the terminal fd. If the size is unknown, returns 24 rows of 80 columns. */
static inline struct winsize terminal_size(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		size = (struct winsize){.ws_row = 24, .ws_col = 80};
	return size;
}

/*
 * Returns true if TERM is set and not "dumb", and NO_COLOR is unset or empty (no-color.org). The
 * caller checks that the output is a terminal.
 */
static inline bool terminal_has_colours(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

#endif
