/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that move bytes, each on a CPU and a part of the memory of its own. */
#ifndef CXLMON_LOAD_WORKERS_H
#define CXLMON_LOAD_WORKERS_H

#include "load/load.h"

struct workers;

/*
 * One thread for each CPU; the first one chases along the ring, if there is another. memory is
 * divided among the others. Both must outlive the workers. NULL: out of memory.
 */
struct workers *workers_new(const unsigned *cpus, size_t count, char *memory, size_t bytes,
			    void *ring);
void workers_free(struct workers *workers); /* stops them; NULL does nothing */

/* Writes to all the memory, so that its pages are there. */
int workers_fill(struct workers *workers, struct error *err);

int workers_start(struct workers *workers, const struct load_traffic *traffic, struct error *err);
void workers_stop(struct workers *workers);

size_t workers_count(const struct workers *workers);
/* Adds what the thread has done. */
void workers_progress(const struct workers *workers, size_t thread, struct load_progress *out);

#endif
