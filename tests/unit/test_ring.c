/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/ring.h"

#include <pthread.h>
#include <sched.h>

#include "suites.h"

#define SAMPLES 5 /* that fit into the rings below, the last one besides */
#define COUNTS	3
#define MANY	100000 /* from one thread to another */

/* Everything in it says that it is the nth. */
static void number(struct sample *sample, struct count *counts, uint64_t n)
{
	*sample = (struct sample){
		.counts = counts,
		.count = COUNTS,
		.wall_ns = 10 * n,
		.frozen_ns = 10 * n + 1,
		.missed = 10 * n + 2,
		.lost_units = 10 * n + 3,
	};
	for (unsigned s = 0; s < COUNTS; s++)
		counts[s] = (struct count){
			.events = 100 * n + s,
			.counted_ns = 200 * n + s,
			.unit_ns = 300 * n + s,
			.known = (n + s) % 2,
		};
}

static bool push(struct ring *ring, uint64_t n)
{
	struct count counts[COUNTS];
	struct sample sample;
	bool taken;

	number(&sample, counts, n);
	taken = ring_push(ring, &sample);
	/* it was copied: this is nobody's now */
	number(&sample, counts, n + 7777);
	return taken;
}

/* Quick enough to be asked a hundred thousand times, as Check's comparisons are not. */
static bool is(const struct sample *sample, uint64_t n)
{
	struct count counts[COUNTS];
	struct sample expected;
	bool same = sample != NULL;

	number(&expected, counts, n);
	same = same && sample->count == expected.count && sample->wall_ns == expected.wall_ns &&
	       sample->frozen_ns == expected.frozen_ns && sample->missed == expected.missed &&
	       sample->lost_units == expected.lost_units;
	for (unsigned s = 0; same && s < COUNTS; s++)
		same = sample->counts[s].events == counts[s].events &&
		       sample->counts[s].counted_ns == counts[s].counted_ns &&
		       sample->counts[s].unit_ns == counts[s].unit_ns &&
		       sample->counts[s].known == counts[s].known;
	return same;
}

static void assert_next(struct ring *ring, uint64_t n)
{
	ck_assert(is(ring_oldest(ring), n));
	ring_drop(ring);
}

START_TEST(test_samples_come_out_whole_and_in_their_order)
{
	struct ring *ring = ring_new(SAMPLES + 1, COUNTS);

	ck_assert_ptr_null(ring_oldest(ring));
	for (uint64_t n = 0; n < SAMPLES; n++)
		ck_assert(push(ring, n));
	ck_assert_uint_eq(ring_count(ring), SAMPLES);
	for (uint64_t n = 0; n < SAMPLES; n++)
		assert_next(ring, n);
	ck_assert_ptr_null(ring_oldest(ring));
	ck_assert_uint_eq(ring_count(ring), 0);
	ring_free(ring);
}
END_TEST

START_TEST(test_a_full_ring_takes_nothing_and_changes_nothing)
{
	struct ring *ring = ring_new(SAMPLES + 1, COUNTS);

	for (uint64_t n = 0; n < SAMPLES; n++)
		ck_assert(push(ring, n));
	ck_assert(!push(ring, 99));
	ck_assert_uint_eq(ring_count(ring), SAMPLES);
	assert_next(ring, 0);
	ck_assert(push(ring, SAMPLES));
	ck_assert(!push(ring, 99));
	for (uint64_t n = 1; n <= SAMPLES; n++)
		assert_next(ring, n);
	ck_assert_ptr_null(ring_oldest(ring));
	ring_free(ring);
}
END_TEST

START_TEST(test_a_sample_has_no_room_before_the_oldest_was_dropped)
{
	struct ring *ring = ring_new(SAMPLES + 1, COUNTS);

	for (uint64_t n = 0; n < SAMPLES; n++)
		ck_assert(push(ring, n));
	const struct sample *oldest = ring_oldest(ring);
	ck_assert(!push(ring, 99));
	ck_assert(is(oldest, 0));
	ring_drop(ring);
	ck_assert(push(ring, SAMPLES));
	ring_free(ring);
}
END_TEST

START_TEST(test_there_is_always_room_for_the_last_sample)
{
	struct ring *ring = ring_new(SAMPLES + 1, COUNTS);
	struct count counts[COUNTS];
	struct sample last;

	number(&last, counts, SAMPLES);
	for (uint64_t n = 0; n < SAMPLES; n++)
		ck_assert(push(ring, n));
	ck_assert(!push(ring, 99));
	ring_push_last(ring, &last);
	for (uint64_t n = 0; n <= SAMPLES; n++)
		assert_next(ring, n);
	ck_assert_ptr_null(ring_oldest(ring));
	ring_free(ring);
}
END_TEST

START_TEST(test_a_ring_goes_round_many_times)
{
	struct ring *ring = ring_new(SAMPLES + 1, COUNTS);
	uint64_t pushed = 0, taken = 0;

	/* with every number of samples in it, at every place */
	for (unsigned round = 0; round < 1000; round++) {
		for (unsigned k = 0; k < round % (SAMPLES + 2); k++)
			pushed += push(ring, pushed);
		ck_assert_uint_eq(ring_count(ring), pushed - taken);
		for (unsigned k = 0; k < round % 4 && taken < pushed; k++)
			assert_next(ring, taken++);
	}
	ck_assert_uint_gt(taken, 10 * SAMPLES);
	ring_free(ring);
}
END_TEST

START_TEST(test_a_ring_has_a_bounded_size_whatever_a_sample_has)
{
	const size_t most = 448 << 10;

	ck_assert_uint_eq(ring_fitting(4), 1024);
	ck_assert_uint_eq(ring_fitting(100000), 8);
	for (size_t counts = 0; counts < 3000; counts++) {
		const size_t bytes = sizeof(struct sample) + counts * sizeof(struct count);

		ck_assert_uint_ge(ring_fitting(counts), 8);
		ck_assert_uint_le(ring_fitting(counts), 1024);
		ck_assert(ring_fitting(counts) * bytes <= most || ring_fitting(counts) == 8);
	}
}
END_TEST

static void *push_many(void *context)
{
	for (uint64_t n = 0; n < MANY; n += push(context, n))
		if (n % 16 == 0)
			sched_yield();
	return NULL;
}

START_TEST(test_every_sample_goes_from_one_thread_to_the_other)
{
	struct ring *ring = ring_new(SAMPLES + 1, COUNTS);
	uint64_t wrong = 0;
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, push_many, ring), 0);
	for (uint64_t n = 0; n < MANY;) {
		const struct sample *sample = ring_oldest(ring);

		if (!sample) {
			sched_yield();
			continue;
		}
		wrong += !is(sample, n++);
		ring_drop(ring);
	}
	pthread_join(thread, NULL);
	ck_assert_uint_eq(wrong, 0);
	ck_assert_ptr_null(ring_oldest(ring));
	ring_free(ring);
}
END_TEST

Suite *suite_ring(void)
{
	Suite *suite = suite_create("ring");
	TCase *tc = tcase_create("ring");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_samples_come_out_whole_and_in_their_order);
	tcase_add_test(tc, test_a_full_ring_takes_nothing_and_changes_nothing);
	tcase_add_test(tc, test_a_sample_has_no_room_before_the_oldest_was_dropped);
	tcase_add_test(tc, test_there_is_always_room_for_the_last_sample);
	tcase_add_test(tc, test_a_ring_goes_round_many_times);
	tcase_add_test(tc, test_a_ring_has_a_bounded_size_whatever_a_sample_has);
	tcase_add_test(tc, test_every_sample_goes_from_one_thread_to_the_other);
	suite_add_tcase(suite, tc);
	return suite;
}
