/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to src/sources: the times of readings, and readings passed from the thread. */
#ifndef CXLMON_SOURCES_PRIVATE_H
#define CXLMON_SOURCES_PRIVATE_H

#include "sources/sources.h"

#define SOURCES 7 /* members of struct sources */

/* source.c */

/* Lists all sources, open or not, in the order of their readings and of marks for changes. */
void sources_list(struct sources *sources, struct source *list[SOURCES]);

/*
 * Returns true if a source is to be read for a sample at wall_ns, and moves .due_ns to the next
 * period. A source is read at the first sample of each period, or at every sample if samples are a
 * period or more apart. sample_s: seconds between samples; NAN: unknown.
 */
bool source_is_due(struct source *source, uint64_t wall_ns, double sample_s);

/* Returns the wall-clock time from which the next sample reads a source; 0: any sample does. */
uint64_t source_due_ns(const struct source *source, uint64_t wall_ns, double sample_s);

/* The most readings of a source per sample. Without a limit, fast events would keep it reading. */
#define READINGS_MOST 4096

/* source_thread.c */

/* Waits for the end of a thread after sources_stop(), and frees it. Ignores NULL. */
void source_thread_free(struct source_thread *thread);

/*
 * Returns for how many seconds before at_ns the thread has been reading a source. 0: it reads
 * another source or none, or thread is NULL.
 */
double source_thread_reads_for(const struct source_thread *thread, const struct source *source,
			       uint64_t at_ns);

/* A reading in source.ring, from the thread to the thread that computes rows. */
struct handed_reading {
	uint64_t at_ns;	  /* end of the reading, by clock_ops.now */
	uint64_t wall_ns; /* end of the reading, since 1970 in UTC */
	uint64_t data[];  /* source.size bytes */
};

#endif
