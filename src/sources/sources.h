/* SPDX-License-Identifier: BSD-3-Clause */
/* All sources of a run: which there are, and when each is read. */
#ifndef CXLMON_SOURCES_SOURCES_H
#define CXLMON_SOURCES_SOURCES_H

#include "sources/device_source.h"
#include "sources/event_source.h"
#include "sources/group_source.h"
#include "sources/node_source.h"
#include "sources/region_source.h"
#include "sources/resctrl_source.h"

struct sample;

/* Zero: none is open. A source is one file, a member here, and a line of the list in sources.c. */
struct sources {
	struct node_source nodes;
	struct device_source devices;
	struct health_source health;
	struct resctrl_source resctrl;
	struct region_source regions;
	struct group_source groups;
	struct event_source events;
	uint64_t sample_ns; /* wall-clock time of the latest sample; 0: none */
};

void sources_close(struct sources *sources);

/*
 * Reads what is due, for a sample; nothing for one that is late, unless the clock is virtual. Adds
 * marks for changes. A source with a period is read at the first sample of each, so that a
 * recording has it in the same samples as a run of longer intervals.
 */
void sources_read(struct sources *sources, const struct sample *sample, struct marks *marks);

/* Source that a metric names; NULL: units count it, or the source is closed. */
const struct source *source_of_metric(const struct sources *sources, const struct metric *metric);

/* Whether some row can have a statistic, as far as the latest readings say. */
bool sources_can_know(const struct sources *sources, enum kernel_stat stat);

#endif
