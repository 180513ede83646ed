/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of a screen of a given size. */
#ifndef CXLMON_SCREEN_LAYOUT_H
#define CXLMON_SCREEN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "screen/canvas.h"

#define SCREEN_MIN_ROWS	   10
#define SCREEN_MIN_COLUMNS 40

struct layout {
	bool too_small;	    /* nothing else is set */
	struct area header; /* one line */
	struct area table;
	struct area body; /* of panels */
	struct area message;
	struct area footer; /* one line */
	size_t panels_per_line;
	size_t lines;	/* of panels */
	size_t visible; /* visible lines */
	size_t first;	/* first visible line: the scroll position, limited to the range */
};

/* The table is shortened if panels would have no room. scroll: the first visible line. */
struct layout screen_layout(int rows, int columns, size_t panels, int table_lines,
			    bool with_message, size_t scroll);

/* The area of the nth panel; 0 rows if it is not visible. */
struct area screen_panel_area(const struct layout *layout, size_t n);

#endif
