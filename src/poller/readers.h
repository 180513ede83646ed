/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread for each job but the first, bound to a CPU, so that all are done at the same time. They
 * sleep in between: waking them takes as long as some reads of MSRs, and less than those of another
 * socket.
 */
#ifndef CXLMON_READERS_H
#define CXLMON_READERS_H

#include <stddef.h>

#include "platform/platform.h"

struct readers;

/* A job is work(job), on this CPU. */
struct reader_job {
	int cpu;
	void *job;
};

/* NULL: they can't be had. */
struct readers *readers_new(struct platform *p, void (*work)(void *job),
			    const struct reader_job *jobs, size_t count);
void readers_free(struct readers *readers); /* NULL does nothing */

/* Lets each do its job once. */
void readers_go(struct readers *readers);
/* Waits until all have done it. */
void readers_wait(struct readers *readers);

#endif
