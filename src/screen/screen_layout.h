/* SPDX-License-Identifier: BSD-3-Clause */
/* Where things stand on a screen of some size. */
#ifndef CXLMON_SCREEN_LAYOUT_H
#define CXLMON_SCREEN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "screen/canvas.h"

#define SCREEN_LEAST_ROWS    10
#define SCREEN_LEAST_COLUMNS 40

struct layout {
	bool too_small;	  /* and nothing else is set */
	struct area head; /* one line */
	struct area table;
	struct area body; /* of panels */
	struct area message;
	struct area foot; /* one line */
	size_t across;	  /* panels side by side */
	size_t lines;	  /* of panels, all */
	size_t visible;	  /* of them */
	size_t first;	  /* of those: the scroll position, cut to what there is */
};

/* The table and the message have so many lines; they give way where panels would have no room. */
struct layout screen_layout(int rows, int columns, size_t panels, int table_lines,
			    bool with_message, size_t scroll);

/* Of the nth of all panels; without rows where it isn't visible. */
struct area screen_panel_area(const struct layout *layout, size_t n);

#endif
