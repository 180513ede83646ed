/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How bytes are moved: loops over vectors of 16 bytes, which every x86-64 and Arm has. Addresses
 * and lengths are multiples of KERNEL_LINE.
 */
#ifndef CXLMON_LOAD_KERNELS_H
#define CXLMON_LOAD_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define KERNEL_LINE 64 /* bytes of a cache line */

void kernel_read(const void *from, size_t bytes);

/*
 * With non-temporal stores: whole lines go to memory, without being read first. To an Arm processor
 * that is a hint; on others, lines may be read.
 */
void kernel_write(void *to, size_t bytes);

/*
 * Links all lines of an area to one ring, in an order that no prefetcher follows. Only the largest
 * power of two of lines is used; returns how many these are.
 */
size_t kernel_link(void *area, size_t bytes);

/* Follows that many links from a line of the ring; each read needs the one before it. Returns where
 * it has come to. */
void *kernel_chase(void *line, size_t links);

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

#endif
