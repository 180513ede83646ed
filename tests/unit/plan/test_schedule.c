/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/plan.h"
#include "unit.h"

#define MAX_EVENTS  6
#define SMALL_SETS  20000
#define RANDOM_SEED UINT64_C(0x9E3779B97F4A7C15)
#define NOT_TOUCHED 99U

/* Schedules, and checks that each event has its own allowed counter. */
static int schedule(const uint32_t *allowed, size_t count, size_t *unassigned)
{
	unsigned counter[UNIT_MAX_COUNTERS + 1];
	uint32_t used = 0;
	int rc = schedule_events(allowed, count, false, counter, unassigned);

	for (size_t i = 0; !rc && i < count; i++) {
		ck_assert_uint_lt(counter[i], UNIT_MAX_COUNTERS);
		ck_assert(allowed[i] >> counter[i] & 1);
		ck_assert(!(used >> counter[i] & 1));
		used |= UINT32_C(1) << counter[i];
	}
	return rc;
}

TEST(test_an_event_takes_the_only_counter_it_may)
{
	const uint32_t allowed[] = {1 << 3, 1 << 0, UINT32_C(1) << 31};
	unsigned counter[3];
	size_t unassigned;

	ck_assert_int_eq(schedule_events(allowed, 3, false, counter, &unassigned), 0);
	ck_assert_uint_eq(counter[0], 3);
	ck_assert_uint_eq(counter[1], 0);
	ck_assert_uint_eq(counter[2], 31);
}

TEST(test_an_event_moves_for_one_with_fewer_counters)
{
	const uint32_t allowed[] = {0x3, 0x1};
	unsigned counter[2];
	size_t unassigned;

	ck_assert_int_eq(schedule_events(allowed, 2, false, counter, &unassigned), 0);
	ck_assert_uint_eq(counter[0], 1);
	ck_assert_uint_eq(counter[1], 0);
}

TEST(test_a_chain_of_events_moves_up_for_the_last_one)
{
	uint32_t allowed[UNIT_MAX_COUNTERS];
	unsigned counter[UNIT_MAX_COUNTERS];
	const unsigned last = UNIT_MAX_COUNTERS - 1;
	size_t unassigned;

	for (unsigned i = 0; i < last; i++)
		allowed[i] = UINT32_C(3) << i; /* event i on counter i or the next */
	allowed[last] = 1;
	ck_assert_int_eq(schedule_events(allowed, UNIT_MAX_COUNTERS, false, counter, &unassigned),
			 0);
	for (unsigned i = 0; i < last; i++)
		ck_assert_uint_eq(counter[i], i + 1);
	ck_assert_uint_eq(counter[last], 0);
}

TEST(test_more_events_than_counters_are_refused)
{
	const uint32_t allowed[] = {0x3, 0x3, 0x3};
	size_t unassigned = NOT_TOUCHED;

	ck_assert_int_eq(schedule(allowed, 3, &unassigned), -ENOSPC);
	ck_assert_uint_eq(unassigned, 2);
}

TEST(test_a_33rd_event_is_refused)
{
	uint32_t allowed[UNIT_MAX_COUNTERS + 1];
	size_t unassigned = NOT_TOUCHED;

	for (unsigned i = 0; i <= UNIT_MAX_COUNTERS; i++)
		allowed[i] = UINT32_MAX;
	ck_assert_int_eq(schedule(allowed, UNIT_MAX_COUNTERS, &unassigned), 0);
	ck_assert_int_eq(schedule(allowed, UNIT_MAX_COUNTERS + 1, &unassigned), -ENOSPC);
	ck_assert_uint_eq(unassigned, UNIT_MAX_COUNTERS);
}

TEST(test_an_event_without_an_allowed_counter_is_the_unassigned_one)
{
	const uint32_t allowed[] = {0xF, 0, 0xF};
	size_t unassigned = NOT_TOUCHED;

	ck_assert_int_eq(schedule(allowed, 3, &unassigned), -ENOSPC);
	ck_assert_uint_eq(unassigned, 1);
}

TEST(test_no_events_need_no_counter)
{
	const uint32_t allowed[] = {0};
	size_t unassigned = NOT_TOUCHED;

	ck_assert_int_eq(schedule_events(allowed, 0, false, NULL, &unassigned), 0);
	ck_assert_uint_eq(unassigned, NOT_TOUCHED);
}

/* Returns true if there is an assignment; tries all. */
static bool possible(const uint32_t *allowed, size_t count, uint32_t used)
{
	if (!count)
		return true;
	for (unsigned c = 0; c < UNIT_MAX_COUNTERS; c++)
		if ((allowed[0] & ~used) >> c & 1 &&
		    possible(allowed + 1, count - 1, used | UINT32_C(1) << c))
			return true;
	return false;
}

static uint32_t random_below(uint64_t *state, uint32_t bound)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % bound;
}

TEST(test_an_assignment_is_found_exactly_where_there_is_one)
{
	uint64_t state = RANDOM_SEED;
	unsigned placed = 0;

	for (unsigned n = 0; n < SMALL_SETS; n++) {
		uint32_t allowed[MAX_EVENTS];
		const size_t count = random_below(&state, MAX_EVENTS + 1);
		const unsigned counters = 1 + random_below(&state, MAX_EVENTS);
		size_t unassigned = NOT_TOUCHED;

		/* two draws reduce the choice, so that both answers are frequent */
		for (size_t i = 0; i < count; i++)
			allowed[i] = random_below(&state, 1U << counters) &
				     random_below(&state, 1U << counters);
		const bool expected = possible(allowed, count, 0);
		ck_assert_int_eq(schedule(allowed, count, &unassigned), expected ? 0 : -ENOSPC);
		if (!expected)
			ck_assert_uint_lt(unassigned, count);
		placed += expected;
	}
	ck_assert_uint_gt(placed, SMALL_SETS / 10);
	ck_assert_uint_lt(placed, SMALL_SETS - SMALL_SETS / 10);
}
