/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bounded lock-free ring of slots of equal size, from one producer thread to one consumer thread.
 * The functions of these threads make no system call, allocate nothing and never wait.
 */
#ifndef CXLMON_BASE_SLOT_RING_H
#define CXLMON_BASE_SLOT_RING_H

#include <stddef.h>

struct slot_ring;

/* Makes a ring of `room` slots, at least 2, of size bytes each. Returns NULL if memory runs out. */
struct slot_ring *slot_ring_new(size_t room, size_t size);
void slot_ring_free(struct slot_ring *ring); /* NULL does nothing */

/* Functions for the producer. */

/*
 * Returns a free slot, aligned to 8 bytes, for the producer to fill. If fewer than 1 + kept_free
 * slots are free, returns NULL. A call invalidates the slot of the previous call, unless pushed.
 */
void *slot_ring_next(struct slot_ring *ring, size_t kept_free);
/* Passes the slot of the last slot_ring_next() to the consumer. */
void slot_ring_push(struct slot_ring *ring);

/* Functions for the consumer. */

/* Returns the oldest slot, valid until slot_ring_drop(). If the ring is empty, returns NULL. */
const void *slot_ring_oldest(struct slot_ring *ring);
/* Removes the oldest slot. The ring must not be empty. */
void slot_ring_drop(struct slot_ring *ring);
/* Returns the number of slots that were pushed and not yet removed. */
size_t slot_ring_count(struct slot_ring *ring);

#endif
