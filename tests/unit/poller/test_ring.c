/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/ring.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "suites.h"

#define READINGS 5	/* that fit into the rings below, the last one besides */
#define MANY	 100000 /* from one thread to another */

/* Numbers that are odd, so that nothing is aligned by chance. */
static const struct reading_size size = {.slots = 3, .places = 5, .domains = 1, .units = 3};

static const struct ring_room room = {READINGS + 1, READINGS + 1};

/* A reading and what it points to. */
struct kept {
	struct reading reading;
	struct count counts[3];
	uint64_t raw[5], later[5], ns[1];
	uint32_t groups[3];
};

/* Everything in it says that it is the nth; every third is not plain, others have times or not. */
static void number(struct kept *k, uint64_t n)
{
	k->reading = (struct reading){
		.sample = {.counts = k->counts,
			   .count = size.slots,
			   .wall_ns = 10 * n,
			   .frozen_ns = 10 * n + 1,
			   .missed = 10 * n + 2,
			   .lost_units = 10 * n + 3},
		.plain = n % 3,
		.raw = k->raw,
		.ns = k->ns,
		.later = n % 2 ? k->later : NULL,
		.groups = k->groups,
	};
	for (unsigned s = 0; s < size.slots; s++)
		k->counts[s] = (struct count){
			.events = 100 * n + s,
			.counted_ns = 200 * n + s,
			.unit_ns = 300 * n + s,
			.known = (n + s) % 2,
		};
	for (unsigned s = 0; s < size.places; s++)
		k->raw[s] = 400 * n + s;
	for (unsigned s = 0; s < size.places; s++)
		k->later[s] = 700 * n + s;
	k->ns[0] = 500 * n;
	for (unsigned u = 0; u < size.units; u++)
		k->groups[u] = (uint32_t)(600 * n + u);
}

static bool push(struct ring *ring, uint64_t n)
{
	struct kept k;
	bool taken;

	number(&k, n);
	taken = ring_push(ring, &k.reading);
	/* it was copied: this is nobody's now */
	number(&k, n + 7777);
	return taken;
}

static bool same_counts(const struct count *a, const struct count *b)
{
	bool same = true;

	for (unsigned s = 0; s < size.slots; s++)
		same = same && a[s].events == b[s].events && a[s].counted_ns == b[s].counted_ns &&
		       a[s].unit_ns == b[s].unit_ns && a[s].known == b[s].known;
	return same;
}

/* Quick enough to be asked a hundred thousand times, as Check's comparisons are not. */
static bool is(const struct reading *reading, uint64_t n)
{
	struct kept k;
	const struct sample *expected = &k.reading.sample;

	number(&k, n);
	if (!reading || reading->plain != k.reading.plain ||
	    memcmp(reading->raw, k.raw, sizeof(k.raw)) != 0)
		return false;
	const struct sample *sample = &reading->sample;
	if (sample->count != expected->count || sample->wall_ns != expected->wall_ns ||
	    sample->frozen_ns != expected->frozen_ns || sample->missed != expected->missed ||
	    sample->lost_units != expected->lost_units)
		return false;
	if (!reading->later != !k.reading.later ||
	    (reading->later && memcmp(reading->later, k.later, sizeof(k.later)) != 0))
		return false;
	if (reading->plain)
		return !memcmp(reading->ns, k.ns, sizeof(k.ns));
	return same_counts(sample->counts, k.counts) &&
	       !memcmp(reading->groups, k.groups, sizeof(k.groups));
}

static void assert_next(struct ring *ring, uint64_t n)
{
	ck_assert(is(ring_oldest(ring), n));
	ring_drop(ring);
}

START_TEST(test_readings_come_out_whole_and_in_their_order)
{
	struct ring *ring = ring_new(room, size);

	ck_assert_ptr_null(ring_oldest(ring));
	for (uint64_t n = 0; n < READINGS; n++)
		ck_assert(push(ring, n));
	ck_assert_uint_eq(ring_count(ring), READINGS);
	for (uint64_t n = 0; n < READINGS; n++)
		assert_next(ring, n);
	ck_assert_ptr_null(ring_oldest(ring));
	ck_assert_uint_eq(ring_count(ring), 0);
	ring_free(ring);
}
END_TEST

START_TEST(test_a_full_ring_takes_nothing_and_changes_nothing)
{
	struct ring *ring = ring_new(room, size);

	for (uint64_t n = 0; n < READINGS; n++)
		ck_assert(push(ring, n));
	ck_assert(!push(ring, 99));
	ck_assert_uint_eq(ring_count(ring), READINGS);
	assert_next(ring, 0);
	ck_assert(push(ring, READINGS));
	ck_assert(!push(ring, 99));
	for (uint64_t n = 1; n <= READINGS; n++)
		assert_next(ring, n);
	ck_assert_ptr_null(ring_oldest(ring));
	ring_free(ring);
}
END_TEST

START_TEST(test_a_reading_has_no_room_before_the_oldest_was_dropped)
{
	struct ring *ring = ring_new(room, size);

	for (uint64_t n = 0; n < READINGS; n++)
		ck_assert(push(ring, n));
	const struct reading *oldest = ring_oldest(ring);
	ck_assert(!push(ring, 99));
	ck_assert(is(oldest, 0));
	ring_drop(ring);
	ck_assert(push(ring, READINGS));
	ring_free(ring);
}
END_TEST

START_TEST(test_there_is_always_room_for_the_last_reading)
{
	struct ring *ring = ring_new(room, size);
	struct kept last;

	number(&last, READINGS);
	for (uint64_t n = 0; n < READINGS; n++)
		ck_assert(push(ring, n));
	ck_assert(!push(ring, 99));
	ring_push_last(ring, &last.reading);
	for (uint64_t n = 0; n <= READINGS; n++)
		assert_next(ring, n);
	ck_assert_ptr_null(ring_oldest(ring));
	ring_free(ring);
}
END_TEST

START_TEST(test_a_ring_goes_round_many_times)
{
	struct ring *ring = ring_new(room, size);
	uint64_t pushed = 0, taken = 0;

	/* with every number of samples in it, at every place */
	for (unsigned round = 0; round < 1000; round++) {
		for (unsigned k = 0; k < round % (READINGS + 2); k++)
			pushed += push(ring, pushed);
		ck_assert_uint_eq(ring_count(ring), pushed - taken);
		for (unsigned k = 0; k < round % 4 && taken < pushed; k++)
			assert_next(ring, taken++);
	}
	ck_assert_uint_gt(taken, 10 * READINGS);
	ring_free(ring);
}
END_TEST

START_TEST(test_others_than_plain_readings_have_less_room)
{
	struct ring *ring = ring_new((struct ring_room){READINGS + 1, 3}, size);

	/* 0 and 3 are not plain, and neither is 6 */
	for (uint64_t n = 0; n < 4; n++)
		ck_assert(push(ring, n));
	ck_assert(!push(ring, 6));
	ck_assert(push(ring, 7));
	for (uint64_t n = 0; n < 4; n++)
		assert_next(ring, n);
	assert_next(ring, 7);
	ck_assert(push(ring, 6));
	ck_assert(push(ring, 9));
	ck_assert(!push(ring, 12));
	struct kept last;
	number(&last, 12);
	ring_push_last(ring, &last.reading);
	assert_next(ring, 6);
	assert_next(ring, 9);
	assert_next(ring, 12);
	ring_free(ring);
}
END_TEST

START_TEST(test_a_ring_has_a_bounded_size_whatever_a_reading_has)
{
	const size_t most = 96 << 10;
	struct reading_size of = {.slots = 2, .places = 0, .domains = 0, .units = 1};

	ck_assert_uint_eq(ring_fitting(of).readings, 1024);
	ck_assert_uint_eq(ring_fitting(of).counted, 1024);
	of.slots = of.places = 100000;
	ck_assert_uint_eq(ring_fitting(of).readings, 8);
	ck_assert_uint_eq(ring_fitting(of).counted, 8);
	for (of.slots = 0; of.slots < 3000; of.slots++) {
		of.units = of.slots / 4;
		of.domains = of.units;
		of.places = of.slots;
		const struct ring_room fits = ring_fitting(of);
		const size_t plain =
			sizeof(struct reading) + (2 * of.places + of.domains) * sizeof(uint64_t);
		const size_t counted =
			of.slots * sizeof(struct count) + of.units * sizeof(uint32_t);

		ck_assert_uint_ge(fits.readings, 8);
		ck_assert_uint_le(fits.readings, 1024);
		ck_assert(fits.readings * plain <= most || fits.readings == 8);
		ck_assert_uint_ge(fits.counted, 8);
		ck_assert_uint_le(fits.counted, 1024);
		ck_assert(fits.counted * counted <= most || fits.counted == 8);
	}
}
END_TEST

START_TEST(test_counts_may_be_filled_in_where_they_lie)
{
	struct ring *ring = ring_new(room, size);

	ck_assert(push(ring, 3));
	ck_assert(push(ring, 4));
	ck_assert(push(ring, 6));
	for (uint64_t n = 3; n <= 6; n++) {
		if (n == 5)
			continue;
		ck_assert(is(ring_oldest(ring), n));
		memset(ring_oldest(ring)->sample.counts, 0xFF, size.slots * sizeof(struct count));
		ring_drop(ring);
	}
	ring_free(ring);
}
END_TEST

static void *push_many(void *context)
{
	for (uint64_t n = 0; n < MANY; n += push(context, n))
		if (n % 16 == 0)
			sched_yield();
	return NULL;
}

START_TEST(test_every_reading_goes_from_one_thread_to_the_other)
{
	struct ring *ring = ring_new(room, size);
	uint64_t wrong = 0;
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, push_many, ring), 0);
	for (uint64_t n = 0; n < MANY;) {
		const struct reading *reading = ring_oldest(ring);

		if (!reading) {
			sched_yield();
			continue;
		}
		wrong += !is(reading, n++);
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
	tcase_add_test(tc, test_readings_come_out_whole_and_in_their_order);
	tcase_add_test(tc, test_a_full_ring_takes_nothing_and_changes_nothing);
	tcase_add_test(tc, test_a_reading_has_no_room_before_the_oldest_was_dropped);
	tcase_add_test(tc, test_there_is_always_room_for_the_last_reading);
	tcase_add_test(tc, test_a_ring_goes_round_many_times);
	tcase_add_test(tc, test_others_than_plain_readings_have_less_room);
	tcase_add_test(tc, test_a_ring_has_a_bounded_size_whatever_a_reading_has);
	tcase_add_test(tc, test_counts_may_be_filled_in_where_they_lie);
	tcase_add_test(tc, test_every_reading_goes_from_one_thread_to_the_other);
	suite_add_tcase(suite, tc);
	return suite;
}
