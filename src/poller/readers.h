/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread for each job, bound to a CPU, so that sockets are read in parallel. The threads sleep
 * between readings: waking one takes as long as a few MSR reads, but less than reading another
 * socket from here.
 */
#ifndef CXLMON_READERS_H
#define CXLMON_READERS_H

#include <stddef.h>

#include "platform/platform.h"

struct readers;

/* Calls work(job) on this CPU. */
struct reader_job {
	int cpu;
	void *job;
};

/* NULL: the threads can't be started or bound. */
struct readers *readers_new(struct platform *p, void (*work)(void *job),
			    const struct reader_job *jobs, size_t count);
void readers_free(struct readers *readers); /* NULL does nothing */

/* Starts all jobs. */
void readers_go(struct readers *readers);
/* Waits until all jobs are done. */
void readers_wait(struct readers *readers);

#endif
