/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bounded lock-free ring of frames, with one producer (the sampling thread) and one consumer (the
 * decoding thread). Neither makes a system call or waits for the other. All memory is allocated by
 * ring_new().
 */
#ifndef CXLMON_RING_H
#define CXLMON_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "poller/frame.h"

struct ring;

/* The number of frames to make room for: what fits in 192 KiB, at least 64 and at most 1024. */
size_t ring_room_for(struct frame_size size);

/* Room for at least 2 frames. NULL: out of memory. */
struct ring *ring_new(size_t room, struct frame_size size);
void ring_free(struct ring *ring); /* NULL does nothing */

/* For the producer. */

/* Whether the next ring_push() will succeed. */
bool ring_has_room(struct ring *ring);
/* Copies a frame into the ring. False: no room. */
bool ring_push(struct ring *ring, const struct frame *frame);
/* Likewise for the last frame, for which there is always room; no frame may follow. */
void ring_push_last(struct ring *ring, const struct frame *frame);

/* For the consumer. */

/* The oldest frame, valid until ring_drop(); NULL: the ring is empty. */
const struct frame *ring_oldest(struct ring *ring);
/* Removes the oldest frame. */
void ring_drop(struct ring *ring);
/* The number of frames in the ring. */
size_t ring_count(struct ring *ring);

#endif
