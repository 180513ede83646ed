/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulated processor's physical memory, whose parts lie close together in a window of the
 * guest's. Addresses that the discovery tables contain are those of the guest.
 */
#ifndef REMOTE_MEMORY_H
#define REMOTE_MEMORY_H

#include "platform/platform.h"

struct memory;

struct memory *memory_new(struct platform *p); /* made by platform_sim(); must remain valid */
void memory_free(struct memory *m);

/* A power of two. */
uint64_t memory_size(const struct memory *m);

/* The guest has the window at this physical address from now on. */
void memory_move(struct memory *m, uint64_t base);

/* Where the guest has what the processor has at phys; phys where that is in no part. */
uint64_t memory_address(const struct memory *m, uint64_t phys);

/* bytes: 1, 2, 4 or 8. Where there is no register 0 is read; writes of 1 or 2 bytes are ignored. */
uint64_t memory_read(const struct memory *m, uint64_t offset, unsigned bytes);
void memory_write(struct memory *m, uint64_t offset, unsigned bytes, uint64_t value);

#endif
