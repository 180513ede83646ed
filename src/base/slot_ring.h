/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bounded lock-free ring of equal slots of bytes, between a producer and a consumer thread.
 * Neither makes a system call or waits for the other. All memory is allocated by slot_ring_new();
 * whenever the ring is empty, its first slot is used again, so that only slots in use at one time
 * take pages.
 */
#ifndef CXLMON_BASE_SLOT_RING_H
#define CXLMON_BASE_SLOT_RING_H

#include <stddef.h>

struct slot_ring;

/* Makes a ring of room slots, at least 2, of size bytes each. NULL: out of memory. */
struct slot_ring *slot_ring_new(size_t room, size_t size);
void slot_ring_free(struct slot_ring *ring); /* NULL does nothing */

/* Functions for the producer. */

/*
 * Returns the slot that is pushed next, aligned to 8 bytes; NULL: there is no room. kept_free:
 * further slots that must stay free. The slot from the previous call is no longer valid.
 */
void *slot_ring_next(struct slot_ring *ring, size_t kept_free);
/* Passes that slot to the consumer. */
void slot_ring_push(struct slot_ring *ring);

/* Functions for the consumer. */

/* Returns the oldest slot, valid until slot_ring_drop(); NULL: the ring is empty. */
const void *slot_ring_oldest(struct slot_ring *ring);
/* Removes the oldest slot. */
void slot_ring_drop(struct slot_ring *ring);
/* Returns the number of slots in the ring. */
size_t slot_ring_count(struct slot_ring *ring);

#endif
