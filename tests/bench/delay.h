/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes each access to a register take as long as on hardware: 300 ns for a load or store, 1 us for
 * an MSR. Measurements of uncached loads and of the msr driver are of that order; it only matters
 * that the poller and the bare loop (bare.h) wait alike.
 */
#ifndef CXLMON_BENCH_DELAY_H
#define CXLMON_BENCH_DELAY_H

#include "plan/plan.h"
#include "platform/guard.h"
#include "platform/platform.h"
#include "tests/ops_copy.h"

#define DELAY_MEMORY_NS 300
#define DELAY_MSR_NS	1000

struct delay {
	struct ops_copy ops;
};

/* Returns the time of one access, ns. */
unsigned delay_of(enum reg_space space);
/* Waits for ns, and returns the time at the end, in ns. */
uint64_t delay_access(unsigned ns);

/* Sets the plan whose counters count. Other registers keep written values. */
void delay_set_plan(const struct plan *plan);

/* Adds the delay to the platform, for as long as it is used. */
void delay_init(struct delay *delay, struct platform *platform);

#endif
