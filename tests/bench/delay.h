/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes each access to a register take as long as on hardware: 300 ns for a load or store, 1 us for
 * an MSR. Source: measurements of uncached loads and of the msr driver are of that order; here it
 * only matters that the poller and the bare loop wait alike.
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
/* Takes so long, and returns the time at its end, ns. */
uint64_t delay_access(unsigned ns);

/*
 * Sets the plan whose counters count, before they are prepared; other registers hold their written
 * values.
 */
void delay_set_plan(const struct plan *plan);

/* Adds the delay for as long as the platform is used. */
void delay_init(struct delay *delay, struct platform *platform);

#endif
