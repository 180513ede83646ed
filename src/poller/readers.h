/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that read sockets in parallel: one for each job, bound to a CPU of its socket. They sleep
 * between readings: to wake one takes as long as a few MSR reads, but less than reading another
 * socket from here.
 */
#ifndef CXLMON_POLLER_READERS_H
#define CXLMON_POLLER_READERS_H

#include <stddef.h>

#include "poller/poller_private.h"

struct readers;

/* Each calls work(job) on the CPU of its job. NULL: they can't be started or bound. */
struct readers *readers_new(struct platform *p, void (*work)(struct socket_job *job),
			    struct socket_job *jobs, size_t count);
void readers_free(struct readers *readers); /* NULL does nothing */

/* Starts all jobs. */
void readers_go(struct readers *readers);
/* Waits until all jobs are done. */
void readers_wait(struct readers *readers);

#endif
