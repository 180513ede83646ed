/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readings on their way from the thread that takes them to one that shows what they count. Bounded,
 * without a lock, and without a system call on either side: neither ever waits for the other. All
 * memory is allocated when it is made.
 */
#ifndef CXLMON_RING_H
#define CXLMON_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "poller/sample.h"

struct ring;

/* How many readings there is room for, and how many of them may be others than plain ones. */
struct ring_room {
	size_t readings, counted;
};

/*
 * What to make room for: 1024 readings, a second of samples at the millisecond for a reader that
 * stalls, but no more than 96 KiB, and never less than 8; likewise for what others than plain
 * readings have besides.
 */
struct ring_room ring_fitting(struct reading_size size);

/* Room for at least 2 of both kinds, of up to such a size each. NULL: out of memory. */
struct ring *ring_new(struct ring_room room, struct reading_size size);
void ring_free(struct ring *ring); /* NULL does nothing */

/* For one thread, which takes the readings. */

/* Copies what a reading says. False: it is full, and the reading was not taken. */
bool ring_push(struct ring *ring, const struct reading *reading);
/* Likewise; there is always room for the last one, after which none may be pushed. */
void ring_push_last(struct ring *ring, const struct reading *reading);

/* For one other thread. */

/*
 * The oldest reading, which stays valid until ring_drop(), and whose counts may be filled in; NULL:
 * there is none.
 */
struct reading *ring_oldest(struct ring *ring);
/* The oldest one has been used: its room is free. */
void ring_drop(struct ring *ring);
/* How many there are. */
size_t ring_count(struct ring *ring);

#endif
