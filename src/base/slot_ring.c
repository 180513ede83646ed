/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/slot_ring.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * A ring. Both counters count up for ever, each by one thread. A slot belongs to the producer until
 * `pushed` has passed it, and then to the consumer until `dropped` has: release and acquire pass
 * its contents along with it.
 */
struct slot_ring {
	size_t room, size;
	char *slots;
	size_t first; /* count of the first slot; the producer sets it while the ring is empty */
	_Atomic size_t pushed, dropped;
};

struct slot_ring *slot_ring_new(size_t room, size_t size)
{
	struct slot_ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->room = room;
	ring->size = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
	ring->slots = malloc(room * ring->size + 1);
	if (!ring->slots) {
		free(ring);
		return NULL;
	}
	return ring;
}

void slot_ring_free(struct slot_ring *ring)
{
	if (!ring)
		return;
	free(ring->slots);
	free(ring);
}

static void *slot_at(const struct slot_ring *ring, size_t count)
{
	return ring->slots + (count - ring->first) % ring->room * ring->size;
}

void *slot_ring_next(struct slot_ring *ring, size_t kept_free)
{
	const size_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_acquire);

	/*
	 * An empty ring starts again at its first slot: few slots are in use, and in caches, and
	 * the others take no pages.
	 */
	if (pushed == dropped)
		ring->first = pushed;
	return pushed - dropped + kept_free < ring->room ? slot_at(ring, pushed) : NULL;
}

void slot_ring_push(struct slot_ring *ring)
{
	atomic_fetch_add_explicit(&ring->pushed, 1, memory_order_release);
}

const void *slot_ring_oldest(struct slot_ring *ring)
{
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	return slot_ring_count(ring) ? slot_at(ring, dropped) : NULL;
}

void slot_ring_drop(struct slot_ring *ring)
{
	atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_release);
}

size_t slot_ring_count(struct slot_ring *ring)
{
	return atomic_load_explicit(&ring->pushed, memory_order_acquire) -
	       atomic_load_explicit(&ring->dropped, memory_order_relaxed);
}
