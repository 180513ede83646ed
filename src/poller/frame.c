/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/frame.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The size of .units, rounded up so that what follows them is aligned. */
static size_t unit_words(struct frame_size size)
{
	return (size.units * sizeof(struct frame_unit) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

/* The size of the arrays that are valid in each frame: running_ns, uncertain_ns, raw and units. */
static size_t always_words(struct frame_size size)
{
	return 2 * size.domains + size.reads + unit_words(size);
}

size_t frame_bytes(struct frame_size size)
{
	return (always_words(size) + 4 * size.reads + size.domains) * sizeof(uint64_t);
}

void frame_lay_out(struct frame *frame, void *bytes, struct frame_size size)
{
	frame->running_ns = bytes;
	frame->uncertain_ns = frame->running_ns + size.domains;
	frame->raw = frame->uncertain_ns + size.domains;
	frame->units = (void *)(frame->raw + size.reads);
	frame->skew = frame->running_ns + always_words(size);
	frame->undelivered = frame->skew + size.reads;
	frame->start = frame->undelivered + size.reads;
	frame->start_skew = frame->start + size.reads;
	frame->waited_ns = frame->start_skew + size.reads;
}

void frame_copy(struct frame *to, const struct frame *from, struct frame_size size)
{
	void *arrays = to->running_ns;

	*to = *from;
	frame_lay_out(to, arrays, size);
	memcpy(to->running_ns, from->running_ns, always_words(size) * sizeof(uint64_t));
	if (from->skewed)
		memcpy(to->skew, from->skew, size.reads * sizeof(*to->skew));
	if (from->has_undelivered)
		memcpy(to->undelivered, from->undelivered, size.reads * sizeof(*to->undelivered));
	if (from->multiplexed)
		memcpy(to->waited_ns, from->waited_ns, size.domains * sizeof(*to->waited_ns));
	if (from->rotated) {
		memcpy(to->start, from->start, size.reads * sizeof(*to->start));
		memcpy(to->start_skew, from->start_skew, size.reads * sizeof(*to->start_skew));
	}
}

#define MAX_FRAMES 1024
#define MAX_BYTES  ((size_t)192 << 10)
#define MIN_FRAMES 64

/*
 * Both counters count up for ever, each by one thread. A slot belongs to the one who pushes until
 * `pushed` has passed it, and then to the other until `dropped` has: release and acquire hand over
 * what it holds along with it.
 */
struct ring {
	size_t room; /* with one slot more than ring_push() fills: the last frame's */
	struct frame_size size;
	struct frame *slots;
	char *arrays; /* of all slots */
	_Atomic size_t pushed, dropped;
};

size_t ring_room_for(struct frame_size size)
{
	const size_t frames = MAX_BYTES / (sizeof(struct frame) + frame_bytes(size));

	if (frames < MIN_FRAMES)
		return MIN_FRAMES;
	return frames < MAX_FRAMES ? frames : MAX_FRAMES;
}

struct ring *ring_new(size_t room, struct frame_size size)
{
	const size_t bytes = frame_bytes(size);
	struct ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->room = room;
	ring->size = size;
	ring->slots = calloc(room, sizeof(*ring->slots));
	ring->arrays = malloc(room * bytes + 1);
	if (!ring->slots || !ring->arrays) {
		ring_free(ring);
		return NULL;
	}
	/* written once, so that the kernel finds the pages now and not while samples are taken */
	memset(ring->arrays, 0xFF, room * bytes);
	for (size_t i = 0; i < room; i++)
		frame_lay_out(&ring->slots[i], ring->arrays + i * bytes, size);
	return ring;
}

void ring_free(struct ring *ring)
{
	if (!ring)
		return;
	free(ring->slots);
	free(ring->arrays);
	free(ring);
}

static bool has_room(struct ring *ring, size_t kept_free)
{
	const size_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_acquire);

	return pushed - dropped + kept_free < ring->room;
}

bool ring_has_room(struct ring *ring)
{
	return has_room(ring, 1);
}

static bool push(struct ring *ring, const struct frame *frame, size_t kept_free)
{
	const size_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);

	if (!has_room(ring, kept_free))
		return false;
	frame_copy(&ring->slots[pushed % ring->room], frame, ring->size);
	atomic_store_explicit(&ring->pushed, pushed + 1, memory_order_release);
	return true;
}

bool ring_push(struct ring *ring, const struct frame *frame)
{
	return push(ring, frame, 1);
}

void ring_push_last(struct ring *ring, const struct frame *frame)
{
	push(ring, frame, 0);
}

const struct frame *ring_oldest(struct ring *ring)
{
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	return ring_count(ring) ? &ring->slots[dropped % ring->room] : NULL;
}

void ring_drop(struct ring *ring)
{
	atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_release);
}

size_t ring_count(struct ring *ring)
{
	return atomic_load_explicit(&ring->pushed, memory_order_acquire) -
	       atomic_load_explicit(&ring->dropped, memory_order_relaxed);
}
