/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of CXL devices during a run, as the kernel reports them, counted by kind and device. Each
 * of the first events of a kind and device gets a mark. Later, one mark is made each time that
 * their number has doubled, so that a storm of events makes few marks.
 */
#ifndef CXLMON_SOURCES_EVENT_SOURCE_H
#define CXLMON_SOURCES_EVENT_SOURCE_H

#include "platform/cxl.h"
#include "sources/source.h"

struct topology;

#define CXL_EVENTS_FIRST  4  /* first events of a kind and device: each gets a mark */
#define CXL_EVENTS_COUNTS 64 /* the most pairs of kind and device; other events count as lost */

/* The events of one kind and device. */
struct cxl_event_count {
	struct cxl_event last; /* latest event */
	uint64_t count;	       /* events so far */
	uint64_t marked;       /* .count at the latest mark */
};

struct event_source {
	struct source base;
	struct cxl_event_count counts[CXL_EVENTS_COUNTS];
	size_t count_count;
	uint64_t lost; /* events that are not in .counts, as the kernel or .counts had no room */
};

/*
 * Opens the events on all CPUs of the topology. Called before the process drops its privileges.
 * Stays closed if the kernel reports no events. Returns 0, the negative errno of the kernel's
 * refusal, or -ENOMEM.
 */
int event_source_open(struct event_source *events, struct platform *p,
		      const struct topology *topology, struct error *err);

#endif
