/* SPDX-License-Identifier: BSD-3-Clause */
#include "pace.h"

#include "linux/kernel/clock.h"

/* The pace in use: one platform is measured at a time, and the tap may wrap this. */
static struct pace *used;

/* Reads also the real clock, which is a part of a sample's cost. */
static uint64_t now(struct platform *p)
{
	(void)p;
	(void)clock_monotonic();
	return used->now_ns;
}

static uint64_t wall(struct platform *p)
{
	(void)p;
	return clock_utc();
}

/* Reads as many clocks as clock_suspended() does without a repetition. */
static uint64_t suspended(struct platform *p)
{
	(void)p;
	(void)clock_monotonic();
	(void)clock_utc();
	(void)clock_monotonic();
	return 0;
}

static int sleep_until(struct platform *p, uint64_t deadline, const sigset_t *wake,
		       int *signal_number)
{
	const int rc = used->nap(used->context, wake, signal_number);

	(void)p;
	if (!rc && deadline > used->now_ns)
		used->now_ns = deadline;
	return rc;
}

void pace_init(struct pace *pace, struct platform *p,
	       int (*nap)(void *context, const sigset_t *wake, int *signal_number), void *context)
{
	ops_copy_init(&pace->ops, p->ops);
	pace->now_ns = clock_monotonic();
	pace->nap = nap;
	pace->context = context;
	pace->ops.clock.now = now;
	pace->ops.clock.wall = wall;
	pace->ops.clock.suspended = suspended;
	pace->ops.clock.sleep_until = sleep_until;
	p->ops = &pace->ops.ops;
	used = pace;
}
