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
	size_t size; /* one more than ring_push() fills: the last sample's */
	struct sample *slots;
	struct count *counts;
	_Atomic size_t pushed, dropped;
};

struct ring *ring_new(size_t samples, size_t counts)
{
	const size_t slot_bytes = samples * sizeof(struct sample);
	const size_t count_bytes = samples * (counts + 1) * sizeof(struct count);
	struct ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->size = samples;
	ring->slots = malloc(slot_bytes);
	ring->counts = malloc(count_bytes);
	if (!ring->slots || !ring->counts) {
		ring_free(ring);
		return NULL;
	}
	/* with something, so that the kernel finds the pages now and not while samples are taken */
	memset(ring->slots, 0xFF, slot_bytes);
	memset(ring->counts, 0xFF, count_bytes);
	for (size_t i = 0; i < samples; i++)
		ring->slots[i].counts = ring->counts + i * counts;
	return ring;
}

void ring_free(struct ring *ring)
{
	if (!ring)
		return;
	free(ring->slots);
	free(ring->counts);
	free(ring);
}

size_t ring_fitting(size_t counts)
{
	const size_t bytes = sizeof(struct sample) + counts * sizeof(struct count);
	const size_t samples = MOST_BYTES / bytes;

	if (samples < FEWEST_SAMPLES)
		return FEWEST_SAMPLES;
	return samples < MOST_SAMPLES ? samples : MOST_SAMPLES;
}

static bool push(struct ring *ring, const struct sample *sample, size_t room)
{
	const size_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_acquire);
	struct sample *slot = &ring->slots[pushed % ring->size];
	struct count *counts = slot->counts;

	if (pushed - dropped >= room)
		return false;
	*slot = *sample;
	slot->counts = counts;
	memcpy(counts, sample->counts, sample->count * sizeof(*counts));
	atomic_store_explicit(&ring->pushed, pushed + 1, memory_order_release);
	return true;
}

bool ring_push(struct ring *ring, const struct sample *sample)
{
	return push(ring, sample, ring->size - 1);
}

void ring_push_last(struct ring *ring, const struct sample *sample)
{
	push(ring, sample, ring->size);
}

const struct sample *ring_oldest(struct ring *ring)
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
