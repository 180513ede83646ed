/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a load, for files of this folder. */
#ifndef CXLMON_PROBE_LOAD_LOAD_PRIVATE_H
#define CXLMON_PROBE_LOAD_LOAD_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "probe/load/load.h"

/* Memory of one NUMA node: placement.c. */

struct placement {
	char *base;   /* aligned to a huge page */
	size_t bytes; /* a multiple of huge pages */
	void *map;    /* as mmap() returned it */
	size_t map_bytes;
};

#define PLACEMENT_HUGE_PAGE (UINT64_C(2) << 20) /* on x86-64 */

/* Sets the size as load_memory_for(). */
int placement_size(int node, uint64_t *bytes, struct error *err);

/*
 * Reserves memory that comes only from the node, in huge pages if the kernel provides them. No page
 * exists yet. ERROR_FAILED: the node does not exist, or less is free.
 */
int placement_reserve(struct placement *placement, int node, uint64_t bytes, struct error *err);

/*
 * Asks the kernel for the node of each page, after all were written. ERROR_FAILED: a page is on
 * another node.
 */
int placement_verify(const struct placement *placement, int node, struct error *err);

void placement_free(struct placement *placement);

/*
 * Loops that transfer bytes, in vectors of 16 bytes, which every x86-64 and Arm has: kernels.c.
 * Addresses and lengths are multiples of KERNEL_LINE.
 */

#define KERNEL_LINE 64 /* bytes of a cache line */

void kernel_read(const void *from, size_t bytes);

/*
 * Writes with non-temporal stores: whole lines go to memory, without being read first. For an Arm
 * processor they are a hint; other processors may read lines.
 */
void kernel_write(void *to, size_t bytes);

/* Writes through the caches: each line is read before it is written. */
void kernel_store(void *to, size_t bytes);

/*
 * Links all lines of an area to one ring, in an order that no prefetcher follows. Uses only the
 * largest power of two of lines; returns their number.
 */
size_t kernel_link(void *area, size_t bytes);

/*
 * Follows that many links from a line of the ring; each read needs the previous one. Returns the
 * last line.
 */
void *kernel_chase(void *line, size_t links);

/* Follows links from several lines at once; each read needs the previous one of its chain. */
void kernel_chase_all(void **lines, unsigned chains, size_t links);

/*
 * Returns the first line of the nth chain on a ring: far from all other chains, if both numbers are
 * powers of two.
 */
void *kernel_chain(void *ring, size_t lines, size_t chains, size_t nth);

/*
 * The times at which chunks are due to keep a rate. Lost time is made up for, unless it is longer
 * than a burst may be.
 */
struct pacing {
	double bytes_per_s; /* more than 0; INFINITY: no chunk ever waits */
	uint64_t since;	    /* ns */
	double bytes;	    /* bytes transferred since then */
};

void pacing_begin(struct pacing *pacing, double bytes_per_s, uint64_t now);

/*
 * Returns the bytes to transfer at once at that rate: whole lines, at most as many as take a
 * moment.
 */
size_t pacing_chunk(double bytes_per_s);

/* Adds bytes transferred until now; returns the time from which on more may be transferred. */
uint64_t pacing_moved(struct pacing *pacing, size_t bytes, uint64_t now);

/* Threads that transfer bytes, each on a CPU and on a part of the memory of its own: workers.c. */

struct workers;

struct worker_memory {
	char *moved; /* area that is read and written */
	size_t moved_bytes;
	void *ring; /* linked by kernel_link(); a power of two of lines */
	size_t ring_bytes;
};

/*
 * Makes one thread for each CPU. The first one chases along the ring, if there is another, unless
 * all run kernels; the others divide .moved among themselves. memory's areas must outlive the
 * workers. NULL: out of memory.
 */
struct workers *workers_new(const unsigned *cpus, size_t count, bool run_kernels,
			    const struct worker_memory *memory);
void workers_free(struct workers *workers); /* stops them; NULL does nothing */

/* Writes to all the memory, so that its pages exist. */
int workers_fill(struct workers *workers, struct error *err);

int workers_start(struct workers *workers, const struct load_traffic *traffic, struct error *err);
void workers_stop(struct workers *workers);

/* Adds the progress of all threads. */
void workers_progress(const struct workers *workers, struct load_progress *out);

#endif
