/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/slot_ring.h"

#include <stdint.h>

#include "unit.h"

#define ROOM 3

static struct slot_ring *ring;

static void set_up(void)
{
	ring = slot_ring_new(ROOM, sizeof(uint64_t));
}

static void tear_down(void)
{
	slot_ring_free(ring);
}

/* Pushes a number; returns its slot. */
static void *push_number(uint64_t number)
{
	uint64_t *slot = slot_ring_next(ring, 0);

	*slot = number;
	slot_ring_push(ring);
	return slot;
}

static void assert_oldest(uint64_t expected)
{
	ck_assert_uint_eq(*(const uint64_t *)slot_ring_oldest(ring), expected);
	slot_ring_drop(ring);
}

FIXTURE(set_up, tear_down)

TEST(test_an_empty_ring_begins_with_its_first_slot_again)
{
	const void *first = push_number(0);

	assert_oldest(0);
	for (uint64_t i = 1; i < 10; i++) {
		ck_assert_ptr_eq(push_number(i), first);
		assert_oldest(i);
	}
}

TEST(test_slots_are_taken_in_their_order_where_the_ring_never_is_empty)
{
	push_number(0);
	for (uint64_t i = 1; i < 10; i++) {
		push_number(i);
		assert_oldest(i - 1);
	}
	push_number(10);
	push_number(11);
	ck_assert_ptr_null(slot_ring_next(ring, 0));
	for (uint64_t i = 9; i < 12; i++)
		assert_oldest(i);
	ck_assert_ptr_null(slot_ring_oldest(ring));
}
