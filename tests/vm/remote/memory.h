/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated processor's physical memory, whose parts lie close together in a window of the
 * guest's. Discovery tables contain the guest's addresses.
 */
#ifndef REMOTE_MEMORY_H
#define REMOTE_MEMORY_H

#include "platform/platform.h"

struct memory;

/* p is made by platform_sim(), and must remain valid */
struct memory *memory_new(struct platform *p);
void memory_free(struct memory *m);

/* Returns the size of the window, a power of two. */
uint64_t memory_size(const struct memory *m);

/* Sets the guest's physical address of the window. */
void memory_move(struct memory *m, uint64_t base);

/* Returns the guest's address of the processor's phys; phys if it is in no part. */
uint64_t memory_address(const struct memory *m, uint64_t phys);

/*
 * Reads or writes bytes: 1, 2, 4 or 8. Memory without a register reads as 0; writes of 1 or 2
 * bytes are ignored.
 */
uint64_t memory_read(const struct memory *m, uint64_t offset, unsigned bytes);
void memory_write(struct memory *m, uint64_t offset, unsigned bytes, uint64_t value);

#endif
