/* SPDX-License-Identifier: BSD-3-Clause */
/* The clocks of a machine. */
#ifndef CXLMON_PLATFORM_CLOCK_H
#define CXLMON_PLATFORM_CLOCK_H

#include <signal.h>
#include <stdint.h>

struct platform;

struct clock_ops {
	/* Monotonic time in ns, and wall-clock time in ns since 1970, UTC. */
	uint64_t (*now)(struct platform *p);
	uint64_t (*wall)(struct platform *p);
	/* Total time in ns that the machine was suspended; now() does not include it. */
	uint64_t (*suspended)(struct platform *p);
	/*
	 * Sleeps until now() reaches deadline (ns). -EINTR: a signal of *wake, which must all be
	 * blocked, was pending; it is consumed, and *signal_number is its number. If wake is NULL,
	 * no signal is consumed, and -EINTR means that a signal handler has run.
	 */
	int (*sleep_until)(struct platform *p, uint64_t deadline, const sigset_t *wake,
			   int *signal_number);
};

#endif
