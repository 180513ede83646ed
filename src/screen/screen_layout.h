/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of a screen of a given size. */
#ifndef CXLMON_SCREEN_LAYOUT_H
#define CXLMON_SCREEN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "screen/canvas.h"

#define SCREEN_MIN_ROWS	   10
#define SCREEN_MIN_COLUMNS 40

/* The content to lay out. */
struct layout_contents {
	size_t panels, chosen;	       /* how many, and the index of the chosen one */
	int table_heading, table_rows; /* lines; 0 rows: there is none */
	bool alone;		       /* the chosen panel alone */
	bool attention, message, idle, charts;
};

struct layout {
	bool too_small; /* nothing else is set */
	/* 0 rows: there is none */
	struct area header, table, attention, body, charts, idle, message, footer;
	bool list;	   /* a line for each panel, and the chosen one below them */
	struct area panel; /* of the chosen one of a list */
	size_t per_line;
	size_t lines, visible, first; /* of panels, or of the list */
};

/* The table is shortened, then the charts are left out, if panels would have no room. */
struct layout screen_layout(int rows, int columns, const struct layout_contents *contents);

/* The area of the nth panel, or its line of a list; 0 rows if it is not visible. */
struct area screen_panel_area(const struct layout *layout, size_t n);

#endif
