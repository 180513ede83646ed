/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A virtual clock for a platform: only sleeping advances it. So periodic work, such as the check of
 * all controls every 100 ms, is part of the same samples however busy this machine is.
 */
#ifndef CXLMON_BENCH_PACE_H
#define CXLMON_BENCH_PACE_H

#include "platform/platform.h"
#include "tests/ops_copy.h"

struct pace {
	struct ops_copy ops; /* first member: leads from a platform's ops to the pace */
	uint64_t now_ns;
	/* Called in a sleep, for real work of any length; parameters as sleep_until. */
	int (*nap)(void *context, const sigset_t *wake, int *signal_number);
	void *context;
};

/* Gives the platform the virtual clock, until a wrapper around it is removed. */
void pace_init(struct pace *pace, struct platform *platform,
	       int (*nap)(void *context, const sigset_t *wake, int *signal_number), void *context);

#endif
