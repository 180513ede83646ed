/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bounded lock-free ring of slots of equal size, from one producer thread to one consumer thread.
 * Neither makes a system call or waits for the other. All memory is allocated by slot_ring_new(). A
 * ring that becomes empty starts again at its first slot, so that slots never used take no pages.
 */
#ifndef CXLMON_BASE_SLOT_RING_H
#define CXLMON_BASE_SLOT_RING_H

#include <stddef.h>

struct slot_ring;

/* Makes a ring of `room` slots, at least 2, of size bytes each. NULL: out of memory. */
struct slot_ring *slot_ring_new(size_t room, size_t size);
void slot_ring_free(struct slot_ring *ring); /* NULL does nothing */

/* Functions for the producer. */

/*
 * Returns a free slot, aligned to 8 bytes, to be filled and then passed by slot_ring_push(). NULL:
 * fewer than 1 + kept_free slots are free. Until the push, only the slot of the last call is valid.
 */
void *slot_ring_next(struct slot_ring *ring, size_t kept_free);
/* Passes the slot from the last slot_ring_next() to the consumer. */
void slot_ring_push(struct slot_ring *ring);

/* Functions for the consumer. */

/* Returns the oldest slot, valid until slot_ring_drop(); NULL: the ring is empty. */
const void *slot_ring_oldest(struct slot_ring *ring);
/* Removes the oldest slot; the ring must not be empty. */
void slot_ring_drop(struct slot_ring *ring);
/* Returns the number of slots in the ring. */
size_t slot_ring_count(struct slot_ring *ring);

#endif
