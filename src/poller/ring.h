/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples on their way from the thread that takes them to one that shows them. Bounded, without a
 * lock, and without a system call on either side: neither ever waits for the other. All memory is
 * allocated when it is made.
 */
#ifndef CXLMON_RING_H
#define CXLMON_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "poller/sample.h"

struct ring;

/* Room for so many samples (at least 2) of up to so many counts each. NULL: out of memory. */
struct ring *ring_new(size_t samples, size_t counts);
void ring_free(struct ring *ring); /* NULL does nothing */

/*
 * How many samples of so many counts to make room for: 1024, a second of samples at the millisecond
 * for a reader that stalls, but no more than 448 KiB, and never less than 8.
 */
size_t ring_fitting(size_t counts);

/* For one thread, which takes the samples. */

/* Copies a sample in. False: it is full, and the sample was not taken. */
bool ring_push(struct ring *ring, const struct sample *sample);
/* Likewise; there is always room for the last one, after which none may be pushed. */
void ring_push_last(struct ring *ring, const struct sample *sample);

/* For one other thread. */

/* The oldest sample, which stays valid until ring_drop(); NULL: there is none. */
const struct sample *ring_oldest(struct ring *ring);
/* The oldest one has been used: its room is free. */
void ring_drop(struct ring *ring);
/* How many there are. */
size_t ring_count(struct ring *ring);

#endif
