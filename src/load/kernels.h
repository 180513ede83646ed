/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How bytes are moved: loops over vectors of 16 bytes, which every x86-64 and Arm has. Addresses
 * and lengths are multiples of KERNEL_LINE.
 */
#ifndef CXLMON_LOAD_KERNELS_H
#define CXLMON_LOAD_KERNELS_H

#include <stddef.h>

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

#endif
