/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/slot_ring.h"

/* The size of .units, rounded up so that the arrays after them are aligned. */
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

/* Copies a frame, and its valid arrays to the bytes for arrays of this size. */
static void copy_frame(struct frame *to, void *arrays, const struct frame *from,
		       struct frame_size size)
{
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

struct ring {
	struct slot_ring *slots; /* has one slot more than ring_push() fills, for the last frame */
	struct frame_size size;
};

static size_t slot_size(struct frame_size size)
{
	return sizeof(struct frame) + frame_bytes(size);
}

size_t ring_room_for(struct frame_size size)
{
	const size_t frames = MAX_BYTES / slot_size(size);

	if (frames < MIN_FRAMES)
		return MIN_FRAMES;
	return frames < MAX_FRAMES ? frames : MAX_FRAMES;
}

struct ring *ring_new(size_t room, struct frame_size size)
{
	struct ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->size = size;
	ring->slots = slot_ring_new(room, slot_size(size));
	if (!ring->slots) {
		free(ring);
		return NULL;
	}
	/* written once, so that the kernel finds the pages now and not during sampling */
	for (void *slot; (slot = slot_ring_next(ring->slots, 0)); slot_ring_push(ring->slots))
		memset(slot, 0xFF, slot_size(size));
	while (slot_ring_count(ring->slots))
		slot_ring_drop(ring->slots);
	return ring;
}

void ring_free(struct ring *ring)
{
	if (!ring)
		return;
	slot_ring_free(ring->slots);
	free(ring);
}

bool ring_has_room(struct ring *ring)
{
	return slot_ring_next(ring->slots, 1);
}

static bool push_frame(struct ring *ring, const struct frame *frame, size_t kept_free)
{
	struct frame *slot = slot_ring_next(ring->slots, kept_free);

	if (!slot)
		return false;
	copy_frame(slot, slot + 1, frame, ring->size);
	slot_ring_push(ring->slots);
	return true;
}

bool ring_push(struct ring *ring, const struct frame *frame)
{
	return push_frame(ring, frame, 1);
}

void ring_push_last(struct ring *ring, const struct frame *frame)
{
	push_frame(ring, frame, 0);
}

const struct frame *ring_oldest(struct ring *ring)
{
	return slot_ring_oldest(ring->slots);
}

void ring_drop(struct ring *ring)
{
	slot_ring_drop(ring->slots);
}
