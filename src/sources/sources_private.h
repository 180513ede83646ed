/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CXLMON_SOURCES_PRIVATE_H
#define CXLMON_SOURCES_PRIVATE_H

#include "sources/sources.h"

#define SOURCES 7

/* Lists sources in the order in which they are read, and in which changes are marked: source.c. */
void sources_list(struct sources *sources, struct source *list[SOURCES]);

/*
 * Tells if a source is due: at the first sample of each period, and at all samples that are a
 * period apart, even if their clock and this one differ (source.c). sample_s: time between samples;
 * NAN: unknown.
 */
bool source_is_due(struct source *source, uint64_t wall_ns, double sample_s);

/* Returns the wall-clock time from which a source is due; 0: it is due at wall_ns (source.c). */
uint64_t source_due_ns(const struct source *source, uint64_t wall_ns, double sample_s);

/* The most readings per sample, because a pipe or a ring may never become empty. */
#define READINGS_MOST 4096

/* Waits for the end of the thread, which was stopped, and frees it: source_thread.c. */
void source_thread_free(struct source_thread *thread);

/*
 * Returns the seconds until at_ns for which the thread has been reading a source; 0: it is reading
 * another one, or none.
 */
double source_thread_reads_for(const struct source_thread *thread, const struct source *source,
			       uint64_t at_ns);

/* A reading that is passed to another thread. */
struct handed_reading {
	uint64_t at_ns;	  /* end of the reading, by clock_ops.now */
	uint64_t wall_ns; /* end of the reading, since 1970 in UTC */
	uint64_t data[];
};

#endif
