/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All sources of a run (struct source), and the thread that reads them.
 *
 * - With the thread, sources are read shortly before a sample is due. The sample's row takes the
 *   readings made before the sample. So a slow file delays no sample, and a row that is computed
 *   late has numbers of its own time.
 * - Without the thread, sources are read in step: when a sample's row is computed.
 * - A row without a new reading has no rates. The next row's rates are since the previous reading.
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

/* Sources of a run; {0}: none is open. sources_list() lists them all. */
struct sources {
	struct node_source nodes;
	struct device_source devices;
	struct health_source health;
	struct resctrl_source resctrl;
	struct region_source regions;
	struct group_source groups;
	struct event_source events;
	uint64_t sample_ns;	      /* wall-clock time of the latest sample; 0: none */
	struct source_thread *thread; /* NULL: sources are read in step */
};

/* Stops the thread, waits until its reading under way has ended, and closes all sources. */
void sources_close(struct sources *sources);

/*
 * Takes the readings made before a sample. Without the thread, makes the readings that are due, and
 * takes them. Adds marks for changes. A source with a period is read at the first sample of each
 * period. So an interval below the period does not change the times of reading.
 */
void sources_update(struct sources *sources, const struct sample *sample, struct marks *marks);

/*
 * Allocates room for all tallies of the open sources. Returns 0 or -ENOMEM. The caller frees
 * out->items.
 */
int sources_make_tallies(const struct sources *sources, struct tallies *out);
/* Sets the tallies to the counts of the latest readings taken. */
void sources_tally(struct sources *sources, struct tallies *out);

/*
 * Starts a thread that reads the open sources for samples at these deadlines. The thread has the
 * privileges of the calling thread, and blocks all signals. Starts none if no source is open.
 * Returns 0 or a negative errno (-ENOMEM, or ERROR_FAILED: the thread cannot be started). After an
 * error only sources_close() may be called.
 */
int sources_start(struct sources *sources, const struct deadlines *samples, struct error *err);

/* The following functions do nothing without a thread. */

/* Changes the deadlines for which the thread reads. */
void sources_set_deadlines(struct sources *sources, const struct deadlines *samples);
/* Lets the thread read the sources that are due now. Waits for their readings at most 50 ms. */
void sources_read_now(struct sources *sources);
/* Tells the thread to end after the readings in progress. Does not wait for it. */
void sources_stop(struct sources *sources);

/*
 * Returns the source of a metric's numbers. NULL: the source is not open, units or CPUs count the
 * metric, or the metric is a text.
 */
const struct source *source_of_metric(const struct sources *sources, const struct metric *metric);

/*
 * Returns true if some row can have the metric's number:
 * - nodes and devices: the latest reading has the number,
 * - health: the source is open,
 * - regions: the region has counters,
 * - groups: a group exists.
 */
bool sources_can_know(const struct sources *sources, const struct metric *metric);

#endif
