/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of the kernel that have an address, on any processor. Their codes are those of enum
 * perf_sw_ids. page-faults are sampled before the page is there, so that only the others say which
 * memory it is in.
 */
#include "hot/hot.h"

#define EVENT(NAME, CONFIG)                                                                        \
	{                                                                                          \
		.name = (NAME), .pmu = "software", .terms = (CONFIG), .period = 1, .counts = true, \
		.no_loads = true                                                                   \
	}

const struct load_event *hot_event(int number)
{
	static const struct load_event events[] = {EVENT("page-faults", "config=2"),
						   EVENT("minor-faults", "config=5"),
						   EVENT("major-faults", "config=6")};

	return number ? &events[number - 1] : NULL;
}

const char *const hot_event_names[] = {"page-faults", "minor-faults", "major-faults", NULL};
