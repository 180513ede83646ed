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
	 * Sleeps until now() reaches deadline (ns). 0; -EINTR: a signal of *wake was pending, which
	 * is consumed, and *signal_number is its number; or another negative errno. All signals of
	 * *wake must be blocked. If wake is NULL, no signal is consumed, and -EINTR means that a
	 * signal handler has run.
	 */
	int (*sleep_until)(struct platform *p, uint64_t deadline, const sigset_t *wake,
			   int *signal_number);
};

#endif
