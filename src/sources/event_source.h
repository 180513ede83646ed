/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CXL devices during a run, as the kernel reports them, counted by kind and device. The
 * first events of a kind and device are marked one by one; later ones only when their number has
 * doubled, so that a storm of events makes few marks.
 */
#ifndef CXLMON_SOURCES_EVENT_SOURCE_H
#define CXLMON_SOURCES_EVENT_SOURCE_H

#include "platform/cxl.h"
#include "sources/source.h"

struct topology;

#define CXL_EVENTS_FIRST  4  /* events of a kind and device that are marked one by one */
#define CXL_EVENTS_COUNTS 64 /* most pairs of kind and device; events of others are lost */

struct cxl_event_count {
	struct cxl_event last;	/* latest event of the kind and device */
	uint64_t count, marked; /* events so far; .count at the latest mark */
};

struct event_source {
	struct source base;
	struct cxl_event_count counts[CXL_EVENTS_COUNTS];
	size_t count_count;
	uint64_t lost; /* events that are not in .counts: the kernel or .counts had no room */
};

/*
 * Opens the events on all CPUs of the topology, before the process drops its privileges. Stays
 * closed, and returns 0, if the kernel reports none. Returns the negative errno of the kernel's
 * refusal, or -ENOMEM.
 */
int event_source_open(struct event_source *events, struct platform *p,
		      const struct topology *topology, struct error *err);

#endif
