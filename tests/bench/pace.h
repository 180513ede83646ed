/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A virtual clock for a platform: only sleeping moves it on. What comes by the clock, as the check
 * of all controls each 100 ms, is then part of a sample if its step says so, however busy this
 * machine is.
 */
#ifndef CXLMON_BENCH_PACE_H
#define CXLMON_BENCH_PACE_H

#include "platform/platform.h"
#include "tests/ops_copy.h"

struct pace {
	struct ops_copy ops; /* first: what finds the pace behind a platform's ops */
	uint64_t now_ns;
	/* What really happens in a sleep, however long that takes; see clock_ops.sleep_until. */
	int (*nap)(void *context, const sigset_t *wake, int *signal_number);
	void *context;
};

/* Lasts as long as the platform is used, or until what is put in front of it is. */
void pace_init(struct pace *pace, struct platform *platform,
	       int (*nap)(void *context, const sigset_t *wake, int *signal_number), void *context);

#endif
