/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/top_draw.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

const struct process_panel_help process_panel_help[PROCESS_PANELS] = {
	[PANEL_MAPPINGS] = {"mappings",
			    "where its loads are: files and other memory that it has mapped; ?: "
			    "unmapped before its name was read"},
	[PANEL_FUNCTIONS] = {"functions", "the function that makes these loads; after it, its "
					  "file"},
	[PANEL_LATENCIES] = {"latency", "how long loads take, from issue to data; each bar: the "
					"part of them that took as long"},
	[PANEL_HEAT] = {"heat",
			"how much memory of a node the hottest loads are from: a steep curve "
			"is a small hot part"},
	[PANEL_MEMORY] = {"memory", "how much it has on each node"},
};

size_t process_places(const struct canvas *c, const struct area *area)
{
	return graph_window(c, area->columns, GRAPH_MOST, 0).steps;
}

struct area process_draw_scale(struct canvas *c, const struct area *area, const char *top,
			       const char *bottom)
{
	const int line = area->column + PROCESS_GUTTER - 1, last = area->row + area->rows - 1;

	for (int row = area->row; row <= last; row++)
		canvas_put(c, row, line, STYLE_DIM, c->glyphs ? L'\u2502' : L'|');
	canvas_text_right(c, last, line, STYLE_DIM, bottom);
	canvas_text_right(c, area->row, line, STYLE_DIM, top);
	return (struct area){area->row, line + 1, area->rows, area->columns - PROCESS_GUTTER};
}
