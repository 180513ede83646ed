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
 *
 * Of loads that miss the L1D there is one for each read, and one for each SIM_CACHE_WAIT cycles
 * that the program waits for caches in DRAM. The share prefetched of these finds its line on its
 * way.
 *
 * CPUs on which a kernel is injected (platform/simulation.h) run that instead: a program whose
 * waits are in a table, whose parallelism is its chains, and which moves as many bytes as it has
 * cycles in DRAM for. Beyond limit= it moves less, but waits no longer.
 */
#ifndef CXLMON_SIM_STALLS_H
#define CXLMON_SIM_STALLS_H

#include "platform/simulation.h"
#include "sim/sim_spec.h"

#define SIM_CORE_GHZ 3.0L

/* Reads of lines that a core has outstanding at most, as Intel's have 16 line fill buffers. */
#define SIM_PARALLELISM_MOST 16

/* Cycles that a load waits for caches, with its line in DRAM. A choice: near to an L2's latency. */
#define SIM_CACHE_WAIT 10

struct sim_stalls {
	long double cycles; /* for each cycle with all memory in DRAM */
	/* of these, times 100: that it waits for reads, for caches and for stores */
	long double demand, cache, store;
	long double reads;	 /* that it begins in these, times 100 */
	long double outstanding; /* summed over these, times 100 */
	/* loads that it begins in these, times 100, and that miss the L1D: those that find their
	 * line on its way, and the others */
	long double on_way, misses;
};

struct sim_stalls sim_stalls_of(const struct sim_spec *spec);

/* Of a kernel on a CPU of such a machine, with its memory as far away. */
struct sim_kernel_run {
	struct sim_stalls stalls;
	double GBps; /* that it moves */
};
struct sim_kernel_run sim_run_kernel(const struct sim_spec *machine, enum calibration_kernel kernel,
				     unsigned chains, double latency_ns);

#endif
