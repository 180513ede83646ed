/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits of the CPUs of a simulated machine. Each CPU runs the same program for ever. The program is
 * given by its waits with all of its memory in DRAM (demand_stall=, cache_stall=, store_stall=,
 * parallelism=). A part of its memory, cxl_share=, is in CXL memory, where it waits longer. With
 * t0 = ddr_latency=, t1 = latency=, r = t1 / t0 - 1, and aol = t0 / parallelism (cycles that a read
 * waits), all memory in CXL adds to a cycle of the program in DRAM:
 *
 * - waits for reads: demand_stall x r / (1 + overlap / aol)
 * - waits for caches: cache_stall x r x prefetched, the part that waits for prefetches of memory
 * - waits for stores: store_stall x r
 *
 * A share of the memory in CXL adds that share of these. This is the model of CAMP (ASPLOS '26):
 * C = r, A = overlap, B = 1, E = G = r, D = F = H = 0. Both latencies are unloaded ones.
 *
 * The CPU waits for reads in every cycle in which a read is outstanding, and in no other. So an
 * overlap in CXL shows as a higher parallelism there.
 *
 * Loads that miss the L1D are one for each read, and one for each SIM_CACHE_WAIT cycles that the
 * program waits for caches in DRAM. The share prefetched of the latter finds its line on its way.
 *
 * CPUs on which a kernel is injected (platform/simulation.h) run the kernel instead. Its waits are
 * in a table, its parallelism is its chains, and it moves bytes in proportion to its cycles in
 * DRAM. Beyond limit= it moves less, but waits no longer.
 */
#ifndef CXLMON_SIM_STALLS_H
#define CXLMON_SIM_STALLS_H

#include "platform/simulation.h"
#include "sim/sim_spec.h"

#define SIM_CORE_GHZ 3.0L
#define SIM_CORE_IPC 1.25L /* instructions per cycle with all memory in DRAM */

/* Reads of lines that a core has outstanding at most: Intel's cores have 16 line fill buffers. */
#define SIM_PARALLELISM_MOST 16

/*
 * Cycles that a load waits for caches if its line is in DRAM. A choice: close to an L2's latency.
 */
#define SIM_CACHE_WAIT 10

/*
 * Percent of the cycles in DRAM in which a core waits for loads that hit the L3. A choice; only
 * E-cores count it.
 */
#define SIM_L3_STALL 2

/* Suppliers of loads that found no line on its way to the L1D. */
enum sim_supplier {
	SUPPLIER_L1,
	SUPPLIER_L2,
	SUPPLIER_L3,
	SUPPLIER_DRAM,
	SUPPLIER_FAR_DRAM,
	SUPPLIER_CXL,
	SUPPLIER_FAR_CXL,
	SIM_SUPPLIERS
};

/* Percent of loads that wait for caches for which the L3 is the supplier. A choice. */
#define SIM_L3_LOADS 10

/* Loads per 100 instructions. A choice. */
#define SIM_LOADS 30

struct sim_stalls {
	long double cycles; /* cycles per cycle with all memory in DRAM */
	/* Percent of these cycles in which it waits for reads, for caches and for stores. */
	long double demand, cache, store;
	long double reads;	 /* reads that begin per 100 of these cycles */
	long double outstanding; /* outstanding reads, summed over 100 of these cycles */
	/*
	 * Loads per 100 of these cycles that miss the L1D: those that find their line on its way,
	 * and the others.
	 */
	long double on_way, misses;
	long double loads[SIM_SUPPLIERS]; /* loads per 100 of these cycles by supplier */
};

struct sim_stalls sim_stalls_of(const struct sim_spec *spec);

/* A kernel on a CPU of such a machine, with its memory at this latency. */
struct sim_kernel_run {
	struct sim_stalls stalls;
	double GBps; /* the bandwidth of the kernel */
};
struct sim_kernel_run sim_run_kernel(const struct sim_spec *machine, enum calibration_kernel kernel,
				     unsigned chains, double latency_ns);

#endif
