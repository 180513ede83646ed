/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated processor's physical memory. Its parts lie close together in a window of the
 * guest's memory. Discovery tables contain the guest's addresses.
 */
#ifndef REMOTE_MEMORY_H
#define REMOTE_MEMORY_H

#include "platform/platform.h"

struct memory;

/* Makes the memory. p, which platform_sim() has made, must outlive it. */
struct memory *memory_new(struct platform *p);
void memory_free(struct memory *m);

/* Returns the size of the window, a power of two. */
uint64_t memory_size(const struct memory *m);

/* Sets the guest's physical address of the window. */
void memory_move(struct memory *m, uint64_t base);

/* Returns the guest's address for the processor's address phys; phys itself if it is in no part. */
uint64_t memory_address(const struct memory *m, uint64_t phys);

/*
 * Read or write bytes, 1, 2, 4 or 8, at offset in the window. Memory without a register reads as 0;
 * writes of 1 or 2 bytes are ignored.
 */
uint64_t memory_read(const struct memory *m, uint64_t offset, unsigned bytes);
void memory_write(struct memory *m, uint64_t offset, unsigned bytes, uint64_t value);

#endif
