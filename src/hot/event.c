/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of the kernel that have an address, on any processor. Their codes are those of enum
 * perf_sw_ids. page-faults are sampled before the page is there, so that only the others say which
 * memory it is in.
 */
#include <string.h>

#include "hot/hot.h"

static const struct load_event events[] = {
	{.name = "page-faults",

	 .pmu = "software",
	 .terms = "config=2",
	 .period = 1,
	 .counts = true,
	 .no_loads = true},
	{.name = "minor-faults",

	 .pmu = "software",
	 .terms = "config=5",
	 .period = 1,
	 .counts = true,
	 .no_loads = true},
	{.name = "major-faults",

	 .pmu = "software",
	 .terms = "config=6",
	 .period = 1,
	 .counts = true,
	 .no_loads = true},
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

const char *const hot_event_names[] = {"page-faults", "minor-faults", "major-faults", NULL};

const struct load_event *hot_event_find(const char *name)
{
	for (size_t i = 0; i < EVENTS; i++)
		if (!strcmp(events[i].name, name))
			return &events[i];
	return NULL;
}
