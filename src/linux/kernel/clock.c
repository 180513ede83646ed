/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/kernel/clock.h"

#include <errno.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/number.h"

#define LONGEST_READING_NS 10000000 /* for two clocks; an error of clock_suspended() */

static uint64_t read_clock(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

uint64_t clock_monotonic(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_utc(void)
{
	return read_clock(CLOCK_REALTIME);
}

/*
 * Returns the difference of CLOCK_BOOTTIME and CLOCK_MONOTONIC, the time suspended:
 * clock_gettime(2). If this thread had to wait for its CPU between the two readings, they are
 * repeated.
 */
uint64_t clock_suspended(void)
{
	uint64_t before, all, awake;

	do {
		before = clock_monotonic();
		all = read_clock(CLOCK_BOOTTIME);
		awake = clock_monotonic();
	} while (awake - before > LONGEST_READING_NS);
	return all > awake ? all - awake : 0;
}

void clock_set_timerslack(void)
{
	prctl(PR_SET_TIMERSLACK, 1UL); /* ns; 0 would set the default */
}

/*
 * Waits by sigtimedwait(), which checks for signals and sleeps atomically, so that no signal is
 * lost in between. Its timeout is relative and is computed anew for each call.
 */
int clock_sleep_until(uint64_t deadline, const sigset_t *wake, int *signal_number)
{
	sigset_t none;

	sigemptyset(&none);
	for (;;) {
		const uint64_t now = clock_monotonic();
		const uint64_t left = deadline > now ? deadline - now : 0;
		const struct timespec ts = {
			.tv_sec = (time_t)(left / NS_PER_S),
			.tv_nsec = (long)(left % NS_PER_S),
		};
		int rc = sigtimedwait(wake ? wake : &none, NULL, &ts);

		if (rc > 0) {
			*signal_number = rc;
			return -EINTR;
		}
		if (errno == EAGAIN && clock_monotonic() >= deadline)
			return 0;
		if (errno != EAGAIN && (errno != EINTR || !wake))
			return -errno;
	}
}

uint64_t clock_process(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
