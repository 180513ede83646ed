/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/ring.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLES   1024
#define MOST_BYTES     ((size_t)448 << 10)
#define FEWEST_SAMPLES 8

/*
 * Both count up for ever, each by one thread. A slot belongs to the one who pushes until `pushed`
 * has passed it, and then to the other until `dropped` has: release and acquire hand over what it
 * holds along with it.
 */
struct ring {
	size_t size; /* one more than ring_push() fills: the last reading's */
	struct reading_size of;
	struct reading *slots;
	char *arrays; /* of all slots */
	_Atomic size_t pushed, dropped;
};

static size_t array_bytes(struct reading_size of)
{
	return of.slots * sizeof(struct count) + of.places * sizeof(uint64_t) +
	       of.domains * sizeof(uint64_t) + of.units * sizeof(uint32_t);
}

/* Rounded up, so that what comes next is aligned. */
static size_t slot_bytes(struct reading_size of)
{
	const size_t bytes = array_bytes(of) + sizeof(uint64_t);

	return bytes - bytes % sizeof(uint64_t);
}

/* The widest first, so that each is aligned. */
static void lay_out(struct reading *slot, char *bytes, struct reading_size of)
{
	slot->sample.counts = (struct count *)(void *)bytes;
	slot->raw = (uint64_t *)(void *)(slot->sample.counts + of.slots);
	slot->ns = slot->raw + of.places;
	slot->groups = (uint32_t *)(void *)(slot->ns + of.domains);
}

struct ring *ring_new(size_t readings, struct reading_size of)
{
	struct ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->size = readings;
	ring->of = of;
	ring->slots = malloc(readings * sizeof(*ring->slots));
	ring->arrays = malloc(readings * slot_bytes(of));
	if (!ring->slots || !ring->arrays) {
		ring_free(ring);
		return NULL;
	}
	/* with something, so that the kernel finds the pages now and not while samples are taken */
	memset(ring->slots, 0xFF, readings * sizeof(*ring->slots));
	memset(ring->arrays, 0xFF, readings * slot_bytes(of));
	for (size_t i = 0; i < readings; i++)
		lay_out(&ring->slots[i], ring->arrays + i * slot_bytes(of), of);
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

size_t ring_fitting(struct reading_size of)
{
	const size_t readings = MOST_BYTES / (sizeof(struct reading) + slot_bytes(of));

	if (readings < FEWEST_SAMPLES)
		return FEWEST_SAMPLES;
	return readings < MOST_SAMPLES ? readings : MOST_SAMPLES;
}

static void copy(struct reading *to, const struct reading *from, const struct reading_size *of)
{
	struct count *counts = to->sample.counts;

	to->sample = from->sample;
	to->sample.counts = counts;
	to->plain = from->plain;
	memcpy(to->raw, from->raw, of->places * sizeof(*to->raw));
	if (from->plain) {
		memcpy(to->ns, from->ns, of->domains * sizeof(*to->ns));
		return;
	}
	memcpy(counts, from->sample.counts, of->slots * sizeof(*counts));
	memcpy(to->groups, from->groups, of->units * sizeof(*to->groups));
}

static bool push(struct ring *ring, const struct reading *reading, size_t room)
{
	const size_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_acquire);

	if (pushed - dropped >= room)
		return false;
	copy(&ring->slots[pushed % ring->size], reading, &ring->of);
	atomic_store_explicit(&ring->pushed, pushed + 1, memory_order_release);
	return true;
}

bool ring_push(struct ring *ring, const struct reading *reading)
{
	return push(ring, reading, ring->size - 1);
}

void ring_push_last(struct ring *ring, const struct reading *reading)
{
	push(ring, reading, ring->size);
}

struct reading *ring_oldest(struct ring *ring)
{
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	return ring_count(ring) ? &ring->slots[dropped % ring->size] : NULL;
}

void ring_drop(struct ring *ring)
{
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	atomic_store_explicit(&ring->dropped, dropped + 1, memory_order_release);
}

size_t ring_count(struct ring *ring)
{
	return atomic_load_explicit(&ring->pushed, memory_order_acquire) -
	       atomic_load_explicit(&ring->dropped, memory_order_relaxed);
}
