/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a load (load.h): its memory, loops, pacing and threads. Private to this folder. */
#ifndef CXLMON_PROBE_LOAD_LOAD_PRIVATE_H
#define CXLMON_PROBE_LOAD_LOAD_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "probe/load/load.h"

/* Memory of one NUMA node: placement.c. */

struct placement {
	char *base;   /* memory to use, aligned to a huge page */
	size_t bytes; /* a multiple of huge pages */
	void *map;    /* all memory, as mmap() returned it */
	size_t map_bytes;
};

#define PLACEMENT_HUGE_PAGE (UINT64_C(2) << 20) /* on x86-64 */

/* Sets *bytes as load_memory_for() does for real memory. */
int placement_size(int node, uint64_t *bytes, struct error *err);

/*
 * Reserves memory that comes only from the node: bytes, rounded up to huge pages, and in huge pages
 * if the kernel provides them. Pages exist once they are written. ERROR_FAILED: the node does not
 * exist, or less is free. ERROR_PERMISSION: this process may not bind memory to a node. The caller
 * frees it by placement_free(), which does nothing after an error.
 */
int placement_reserve(struct placement *placement, int node, uint64_t bytes, struct error *err);

/*
 * Asks the kernel for the node of each page, after all pages were written. ERROR_FAILED: a page is
 * on another node, or its node is unknown. Returns 0 on kernels without NUMA.
 */
int placement_verify(const struct placement *placement, int node, struct error *err);

void placement_free(struct placement *placement);

/*
 * Loops that transfer bytes: kernels.c. They use vectors of 16 bytes, which every x86-64 and Arm
 * processor has. Addresses and lengths are multiples of KERNEL_LINE.
 */

#define KERNEL_LINE 64 /* bytes of a cache line */

/* Reads each line once, in the order of addresses. */
void kernel_read(const void *from, size_t bytes);

/*
 * Writes with non-temporal stores: whole lines go to memory, without being read first. Arm
 * processors may ignore this, and processors other than x86-64 and Arm read each line first.
 */
void kernel_write(void *to, size_t bytes);

/* Writes through the caches: each line is read before it is written. */
void kernel_store(void *to, size_t bytes);

/*
 * Links cache lines of an area to one ring, in an order that no prefetcher follows. Returns the
 * number of lines: the largest power of two that fits.
 */
size_t kernel_link(void *area, size_t bytes);

/* Follows links of the ring; each read needs the previous one. Returns the line reached. */
void *kernel_chase(void *line, size_t links);

/*
 * Follows `links` links of each of several chains at once; each read needs the previous one of its
 * chain. lines[] has the line of each chain, and gets the line reached.
 */
void kernel_chase_all(void **lines, unsigned chains, size_t links);

/*
 * Returns the first line of chain number nth, from 0, of several chains on a ring of kernel_link(),
 * which has `lines` lines. Chains start far apart if their number and the number of lines are
 * powers of two.
 */
void *kernel_chain(void *ring, size_t lines, size_t chains, size_t nth);

/*
 * The times at which chunks of bytes are due, to keep a rate. Times are in ns of one clock. After a
 * delay, chunks are due sooner until it is made up for; only the last 50 ms of a longer delay are
 * made up for.
 */
struct pacing {
	double bytes_per_s; /* more than 0; INFINITY: no chunk ever waits */
	uint64_t since;	    /* time from which .bytes count */
	double bytes;	    /* bytes transferred */
};

void pacing_begin(struct pacing *pacing, double bytes_per_s, uint64_t now);

/*
 * Returns the bytes of a chunk at this rate: at most 256 KiB of whole cache lines, which take at
 * most 0.2 ms, but at least one line.
 */
size_t pacing_chunk(double bytes_per_s);

/* Adds bytes that were transferred before now. Returns the time at which the next chunk is due. */
uint64_t pacing_moved(struct pacing *pacing, size_t bytes, uint64_t now);

/* Threads that transfer bytes, each on its CPU and in its part of the memory: workers.c. */

struct workers;

struct worker_memory {
	char *moved; /* area that is read and written */
	size_t moved_bytes;
	void *ring;	   /* ring of kernel_link(), which is made before a chase starts */
	size_t ring_bytes; /* a power of two of lines */
};

/*
 * Prepares a worker for each of count CPUs, at least one, without starting threads. The first
 * worker is only for the chase along the ring, unless it is the only one or run_kernels is set. The
 * others divide .moved into equal parts of whole lines. The memory must outlive the workers. NULL:
 * out of memory.
 */
struct workers *workers_new(const unsigned *cpus, size_t count, bool run_kernels,
			    const struct worker_memory *memory);
void workers_free(struct workers *workers); /* stops them; NULL does nothing */

/* Writes zeros to the workers' parts of .moved, so that their pages exist, and waits for it. */
int workers_fill(struct workers *workers, struct error *err);

/* Stops running threads, and starts threads for this traffic. After an error no thread runs. */
int workers_start(struct workers *workers, const struct load_traffic *traffic, struct error *err);
/* Stops all threads, and waits for their end. */
void workers_stop(struct workers *workers);

/* Adds the sums over all threads since workers_new() to *out: bytes, reads and ns of the chase. */
void workers_progress(const struct workers *workers, struct load_progress *out);

#endif
