/* SPDX-License-Identifier: BSD-3-Clause */
/* The clocks of a machine. */
#ifndef CXLMON_PLATFORM_CLOCK_H
#define CXLMON_PLATFORM_CLOCK_H

#include <signal.h>
#include <stdint.h>

struct platform;

struct clock_ops {
	/* Returns monotonic time in ns, without the time that the machine was suspended. */
	uint64_t (*now)(struct platform *p);
	/* Returns wall-clock time: ns since 1970, UTC. */
	uint64_t (*wall)(struct platform *p);
	/* Returns the total time in ns that the machine was suspended. */
	uint64_t (*suspended)(struct platform *p);
	/*
	 * Sleeps until now() reaches deadline (ns). All signals of *wake must be blocked. Returns:
	 *
	 * - 0: the deadline has come
	 * - -EINTR, with wake: a signal of *wake was pending; it is consumed, and *signal_number is
	 *   its number
	 * - -EINTR, without wake (NULL): a signal handler has run; *signal_number is not set
	 * - another negative errno: sleeping failed
	 */
	int (*sleep_until)(struct platform *p, uint64_t deadline, const sigset_t *wake,
			   int *signal_number);
};

#endif
