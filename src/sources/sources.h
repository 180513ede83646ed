/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All sources of a run (struct source), and the thread that reads them. Without the thread, they
 * are read in step: when a sample's row is computed. The thread reads them shortly before a sample
 * is due, and the row takes the readings made before its sample. So a slow file delays no sample,
 * and a row computed late has numbers of its own time. A row without a new reading has no rates;
 * the rates of the next row are since the previous reading.
 */
#ifndef CXLMON_SOURCES_SOURCES_H
#define CXLMON_SOURCES_SOURCES_H

#include "sources/device_source.h"
#include "sources/event_source.h"
#include "sources/group_source.h"
#include "sources/node_source.h"
#include "sources/region_source.h"
#include "sources/resctrl_source.h"

struct deadlines;
struct sample;
struct source_thread;

/*
 * Sources of a run; {0}: none is open. Each has a file, a member here, and a line in sources_list()
 * of source.c.
 */
struct sources {
	struct node_source nodes;
	struct device_source devices;
	struct health_source health;
	struct resctrl_source resctrl;
	struct region_source regions;
	struct group_source groups;
	struct event_source events;
	uint64_t sample_ns; /* wall-clock time of the latest sample; 0: none */
	/* NULL: sources are read in step, and functions for the thread do nothing */
	struct source_thread *thread;
};

/* Stops the thread, waits until its reading under way has ended, and closes all sources. */
void sources_close(struct sources *sources);

/*
 * Takes the readings made before a sample or, without the thread, makes those that are due. Adds
 * marks for changes. A source with a period is read at the first sample of each period, so that
 * a run with shorter intervals reads it when a run whose interval is the period would.
 */
void sources_update(struct sources *sources, const struct sample *sample, struct marks *marks);

/* Allocates room for all tallies of the open sources; the caller frees out->items. 0 or -ENOMEM. */
int sources_make_tallies(const struct sources *sources, struct tallies *out);
/* Replaces tallies by the counts of the latest readings taken. */
void sources_tally(struct sources *sources, struct tallies *out);

/*
 * Starts a thread that reads the open sources from now on, for samples at these deadlines. It has
 * the privileges of the calling thread, and blocks all signals. Does nothing if no source is open.
 * ERROR_FAILED: it cannot be started; then only sources_close() may be called.
 */
int sources_start(struct sources *sources, const struct deadlines *samples, struct error *err);
/* Changes the deadlines for which the thread reads. */
void sources_set_deadlines(struct sources *sources, const struct deadlines *samples);
/* Makes the thread read now, for a sample before its deadline; waits for it at most 50 ms. */
void sources_read_now(struct sources *sources);
/* Tells the thread to end after the readings under way, without waiting for them. */
void sources_stop(struct sources *sources);

/* Returns the open source of a metric's numbers. NULL: none is open, or units count the metric. */
const struct source *source_of_metric(const struct sources *sources, const struct metric *metric);

/*
 * Tells if a metric of a source can be known in some row. Its source must be open. The latest
 * reading of nodes or devices must have the number, a region's counters must be found, and groups
 * must exist.
 */
bool sources_can_know(const struct sources *sources, const struct metric *metric);

#endif
