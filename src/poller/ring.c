/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/ring.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST_READINGS	1024
#define MOST_BYTES	((size_t)96 << 10)
#define FEWEST_READINGS 8

/*
 * Two rings that go round independently: what every reading has, and what those have that are not
 * plain, which is ten times as much and comes once a second.
 *
 * All of them count up for ever, each by one thread. A slot belongs to the one who pushes until
 * `pushed` has passed it, and then to the other until `dropped` has: release and acquire hand over
 * what it holds along with it, and so does that of the slot for the counts that it points to.
 */
struct ring {
	/* each with one more than ring_push() fills: the last reading's */
	struct ring_room room;
	struct reading_size of;
	struct reading *slots;
	bool *is_counted;     /* by slot */
	char *arrays;	      /* of all slots */
	char *counted;	      /* arrays of those that are not plain */
	struct count *counts; /* of the plain one that is taken */
	_Atomic size_t pushed, dropped;
	size_t counted_pushed; /* nobody else asks for it */
	_Atomic size_t counted_dropped;
};

/* Rounded up, so that what comes next is aligned. */
static size_t aligned(size_t bytes)
{
	return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

static size_t slot_bytes(struct reading_size of)
{
	return (2 * of.places + of.domains) * sizeof(uint64_t);
}

static size_t counted_bytes(struct reading_size of)
{
	return aligned(of.slots * sizeof(struct count) + of.units * sizeof(uint32_t));
}

static void lay_out(struct reading *slot, char *bytes, struct reading_size of)
{
	slot->raw = (uint64_t *)(void *)bytes;
	slot->later = slot->raw + of.places;
	slot->ns = slot->later + of.places;
}

/* With something, so that the kernel finds the pages now and not while samples are taken. */
static void *allocate(size_t count, size_t bytes)
{
	void *memory = malloc(count * bytes + 1);

	if (memory)
		memset(memory, 0xFF, count * bytes);
	return memory;
}

struct ring *ring_new(struct ring_room room, struct reading_size of)
{
	struct ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->room = room;
	ring->of = of;
	ring->slots = allocate(room.readings, sizeof(*ring->slots));
	ring->is_counted = allocate(room.readings, sizeof(*ring->is_counted));
	ring->arrays = allocate(room.readings, slot_bytes(of));
	ring->counted = allocate(room.counted, counted_bytes(of));
	ring->counts = allocate(of.slots, sizeof(*ring->counts));
	if (!ring->slots || !ring->is_counted || !ring->arrays || !ring->counted || !ring->counts) {
		ring_free(ring);
		return NULL;
	}
	return ring;
}

void ring_free(struct ring *ring)
{
	if (!ring)
		return;
	free(ring->slots);
	free(ring->is_counted);
	free(ring->arrays);
	free(ring->counted);
	free(ring->counts);
	free(ring);
}

static size_t fitting(size_t bytes)
{
	const size_t readings = MOST_BYTES / (bytes ? bytes : 1);

	if (readings < FEWEST_READINGS)
		return FEWEST_READINGS;
	return readings < MOST_READINGS ? readings : MOST_READINGS;
}

struct ring_room ring_fitting(struct reading_size of)
{
	return (struct ring_room){
		.readings = fitting(sizeof(struct reading) + slot_bytes(of)),
		.counted = fitting(counted_bytes(of)),
	};
}

/* Where the counts and groups of the nth reading that is not plain are. */
static void point_to_counts(const struct ring *ring, struct reading *slot, size_t n)
{
	char *bytes = ring->counted + n % ring->room.counted * counted_bytes(ring->of);

	slot->sample.counts = (struct count *)(void *)bytes;
	slot->groups = (uint32_t *)(void *)(slot->sample.counts + ring->of.slots);
}

static void copy_plain(struct ring *ring, struct reading *to, const struct reading *from)
{
	const struct reading_size *of = &ring->of;

	to->sample.counts = ring->counts;
	memcpy(to->ns, from->ns, of->domains * sizeof(*to->ns));
}

static void copy_counted(struct ring *ring, struct reading *to, const struct reading *from)
{
	const struct reading_size *of = &ring->of;

	point_to_counts(ring, to, ring->counted_pushed++);
	memcpy(to->sample.counts, from->sample.counts, of->slots * sizeof(*to->sample.counts));
	memcpy(to->groups, from->groups, of->units * sizeof(*to->groups));
}

static bool push(struct ring *ring, const struct reading *reading, size_t kept_free)
{
	const size_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_acquire);
	const size_t counted_dropped =
		atomic_load_explicit(&ring->counted_dropped, memory_order_acquire);
	const size_t place = pushed % ring->room.readings;
	struct reading *slot = &ring->slots[place];

	if (pushed - dropped + kept_free >= ring->room.readings)
		return false;
	if (!reading->plain &&
	    ring->counted_pushed - counted_dropped + kept_free >= ring->room.counted)
		return false;
	lay_out(slot, ring->arrays + place * slot_bytes(ring->of), ring->of);
	slot->sample = reading->sample;
	slot->plain = reading->plain;
	ring->is_counted[place] = !reading->plain;
	memcpy(slot->raw, reading->raw, ring->of.places * sizeof(*slot->raw));
	if (reading->later)
		memcpy(slot->later, reading->later, ring->of.places * sizeof(*slot->later));
	else
		slot->later = NULL;
	if (reading->plain)
		copy_plain(ring, slot, reading);
	else
		copy_counted(ring, slot, reading);
	atomic_store_explicit(&ring->pushed, pushed + 1, memory_order_release);
	return true;
}

bool ring_push(struct ring *ring, const struct reading *reading)
{
	return push(ring, reading, 1);
}

void ring_push_last(struct ring *ring, const struct reading *reading)
{
	push(ring, reading, 0);
}

struct reading *ring_oldest(struct ring *ring)
{
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	return ring_count(ring) ? &ring->slots[dropped % ring->room.readings] : NULL;
}

void ring_drop(struct ring *ring)
{
	const size_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	/* before the slot, which says whether it had any, may be used again */
	if (ring->is_counted[dropped % ring->room.readings])
		atomic_fetch_add_explicit(&ring->counted_dropped, 1, memory_order_release);
	atomic_store_explicit(&ring->dropped, dropped + 1, memory_order_release);
}

size_t ring_count(struct ring *ring)
{
	return atomic_load_explicit(&ring->pushed, memory_order_acquire) -
	       atomic_load_explicit(&ring->dropped, memory_order_relaxed);
}
