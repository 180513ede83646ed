/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a load, for files of this folder. */
#ifndef CXLMON_PROBE_LOAD_LOAD_PRIVATE_H
#define CXLMON_PROBE_LOAD_LOAD_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "probe/load/load.h"

/* placement.c: memory of one NUMA node. */

struct placement {
	char *base;   /* aligned to a huge page */
	size_t bytes; /* a multiple of huge pages */
	void *map;    /* as mmap() returned it */
	size_t map_bytes;
};

#define PLACEMENT_HUGE_PAGE (UINT64_C(2) << 20) /* as x86-64 has it */

/* As load_memory_for(). */
int placement_size(int node, uint64_t *bytes, struct error *err);

/*
 * Reserves memory that comes from the node and from nowhere else, in huge pages where the kernel
 * gives them. Not a page is there yet. ERROR_FAILED: there is no such node, or less is free.
 */
int placement_reserve(struct placement *placement, int node, uint64_t bytes, struct error *err);

/* After it was written to: asks the kernel where each page lies. ERROR_FAILED: on another node. */
int placement_verify(const struct placement *placement, int node, struct error *err);

void placement_free(struct placement *placement);

/*
 * kernels.c: how bytes are moved: loops over vectors of 16 bytes, which every x86-64 and Arm has.
 * Addresses and lengths are multiples of KERNEL_LINE.
 */

#define KERNEL_LINE 64 /* bytes of a cache line */

void kernel_read(const void *from, size_t bytes);

/*
 * With non-temporal stores: whole lines go to memory, without being read first. To an Arm processor
 * that is a hint; on others, lines may be read.
 */
void kernel_write(void *to, size_t bytes);

/* The same through the caches: each line is read before it is written. */
void kernel_store(void *to, size_t bytes);

/*
 * Links all lines of an area to one ring, in an order that no prefetcher follows. Only the largest
 * power of two of lines is used; returns how many these are.
 */
size_t kernel_link(void *area, size_t bytes);

/* Follows that many links from a line of the ring; each read needs the one before it. Returns where
 * it has come to. */
void *kernel_chase(void *line, size_t links);

/* Likewise from several lines at once, each read of which needs the one before it in its chain. */
void kernel_chase_all(void **lines, unsigned chains, size_t links);

/*
 * Where the nth of so many chains begins on a ring of these lines: far from all others, if both
 * numbers are powers of two.
 */
void *kernel_chain(void *ring, size_t lines, size_t chains, size_t nth);

/*
 * When the next chunk of bytes is due so that a rate is kept. Time that was lost is made up for,
 * unless it is more than a burst should take.
 */
struct pacing {
	double bytes_per_s; /* more than 0; INFINITY: no chunk ever waits */
	uint64_t since;	    /* ns */
	double bytes;	    /* moved since then */
};

void pacing_begin(struct pacing *pacing, double bytes_per_s, uint64_t now);

/* How much to move at once at that rate: whole lines, at most so much as takes a moment. */
size_t pacing_chunk(double bytes_per_s);

/* Bytes were moved until now; returns the time from which on more may be moved. */
uint64_t pacing_moved(struct pacing *pacing, size_t bytes, uint64_t now);

/* workers.c: threads that move bytes, each on a CPU and a part of the memory of its own. */

struct workers;

struct worker_memory {
	char *moved; /* what is read and written */
	size_t moved_bytes;
	void *ring; /* as kernel_link() has linked it, of a power of two of lines */
	size_t ring_bytes;
};

/*
 * One thread for each CPU; the first one chases along the ring, if there is another, unless all run
 * kernels. What is moved is divided among the others. memory's areas must outlive the workers.
 * NULL: out of memory.
 */
struct workers *workers_new(const unsigned *cpus, size_t count, bool run_kernels,
			    const struct worker_memory *memory);
void workers_free(struct workers *workers); /* stops them; NULL does nothing */

/* Writes to all the memory, so that its pages are there. */
int workers_fill(struct workers *workers, struct error *err);

int workers_start(struct workers *workers, const struct load_traffic *traffic, struct error *err);
void workers_stop(struct workers *workers);

/* Adds what all of them have done. */
void workers_progress(const struct workers *workers, struct load_progress *out);

#endif
