/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CXLMON_SOURCES_PRIVATE_H
#define CXLMON_SOURCES_PRIVATE_H

#include "sources/sources.h"

#define SOURCES 7

/* source.c: in the order in which they are read, and in which changes are marked. */
void sources_list(struct sources *sources, struct source *list[SOURCES]);

/*
 * source.c: whether a source is due: at the first sample of each period, and at all samples that
 * are a period apart, however their clock and this one differ. sample_s: time between samples; NAN:
 * unknown.
 */
bool source_is_due(struct source *source, uint64_t wall_ns, double sample_s);

/* source.c: wall-clock time from which it is due; 0: it is due at wall_ns. sample_s: as above. */
uint64_t source_due_ns(const struct source *source, uint64_t wall_ns, double sample_s);

/* A pipe or a ring that never becomes empty is read again for the next sample. */
#define READINGS_MOST 4096

/* source_thread.c: waits for the end of the thread, which was stopped, and frees it. */
void source_thread_free(struct source_thread *thread);

/* Seconds until at_ns for which the thread has been reading a source; 0: it reads another, or none.
 */
double source_thread_reads_for(const struct source_thread *thread, const struct source *source,
			       uint64_t at_ns);

/* A reading that is handed over. */
struct handed_reading {
	uint64_t at_ns;	  /* its end, by clock_ops.now */
	uint64_t wall_ns; /* the same, since 1970 in UTC */
	uint64_t data[];
};

#endif
