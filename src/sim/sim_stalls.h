/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the CPUs of a simulated machine wait for: each runs the same program for ever, which is
 * given by its waits with all of its memory in DRAM (demand_stall=, cache_stall=, store_stall=,
 * parallelism=), and of which cxl_share= is in CXL memory, where it waits longer. With t0 =
 * ddr_latency=, t1 = latency=, r = t1 / t0 - 1, and aol = t0 / parallelism (cycles that a read
 * waits), a cycle of the program in DRAM takes with all memory in CXL so much longer:
 *
 * - waits for reads: demand_stall x r / (1 + overlap / aol)
 * - waits for caches: cache_stall x r x prefetched, the part that waits for prefetches of memory
 * - waits for stores: store_stall x r
 *
 * and with a share of it, that share of these. This is the model of CAMP (ASPLOS '26): C = r,
 * A = overlap, B = 1, E = G = r, D = F = H = 0. Both latencies are those without load.
 *
 * In every cycle in which a read is outstanding, and in no other, the CPU waits for reads. So what
 * overlaps in CXL shows as a higher parallelism there.
 */
#ifndef CXLMON_SIM_STALLS_H
#define CXLMON_SIM_STALLS_H

#include "sim/sim_spec.h"

struct sim_stalls {
	long double cycles; /* for each cycle with all memory in DRAM */
	/* of these, times 100: that it waits for reads, for caches and for stores */
	long double demand, cache, store;
	long double reads;	 /* that it begins in these, times 100 */
	long double outstanding; /* summed over these, times 100 */
};

struct sim_stalls sim_stalls_of(const struct sim_spec *spec);

#endif
