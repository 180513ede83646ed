/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/kernel/clock.h"

#include <time.h>

#include "unit.h"

static sigset_t wake;

static void block_signals(void)
{
	sigemptyset(&wake);
	sigaddset(&wake, SIGUSR1);
	sigaddset(&wake, SIGUSR2);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, &wake, NULL), 0);
}

static void assert_nothing_pending(void)
{
	sigset_t pending;

	ck_assert_int_eq(sigpending(&pending), 0);
	ck_assert_int_eq(sigismember(&pending, SIGUSR1), 0);
	ck_assert_int_eq(sigismember(&pending, SIGUSR2), 0);
}

/*
 * Returns a deadline: long past, just past, or so far away that only the signal can end the sleep.
 */
static uint64_t deadline(int which)
{
	switch (which) {
	case 0:
		return 0;
	case 1:
		return clock_monotonic();
	default:
		return UINT64_MAX;
	}
}

FIXTURE(block_signals, NULL)

TEST_LOOP(test_a_pending_signal_is_returned_and_consumed, 3)
{
	int number = 0;

	ck_assert_int_eq(raise(SIGUSR2), 0);
	ck_assert_int_eq(clock_sleep_until(deadline(_i), &wake, &number), -EINTR);
	ck_assert_int_eq(number, SIGUSR2);
	assert_nothing_pending();
	ck_assert_int_eq(clock_sleep_until(0, &wake, &number), 0);
}

TEST(test_each_of_two_pending_signals_is_returned)
{
	int first = 0, second = 0;

	ck_assert_int_eq(raise(SIGUSR2), 0);
	ck_assert_int_eq(raise(SIGUSR1), 0);
	ck_assert_int_eq(clock_sleep_until(0, &wake, &first), -EINTR);
	ck_assert_int_eq(clock_sleep_until(0, &wake, &second), -EINTR);
	ck_assert_int_eq(first + second, SIGUSR1 + SIGUSR2);
	ck_assert_int_ne(first, second);
	assert_nothing_pending();
}

TEST(test_a_signal_that_wakes_nobody_stays_pending)
{
	sigset_t other, pending;
	int number = 0;

	sigemptyset(&other);
	sigaddset(&other, SIGUSR1);
	ck_assert_int_eq(raise(SIGUSR2), 0);
	ck_assert_int_eq(clock_sleep_until(0, &other, &number), 0);
	ck_assert_int_eq(sigpending(&pending), 0);
	ck_assert_int_eq(sigismember(&pending, SIGUSR2), 1);
	ck_assert_int_eq(clock_sleep_until(0, &wake, &number), -EINTR);
	assert_nothing_pending();
}

TEST_LOOP(test_a_deadline_in_the_past_returns_at_once, 2)
{
	int number = -1;

	ck_assert_int_eq(clock_sleep_until(deadline(_i), &wake, &number), 0);
	ck_assert_int_eq(number, -1);
}

TEST(test_clocks_are_those_of_the_kernel)
{
	struct timespec before, after;

	clock_gettime(CLOCK_MONOTONIC, &before);
	const uint64_t now = clock_monotonic();
	clock_gettime(CLOCK_MONOTONIC, &after);
	ck_assert_uint_ge(now, (uint64_t)before.tv_sec * 1000000000 + (uint64_t)before.tv_nsec);
	ck_assert_uint_le(now, (uint64_t)after.tv_sec * 1000000000 + (uint64_t)after.tv_nsec);
	/* it counts from 1970, and 2020 has passed */
	ck_assert_uint_gt(clock_utc(), UINT64_C(1577836800000000000));
}
