/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/frame.h"
#include "unit.h"

#include <pthread.h>
#include <sched.h>

#define FRAMES 5 /* frames that fit into the rings below, besides the last one */
#define ROOM   (FRAMES + 1)
#define MANY   25000 /* frames passed from one thread to another */

/* Odd sizes, so that nothing is aligned by chance. */
static const struct frame_size size = {.domains = 1, .units = 3, .reads = 5};

static struct ring *ring;

static void set_up(void)
{
	ring = ring_new(ROOM, size);
}

static void tear_down(void)
{
	ring_free(ring);
}

/* A frame and its arrays. */
struct kept {
	struct frame frame;
	uint64_t arrays[64];
};

/* All values depend on n. */
static void number(struct kept *k, uint64_t n)
{
	memset(k, 0, sizeof(*k));
	ck_assert_uint_le(frame_bytes(size), sizeof(k->arrays));
	k->frame = (struct frame){
		.epoch = (uint32_t)n,
		.sample = n % 3,
		.rotated = n % 4 == 1,
		.skewed = n % 2,
		.multiplexed = n % 5 == 2,
		.has_undelivered = n % 5 == 3,
		.wall_ns = 10 * n,
		.missed = 10 * n + 1,
		.skipped = 10 * n + 2,
		.frozen_ns = 10 * n + 3,
	};
	frame_lay_out(&k->frame, k->arrays, size);
	k->frame.running_ns[0] = 500 * n;
	k->frame.waited_ns[0] = 550 * n;
	for (unsigned u = 0; u < size.units; u++) {
		k->frame.units[u].round = (uint16_t)(600 * n + u);
		k->frame.units[u].error = -(int)((n + u) % 40);
		k->frame.units[u].clobbered = (n + u) % 2;
	}
	for (unsigned r = 0; r < size.reads; r++) {
		k->frame.raw[r] = 400 * n + r;
		k->frame.skew[r] = 700 * n + r;
		k->frame.undelivered[r] = 750 * n + r;
		k->frame.start[r] = 800 * n + r;
		k->frame.start_skew[r] = 900 * n + r;
	}
}

static bool push(uint64_t n)
{
	struct kept k;
	bool taken;

	number(&k, n);
	const bool room = ring_has_room(ring);
	taken = ring_push(ring, &k.frame);
	ck_assert(taken || !room);
	/* the ring has a copy, which this does not change */
	number(&k, n + 7777);
	return taken;
}

static bool same(const void *a, const void *b, size_t count, size_t element)
{
	return !memcmp(a, b, count * element);
}

/* Faster than Check's comparisons, as it is called a hundred thousand times. */
static bool is(const struct frame *frame, uint64_t n)
{
	const struct frame *expected;
	struct kept k;

	number(&k, n);
	expected = &k.frame;
	if (!frame || frame->epoch != expected->epoch || frame->sample != expected->sample ||
	    frame->rotated != expected->rotated || frame->skewed != expected->skewed ||
	    frame->wall_ns != expected->wall_ns || frame->missed != expected->missed ||
	    frame->skipped != expected->skipped || frame->frozen_ns != expected->frozen_ns)
		return false;
	if (!same(frame->running_ns, expected->running_ns, size.domains, sizeof(uint64_t)) ||
	    !same(frame->raw, expected->raw, size.reads, sizeof(uint64_t)) ||
	    !same(frame->units, expected->units, size.units, sizeof(*frame->units)))
		return false;
	if (frame->skewed && !same(frame->skew, expected->skew, size.reads, sizeof(uint64_t)))
		return false;
	if (frame->has_undelivered != expected->has_undelivered ||
	    (frame->has_undelivered &&
	     !same(frame->undelivered, expected->undelivered, size.reads, sizeof(uint64_t))))
		return false;
	if (frame->multiplexed != expected->multiplexed ||
	    (frame->multiplexed &&
	     !same(frame->waited_ns, expected->waited_ns, size.domains, sizeof(uint64_t))))
		return false;
	return !frame->rotated ||
	       (same(frame->start, expected->start, size.reads, sizeof(uint64_t)) &&
		same(frame->start_skew, expected->start_skew, size.reads, sizeof(uint64_t)));
}

static void assert_next(uint64_t n)
{
	ck_assert(is(ring_oldest(ring), n));
	ring_drop(ring);
}

FIXTURE(set_up, tear_down)

TEST(test_frames_come_out_in_their_order_and_a_full_ring_takes_none_until_the_oldest_was_dropped)
{
	ck_assert_ptr_null(ring_oldest(ring));
	for (uint64_t n = 0; n < FRAMES; n++)
		ck_assert(push(n));
	const struct frame *oldest = ring_oldest(ring);
	ck_assert(!push(99));
	ck_assert(is(oldest, 0));
	ring_drop(ring);
	ck_assert(push(FRAMES));
	ck_assert(!push(99));
	for (uint64_t n = 1; n <= FRAMES; n++)
		assert_next(n);
	ck_assert_ptr_null(ring_oldest(ring));
}

TEST(test_there_is_always_room_for_the_last_frame)
{
	struct kept last;

	number(&last, FRAMES);
	for (uint64_t n = 0; n < FRAMES; n++)
		ck_assert(push(n));
	ck_assert(!push(99));
	ring_push_last(ring, &last.frame);
	for (uint64_t n = 0; n <= FRAMES; n++)
		assert_next(n);
	ck_assert_ptr_null(ring_oldest(ring));
}

TEST(test_a_ring_wraps_many_times)
{
	uint64_t pushed = 0, taken = 0;

	/* any number of frames in the ring, at any place */
	for (unsigned round = 0; round < 1000; round++) {
		for (unsigned k = 0; k < round % (FRAMES + 2); k++)
			pushed += push(pushed);
		for (unsigned k = 0; k < round % 4 && taken < pushed; k++)
			assert_next(taken++);
	}
	ck_assert_uint_gt(taken, 10 * FRAMES);
	while (taken < pushed)
		assert_next(taken++);
	ck_assert_ptr_null(ring_oldest(ring));
}

TEST(test_a_ring_has_a_bounded_size_whatever_a_frame_has)
{
	const size_t most = 192 << 10;
	struct frame_size of = {.domains = 1, .units = 1, .reads = 0};

	ck_assert_uint_eq(ring_room_for(of), 1024);
	of.reads = 100000;
	ck_assert_uint_eq(ring_room_for(of), 64);
	for (of.reads = 0; of.reads < 3000; of.reads++) {
		of.units = of.reads / 4;
		of.domains = of.units;
		const size_t frames = ring_room_for(of);

		ck_assert_uint_ge(frames, 64);
		ck_assert_uint_le(frames, 1024);
		ck_assert(frames * (sizeof(struct frame) + frame_bytes(of)) <= most ||
			  frames == 64);
	}
}

static void *push_many(void *unused)
{
	(void)unused;
	for (uint64_t n = 0; n < MANY;) {
		if (push(n))
			n++;
		else
			sched_yield(); /* a busy machine has no time for both to spin */
	}
	return NULL;
}

TEST(test_every_frame_goes_from_one_thread_to_the_other)
{
	uint64_t wrong = 0;
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, push_many, NULL), 0);
	for (uint64_t n = 0; n < MANY;) {
		const struct frame *frame = ring_oldest(ring);

		if (!frame) {
			sched_yield();
			continue;
		}
		wrong += !is(frame, n++);
		ring_drop(ring);
	}
	pthread_join(thread, NULL);
	ck_assert_uint_eq(wrong, 0);
	ck_assert_ptr_null(ring_oldest(ring));
}
