/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames on their way from the thread that takes them to the one that decodes them. Bounded,
 * without a lock, and without a system call on either side: neither ever waits for the other. All
 * memory is allocated when it is made.
 */
#ifndef CXLMON_RING_H
#define CXLMON_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "poller/frame.h"

struct ring;

/* For how many frames to make room: 1024, but no more than 192 KiB, and never less than 8. */
size_t ring_room_for(struct frame_size size);

/* Room for at least 2 frames. NULL: out of memory. */
struct ring *ring_new(size_t room, struct frame_size size);
void ring_free(struct ring *ring); /* NULL does nothing */

/* For one thread, which takes the frames. */

/* Whether the next ring_push() will find room. */
bool ring_has_room(struct ring *ring);
/* Copies a frame. False: there was no room. */
bool ring_push(struct ring *ring, const struct frame *frame);
/* Likewise; there is always room for the last frame, after which none may be pushed. */
void ring_push_last(struct ring *ring, const struct frame *frame);

/* For one other thread. */

/* The oldest frame, which stays valid until ring_drop(); NULL: there is none. */
const struct frame *ring_oldest(struct ring *ring);
/* The oldest frame has been used: its room is free. */
void ring_drop(struct ring *ring);
/* How many there are. */
size_t ring_count(struct ring *ring);

#endif
