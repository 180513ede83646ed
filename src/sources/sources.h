/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All sources of a run, and their readers. In step, they are read when a row is computed. With a
 * thread, they are read shortly before samples are due, and each row takes the readings made before
 * it: so a slow file delays no sample and no row, and a row that waits for the output has the
 * numbers of its own time. A row without a new reading has no rate, and the next one has the rate
 * since the previous reading.
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
 * Sources of a run; zero: none is open. Each has a file, a member here, and a line in the list of
 * sources.c.
 */
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

/* Closes all sources. Ends the thread after the file that it reads has answered. */
void sources_close(struct sources *sources);

/*
 * Takes the readings made before a sample, or makes those that are due, in step. Adds marks for
 * changes. A source with a period is read at the first sample of each period, so that a recording
 * has it in the same samples as a run of longer intervals.
 */
void sources_update(struct sources *sources, const struct sample *sample, struct marks *marks);

/* Makes room for tallies, once devices are open. -ENOMEM. */
int sources_make_tallies(const struct sources *sources, struct tallies *out);
/* Replaces tallies by those of the latest readings. */
void sources_tally(struct sources *sources, struct tallies *out);

/*
 * Starts a thread that reads sources from now on, for samples at these deadlines. It has the
 * privileges of the calling thread, and all signals are blocked in it.
 */
int sources_start(struct sources *sources, const struct deadlines *samples, struct error *err);
/* Changes the deadlines. */
void sources_set_deadlines(struct sources *sources, const struct deadlines *samples);
/* Reads again, for a sample that is taken before it is due; waits at most 50 ms. */
void sources_read_now(struct sources *sources);
/* Ends the thread, without waiting for a file that it reads; no more readings come. */
void sources_stop(struct sources *sources);

/* Returns the open source that has a metric's numbers. NULL: there is none. */
const struct source *source_of_metric(const struct sources *sources, const struct metric *metric);

/* Tells if a source may know the metric in some row, as of the latest readings. */
bool sources_can_know(const struct sources *sources, const struct metric *metric);

#endif
