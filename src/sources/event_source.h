/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CXL devices during a run, as the kernel reports them, counted by kind and device. The
 * first ones of a kind and device become marks, and later ones each time their number has doubled:
 * so a storm of events leaves only a few lines.
 */
#ifndef CXLMON_SOURCES_EVENT_SOURCE_H
#define CXLMON_SOURCES_EVENT_SOURCE_H

#include "platform/cxl.h"
#include "sources/source.h"

struct topology;

#define CXL_EVENTS_FIRST  4  /* events of a kind and device that are marked one by one */
#define CXL_EVENTS_COUNTS 64 /* kinds times devices; further ones are counted as lost */

struct cxl_event_count {
	struct cxl_event last;	/* latest event of its kind and device */
	uint64_t count, marked; /* .marked: .count at the latest mark */
};

struct event_source {
	struct source base;
	struct cxl_event_count counts[CXL_EVENTS_COUNTS];
	size_t count_count;
	uint64_t lost; /* events for which the kernel, or .counts, had no room */
};

/*
 * Opens the events, before the process drops its privileges. Stays closed if the kernel has none,
 * and after an error.
 */
int event_source_open(struct event_source *events, struct platform *p,
		      const struct topology *topology, struct error *err);

#endif
