/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits (stall cycles) of the CPUs of a simulated machine. Each CPU runs the same program for ever.
 * The keys demand_stall=, cache_stall=, store_stall= and parallelism= describe its waits if all of
 * its memory is DRAM. A part of its memory, cxl_share=, is CXL memory, where it waits longer.
 *
 * Let t0 = ddr_latency=, t1 = latency=, r = t1 / t0 - 1, and aol = t0 / parallelism (cycles that a
 * read waits). Then a program with all of its memory in CXL has these waits in addition, for each
 * of its cycles in DRAM:
 *
 * - waits for reads: demand_stall x r / (1 + overlap / aol)
 * - waits for caches: cache_stall x r x prefetched, the part that waits for prefetches of memory
 * - waits for stores: store_stall x r
 *
 * A program with a share of its memory in CXL has that share of these waits. This is the model of
 * CAMP (ASPLOS '26): C = r, A = overlap, B = 1, E = G = r, D = F = H = 0. Latencies are without
 * load.
 *
 * The CPU waits for reads in every cycle in which a read is outstanding, and in no other. So an
 * overlap in CXL shows as a higher parallelism there.
 *
 * A load misses the L1D for each read, and for each SIM_CACHE_WAIT cycles that the program waits
 * for caches in DRAM. Of these loads, the share `prefetched` finds its line already on its way.
 *
 * A CPU on which a kernel is injected (platform/simulation.h), a microbenchmark, runs it instead of
 * the program. The kernel's waits are in a table, and its parallelism is its number of chains. It
 * transfers bytes in proportion to its cycles in DRAM. Above limit= it transfers less, but waits no
 * longer.
 */
#ifndef CXLMON_SIM_STALLS_H
#define CXLMON_SIM_STALLS_H

#include "platform/simulation.h"
#include "sim/sim_spec.h"

#define SIM_CORE_GHZ 3.0L
#define SIM_CORE_IPC 1.25L /* instructions per cycle with all memory in DRAM */

/* The most reads that a core has outstanding: Intel's cores have 16 line fill buffers. */
#define SIM_PARALLELISM_MOST 16

/*
 * Cycles that each load waits for caches if all memory is DRAM. A choice: close to an L2's latency.
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

/* Percent of the loads that wait for caches whose supplier is the L3. A choice. */
#define SIM_L3_LOADS 10

/* Loads per 100 instructions. A choice. */
#define SIM_LOADS 30

/*
 * The waits and loads of a program, per DRAM cycle: the work that takes one cycle if all memory is
 * DRAM. With CXL memory, it takes more cycles.
 */
struct sim_stalls {
	long double cycles; /* cycles per DRAM cycle */
	/* cycles per 100 DRAM cycles in which it waits for reads, for caches and for stores */
	long double demand, cache, store;
	long double reads;	 /* reads that begin per 100 DRAM cycles */
	long double outstanding; /* sum of outstanding reads over the cycles of 100 DRAM cycles */
	/* loads per 100 DRAM cycles that miss the L1D and find their line on its way, or do not */
	long double on_way, misses;
	long double loads[SIM_SUPPLIERS]; /* loads per 100 DRAM cycles by supplier */
};

/* Returns the waits of the spec's program. */
struct sim_stalls sim_stalls_of(const struct sim_spec *spec);

/* The result of running a kernel on a CPU. */
struct sim_kernel_run {
	struct sim_stalls stalls;
	double GBps; /* bandwidth of the kernel */
};

/*
 * Returns the waits and bandwidth of a kernel on a CPU of the machine, if its memory has this
 * latency. chains: only for KERNEL_CHASE; more than SIM_PARALLELISM_MOST count as that many.
 */
struct sim_kernel_run sim_run_kernel(const struct sim_spec *machine, enum calibration_kernel kernel,
				     unsigned chains, double latency_ns);

#endif
