/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/top_draw.h"

const struct process_panel_kind process_panels[PROCESS_PANELS] = {
	[PANEL_MAPPINGS] = {"mappings",
			    "where its loads are: files and other memory that it has mapped; ?: "
			    "unmapped before its name was read",
			    "memory that it reads", process_draw_mappings, true},
	[PANEL_FUNCTIONS] = {"functions", "the function that makes these loads; after it, its file",
			     "functions that read", process_draw_functions, true},
	[PANEL_LATENCIES] = {"latency",
			     "how long loads take, from issue to data; each bar: the part of them "
			     "that took as long",
			     "latency of its reads", process_draw_latencies, true},
	[PANEL_HEAT] = {"heat",
			"how much memory of a node the hottest loads are from: a steep curve is a "
			"small hot part",
			"hot memory", process_draw_heat, true},
	[PANEL_MEMORY] = {"memory", "how much it has on each node", "memory by node",
			  process_draw_memory, false},
};
